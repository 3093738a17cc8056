"""``manage.py knowledge_lint PATH [--json]``: are these files good notes? Touches no database."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from knowledge.management.told import as_json, lines, tree_at

FINE, FLAWED, UNREADABLE = 0, 1, 2


class Command(BaseCommand):
    help = (
        "Check notes before they are imported: a folder, a zip or one file. "
        "Ends with 0 when they can be imported (warnings allowed), 1 when not, 2 when PATH cannot be read."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path)
        parser.add_argument("--json", action="store_true", help="one JSON object for programs")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            tree = tree_at(options["path"])
        except OSError as error:
            self.stderr.write(f"{options['path']} cannot be read: {error.strerror}")
            sys.exit(UNREADABLE)
        if options["json"]:
            self.stdout.write(as_json(tree, tree.problems))
        else:
            for line in lines(tree.problems):
                self.stdout.write(line)
            summary = "with a summary" if tree.summary is not None else "without a summary"
            notes, remarks = _counted(len(tree.notes), "note"), _counted(len(tree.problems), "remark")
            self.stdout.write(f"{notes}, {summary}, {remarks}.")
        if not tree.is_sound:
            sys.exit(FLAWED)


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
