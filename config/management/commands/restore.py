"""``manage.py restore FILE``: a backup into the empty database that DATABASE_URL names (design section 7).

Embedded servers come with their data folder, so there ``bin/up --restore FILE`` is the way.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from config import env
from config.backup import archive, postgres
from config.backup.archive import BackupError


class Command(BaseCommand):
    help = (
        "Load a backup into the empty database of DATABASE_URL, whole or not at all, bring it up to this version, and "
        "check its audit trail. Without DATABASE_URL use bin/up --restore FILE --data NEW_FOLDER."
    )
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        url = env.read().database_url
        if not url:
            raise CommandError(
                "Without DATABASE_URL a backup comes back together with a data folder: "
                "bin/up --restore FILE --data NEW_FOLDER"
            )
        try:
            with tempfile.TemporaryDirectory(prefix="hikae-restore-") as scratch:
                found = archive.read(options["file"], into=Path(scratch))
                if found.secret != settings.SECRET_KEY:
                    raise CommandError(
                        "This backup was made with another SECRET_KEY, without which its agent keys and its audit "
                        f"trail cannot be read. Set SECRET_KEY to what `tar -xOf FILE {archive.SECRET}` prints."
                    )
                connection.close()
                postgres.load(conninfo=url, dump=found.dump, environ=env.postgres())
                heads = Path(scratch) / "heads"
                heads.write_text("\n".join(found.manifest.get("audit_heads", [])), encoding="utf-8")
                call_command("migrate", verbosity=0, interactive=False)
                call_command("audit_verify", expect=heads.open(encoding="utf-8"), stdout=self.stdout)
        except (BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Restored what was backed up at {found.manifest.get('made_at')}.")
