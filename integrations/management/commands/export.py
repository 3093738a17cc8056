"""``manage.py export``: a namespace as an archive, or as MEMORY.md."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from core.actor import Actor
from core.errors import DomainError
from core.selectors.access import namespace_for_user
from integrations.services.archive_export import MEMORY_FILE_TOKENS, archive_export, memory_file_render


class Command(BaseCommand):
    help = (
        "Write everything of a namespace as one zip that manage.py import brings back (docs/export.md), or with "
        "--memory-md what is approved as Markdown."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("namespace", help="such as workspace:api")
        parser.add_argument("--user", required=True, help="an owner of the namespace")
        parser.add_argument(
            "--to", type=Path, required=True, metavar="FILE", help="where to write; replaced whole"
        )
        parser.add_argument("--memory-md", action="store_true", help="MEMORY.md instead of an archive")
        parser.add_argument(
            "--budget",
            type=int,
            default=MEMORY_FILE_TOKENS,
            help=f"tokens of memories in MEMORY.md; default {MEMORY_FILE_TOKENS}",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["user"]).first()
        if user is None:
            raise CommandError(f"There is no user {options['user']}.")
        if options["budget"] < 0:
            raise CommandError("--budget must not be negative.")
        target: Path = options["to"]
        try:
            space = namespace_for_user(user=user, reference=options["namespace"])
            with tempfile.NamedTemporaryFile(
                dir=target.parent, delete=False
            ) as file:  # private to who runs it
                try:
                    if options["memory_md"]:
                        said = memory_file_render(namespace_id=space.pk, user=user, budget=options["budget"])
                        file.write(said.encode())
                    else:
                        archive_export(
                            namespace_id=space.pk,
                            user=user,
                            target=file,
                            actor=Actor.operator("export"),
                            now=timezone.now(),
                        )
                    file.close()
                    os.replace(file.name, target)
                except BaseException:
                    os.unlink(file.name)
                    raise
        except DomainError as error:
            raise CommandError(error.message) from error
        except OSError as error:
            raise CommandError(f"{target} cannot be written: {error.strerror}") from error
        self.stdout.write(f"{space} → {target}")
