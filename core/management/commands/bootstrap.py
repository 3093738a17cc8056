"""``manage.py bootstrap``: what bin/up needs once; repeating it changes nothing."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from core.services.bootstrap import owner_bootstrap


class Command(BaseCommand):
    help = "Create the owner and persona:default; with --print-key also a key, printed once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--print-key", action="store_true", help="make an agent key and print its secret")

    def handle(self, *args: Any, **options: Any) -> None:
        secret = owner_bootstrap(
            password=settings.OWNER_PASSWORD, want_key=options["print_key"], now=timezone.now()
        )
        if secret:
            self.stdout.write(secret)
