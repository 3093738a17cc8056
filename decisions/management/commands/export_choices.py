"""``manage.py export_choices --user U > decisions.jsonl``."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from decisions.services.exchange import choices_export


class Command(BaseCommand):
    help = "Write one person's choices, one JSON object a line (decisions.jsonl)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--user", required=True, help="whose choices")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["user"]).first()
        if user is None:
            raise CommandError(f"There is no user {options['user']}.")
        for line in choices_export(user=user):
            self.stdout.write(line)
