"""``manage.py import``: transcript files of clients into a person's sessions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from core.errors import DomainError
from core.nudge import send
from transcripts.services.imports import ImportReport, summary, transcript_import


class Command(BaseCommand):
    help = "Import transcripts: Claude Code JSONL, aider chat history, Hikae's own JSON. Repeating it adds nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--user", required=True, help="whose conversations these are")
        parser.add_argument("--persona", help="default: what the file says, else persona:default")
        parser.add_argument("--workspace", help="default: what the file says; made on first use")
        parser.add_argument("--tz", help="time zone of files that write local times, e.g. Asia/Tokyo")
        parser.add_argument("--dry-run", action="store_true", help="say what would happen, store nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["user"]).first()
        if user is None:
            raise CommandError(f"There is no user {options['user']}.")
        reports = [self._import(path, user, options) for path in options["files"]]
        if all(report.found_nothing for report in reports):
            raise CommandError("No conversation was found.")

    def _import(self, path: Path, user: User, options: dict[str, Any]) -> ImportReport:
        try:
            report = transcript_import(
                user=user,
                data=path.read_bytes(),
                filename=path.name,
                persona=options["persona"],
                workspace=options["workspace"],
                tz=options["tz"],
                dry_run=options["dry_run"],
                now=timezone.now(),
            )
        except DomainError as error:
            raise CommandError(f"{path}: {error.message}") from error
        except OSError as error:
            raise CommandError(f"{path} cannot be read: {error.strerror}") from error
        self.stdout.write(f"{path}{'  (dry run, nothing was stored)' if report.dry_run else ''}")
        for name, line in summary(report).items():
            self.stdout.write(f"  {name}: {line}")
        for reason, count in sorted(report.skipped.items()):
            if count:
                self.stdout.write(f"  left out, {reason}: {count}")
        for problem in report.problems:
            self.stderr.write(
                f"  line {problem.line}: {problem.reason}" if problem.line else f"  {problem.reason}"
            )
        if not report.dry_run:
            for session_id in report.session_ids:
                send("memory.scan_session", str(session_id), queue="extract")
        return report
