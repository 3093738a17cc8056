"""``manage.py import``: transcripts of clients, memories of other stores, and archives of Hikae."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from core.actor import Actor
from core.errors import DomainError
from core.models import Namespace
from core.nudge import send
from core.selectors.access import namespace_for_user
from integrations.archive.container import is_archive
from integrations.importers import FORMATS
from integrations.importers.base import FileIn, Found
from integrations.services.archive_restore import archive_restore
from integrations.services.bring import bring_apply, bring_plan
from integrations.services.bring_judge import Plan
from integrations.services.bring_read import bring_read
from transcripts.readers.base import sniff
from transcripts.services.imports import ImportReport, summary, transcript_import

MAX_FILES = 5_000


class Command(BaseCommand):
    help = (
        "Import transcripts (Claude Code JSONL, aider chat history, Hikae's own JSON), memories of other stores "
        f"({', '.join(FORMATS)}; name one with --from, or let Hikae find out), or an archive made by manage.py export. "
        "Repeating it adds nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="files, or one folder")
        parser.add_argument("--user", required=True, help="whose conversations or memories these are")
        parser.add_argument(
            "--from", dest="store", choices=["auto", *FORMATS], help="the store they come from"
        )
        parser.add_argument("--into", help="the namespace of memories, or the new name of an archive")
        parser.add_argument(
            "--persona", help="of transcripts; default: what the file says, else persona:default"
        )
        parser.add_argument(
            "--workspace", help="of transcripts; default: what the file says; made on first use"
        )
        parser.add_argument("--tz", help="time zone of files that write local times, e.g. Asia/Tokyo")
        parser.add_argument("--dry-run", action="store_true", help="say what would happen, store nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["user"]).first()
        if user is None:
            raise CommandError(f"There is no user {options['user']}.")
        files: list[Path] = options["files"]
        try:
            if len(files) == 1 and files[0].is_file() and _archived(files[0]):
                self._restore(files[0], user, options)
            elif options["store"] or not all(map(_is_talk, files)):
                self._bring(files, user, options)
            else:
                reports = [self._transcript(path, user, options) for path in files]
                if all(report.found_nothing for report in reports):
                    raise CommandError("No conversation was found.")
        except DomainError as error:
            raise CommandError(error.message) from error
        except OSError as error:
            raise CommandError(f"{error.filename or files[0]} cannot be read: {error.strerror}") from error

    def _restore(self, path: Path, user: User, options: dict[str, Any]) -> None:
        with path.open("rb") as source:
            report = archive_restore(
                user=user,
                source=source,
                actor=Actor.operator("import"),
                reference=options["into"] or "",
                dry_run=options["dry_run"],
                now=timezone.now(),
            )
        for problem in report.problems:
            self.stderr.write(f"  {problem.file} line {problem.line}: {problem.reason}")
        if report.problems:
            raise CommandError("The archive was not brought back; nothing was stored.")
        self.stdout.write(f"{path} → {report.namespace}{_dry(options)}")
        for name, count in report.counts.items():
            left = report.left_out.get(name)
            self.stdout.write(f"  {name}: {count}{f', left out: {left}' if left else ''}")

    def _bring(self, paths: list[Path], user: User, options: dict[str, Any]) -> None:
        if not options["into"]:
            raise CommandError("Name the namespace with --into, such as workspace:api.")
        space = namespace_for_user(user=user, reference=options["into"])
        plan = bring_plan(
            user=user,
            namespace_id=space.pk,
            found=_found(paths, options["store"] or "auto"),
            now=timezone.now(),
        )
        self._say(plan, space, options)
        if options["dry_run"]:
            return
        brought = bring_apply(
            user=user, namespace_id=space.pk, found=plan.found, reviewed=False, now=timezone.now()
        )
        self.stdout.write(f"  wait for review: {brought.proposed}")
        if brought.choices:
            self.stdout.write(f"  choices stored: {brought.choices.created}")
        if brought.conversations:
            self.stdout.write(f"  conversations stored: {brought.conversations.sessions_new}")
            for session_id in brought.conversations.session_ids:
                send("memory.scan_session", str(session_id), queue="extract")

    def _say(self, plan: Plan, space: Namespace, options: dict[str, Any]) -> None:
        self.stdout.write(f"{plan.found.format} → {space}{_dry(options)}")
        self.stdout.write(f"  entries: {len(plan.rows)}, junk: {plan.junk_percent} %")
        for verdict, count in plan.counts.items():
            if count:
                self.stdout.write(f"  {verdict}: {count}")
        if plan.secrets:
            self.stdout.write(f"  secrets cut out: {plan.secrets}")
        if plan.choices:
            self.stdout.write(f"  choices: {plan.choices.created} new, {plan.choices.known} known")
            for number, reason in plan.choices.problems:
                self.stderr.write(f"  choice {number}: {reason}")
        if plan.found.conversations:
            talks, known = len(plan.found.conversations), plan.known_conversations
            self.stdout.write(f"  conversations: {talks - known} new, {known} known")
        if plan.without_options:
            self.stdout.write(f"  decisions without options, outside the statistics: {plan.without_options}")
        for what, count in sorted(plan.found.unsupported.items()):
            if count:
                self.stdout.write(f"  not taken, {what}: {count}")
        for problem in plan.found.problems:
            self.stderr.write(f"  {problem.place}: {problem.reason}")

    def _transcript(self, path: Path, user: User, options: dict[str, Any]) -> ImportReport:
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
        self.stdout.write(f"{path}{_dry(options)}")
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


def _found(paths: list[Path], format: str) -> Found:
    """What the files hold. The files themselves are not held any longer than this."""
    files = [FileIn(name, path.read_bytes()) for root in paths for name, path in _inside(root)]
    return bring_read(files=files, format=format)


def _dry(options: dict[str, Any]) -> str:
    return "  (dry run, nothing was stored)" if options["dry_run"] else ""


def _archived(path: Path) -> bool:
    with path.open("rb") as source:
        return is_archive(source)


def _is_talk(path: Path) -> bool:
    """What the transcript readers know, and no reader of another store."""
    if path.is_dir():
        return False
    data = path.read_bytes()
    known = sniff(data, filename=path.name)
    return known is not None and not any(
        reader.reads([FileIn(path.name, data)]) for reader in FORMATS.values()
    )


def _inside(root: Path) -> Iterator[tuple[str, Path]]:
    """The file itself, or all files of a folder by their paths in it; links are not followed."""
    if not root.is_dir():
        yield root.name, root
        return
    for number, path in enumerate(sorted(root.rglob("*"))):
        if number > MAX_FILES:
            raise CommandError(f"The folder holds more than {MAX_FILES:,} files.")
        if path.is_file() and not path.is_symlink():
            yield path.relative_to(root).as_posix(), path
