"""``manage.py knowledge_import PATH --user U --namespace REF``: notes and summary back from files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from core.actor import Operator
from core.errors import DomainError
from knowledge.management.told import lines, tree_at, where, whose
from knowledge.services.import_plan import TAKEN, Plan, import_plan
from knowledge.services.importing import knowledge_import


class Command(BaseCommand):
    help = (
        "Import knowledge/<slug>.md and memory/summary.md from a folder or a zip: everything or nothing. "
        "Safe to repeat: equal notes are left as they are."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path, help="a folder, a .zip, or one Markdown file")
        parser.add_argument("--user", required=True, help="whose namespace, or who is a member of it")
        parser.add_argument(
            "--namespace", required=True, metavar="REF", help="workspace:<name>, persona:<name>"
        )
        parser.add_argument(
            "--taken",
            choices=TAKEN,
            default="report",
            help="what to do with a slug that has another text here (default: report it and import nothing)",
        )
        parser.add_argument(
            "--resident",
            action="store_true",
            help="also put the notes before every session whose files say so; without it none is",
        )
        parser.add_argument("--dry-run", action="store_true", help="say what would happen, change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        user = whose(options["user"])
        home = where(user, options["namespace"])
        try:
            tree = tree_at(options["path"])
        except OSError as error:
            raise CommandError(f"{options['path']} cannot be read: {error.strerror}") from error
        how = {"taken": options["taken"], "resident": options["resident"]}
        plan = import_plan(namespace=home, tree=tree, **how)
        for line in lines(plan.problems):
            self.stderr.write(line)
        if not plan.is_sound:
            raise CommandError("Nothing was imported; see above.")
        if not options["dry_run"]:
            operator = Operator(user, "manage.py knowledge_import")
            try:
                plan = knowledge_import(
                    namespace_id=home.pk, user=operator, tree=tree, now=timezone.now(), **how
                ).plan
            except DomainError as error:
                raise CommandError(error.message) from error
        self._tell(plan, dry=options["dry_run"])

    def _tell(self, plan: Plan, *, dry: bool) -> None:
        if dry:
            self.stdout.write("Dry run, nothing was changed:")
        for step in plan.steps:
            self.stdout.write(f"  {step.act:7} #{step.note.slug}")
        if plan.summary_act:
            self.stdout.write(f"  {plan.summary_act:7} summary")
        asking = [step.note.slug for step in plan.resident if not step.note.model_invocation]
        if asking:
            self.stdout.write(f"Not put before sessions, though their files ask for it: {', '.join(asking)}.")
