"""``manage.py knowledge_export PATH --user U --namespace REF``: notes and summary as a folder or a zip."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from knowledge.management.told import where, whose
from knowledge.notes.packing import zipped
from knowledge.services.exporting import knowledge_export

# The oldest moment that a zip can name: an export says what is there, not when somebody looked.
ALWAYS = datetime(1980, 1, 1, tzinfo=UTC)


class Command(BaseCommand):
    help = "Write knowledge/<slug>.md and memory/summary.md of a namespace into a new folder, or into a .zip."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "path", type=Path, help="a folder that is empty or not there yet, or a name with .zip"
        )
        parser.add_argument("--user", required=True, help="whose namespace, or who is a member of it")
        parser.add_argument(
            "--namespace", required=True, metavar="REF", help="workspace:<name>, persona:<name>"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["path"]
        files = knowledge_export(namespace=where(whose(options["user"]), options["namespace"]))
        try:
            if path.suffix.lower() == ".zip":
                with path.open("xb") as file:
                    file.write(zipped(files, at=ALWAYS))
            else:
                _folder(path, files)
        except FileExistsError as error:
            raise CommandError(f"{path} is there already; nothing was written.") from error
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror}") from error
        self.stdout.write(f"{len(files)} files are in {path}.")


def _folder(path: Path, files: list[tuple[str, bytes]]) -> None:
    path.mkdir(parents=True, exist_ok=True)
    if any(path.iterdir()):
        raise FileExistsError(path)
    for name, data in files:
        file = path / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(data)
