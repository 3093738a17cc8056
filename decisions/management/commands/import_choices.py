"""``manage.py import_choices decisions.jsonl --user U``."""

from __future__ import annotations

import argparse
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from core.errors import DomainError
from decisions.services.exchange import choices_import


class Command(BaseCommand):
    help = (
        "Bring choices back from decisions.jsonl, ours or plain records {decision_id, timestamp, question, "
        "user_choice, all_options, context}. Safe to repeat."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        opened = argparse.FileType("r", encoding="utf-8-sig", errors="surrogateescape")
        parser.add_argument("file", type=opened, help="JSON lines, or - for standard input")
        parser.add_argument("--user", required=True, help="whose choices they become")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["user"]).first()
        if user is None:
            raise CommandError(f"There is no user {options['user']}.")
        try:
            with options["file"] as lines:
                report = choices_import(user=user, lines=lines, now=timezone.now())
        except DomainError as error:
            raise CommandError(error.message) from error
        for number, reason in report.problems:
            self.stderr.write(f"line {number}: {reason}")
        self.stdout.write(
            f"{report.created} brought back, {report.known} known already, {len(report.problems)} problems."
        )
        if report.problems:
            raise CommandError("Some lines were not taken; see above.")
