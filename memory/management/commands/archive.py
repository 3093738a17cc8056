"""``manage.py archive``: archive what nobody touched for thirty days, now."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from memory.services.archive import archive_due


class Command(BaseCommand):
    help = "Archive candidates that nobody touched for thirty days."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{archive_due(now=timezone.now())} archived.")
