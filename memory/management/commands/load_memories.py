"""``manage.py load_memories FILE.jsonl --user U --reviewed``: an operator vouches for memories."""

from __future__ import annotations

import argparse
from typing import IO, Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from core.actor import Actor
from memory.services.loading import memories_load


def _lines(path: str) -> IO[str]:
    """The file's lines. Bytes that are no UTF-8 become lone surrogates, which the loader names by line."""
    opened = argparse.FileType("r", encoding="utf-8-sig", errors="surrogateescape")
    return opened(path)


class Command(BaseCommand):
    help = (
        "Load reviewed memories, one JSON object a line: external_id, namespace, kind, content, "
        "and optionally aliases, at, superseded_by. Safe to repeat."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=_lines, help="JSON lines, or - for standard input")
        parser.add_argument("--user", required=True, help="whose memories they are")
        parser.add_argument("--reviewed", action="store_true", help="you have reviewed every line")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["reviewed"]:
            raise CommandError(
                "These texts become memories at once. Review them, then repeat with --reviewed; "
                "to send them through the queue instead, use POST /api/v1/candidates/."
            )
        user = User.objects.filter(username=options["user"]).first()
        if user is None:
            raise CommandError(f"There is no user {options['user']}.")
        with options["file"] as lines:
            report = memories_load(
                user=user, lines=lines, actor=Actor.operator("load_memories"), now=timezone.now()
            )
        for number, reason in report.problems:
            self.stderr.write(f"line {number}: {reason}")
        self.stdout.write(
            f"{report.created} loaded, {report.known} known already, {report.superseded} superseded, "
            f"{len(report.problems)} problems."
        )
        if report.problems:
            raise CommandError("Some lines were not loaded; see above.")
