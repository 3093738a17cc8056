"""``manage.py backup PATH``: everything of this installation in one file, while it runs (design section 7)."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from psycopg.conninfo import make_conninfo

from config import env
from config.backup import archive, postgres
from config.backup.archive import BackupError
from core.services import audit


class Command(BaseCommand):
    help = (
        "Write the database and the installation's secret into one file, without stopping anything. Keep it as private "
        "as the database. bin/up --restore FILE brings it back into a new data folder."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "path", type=Path, help="a new file, or a folder in which the file is named by the time"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        path: Path = options["path"]
        if path.is_dir():
            path = path / f"hikae-{now:%Y%m%d-%H%M%S}.tar"
        if path.exists():
            raise CommandError(f"{path} exists already; a backup overwrites nothing.")
        if not path.parent.is_dir():
            raise CommandError(f"There is no folder {path.parent}.")
        try:
            # Beside the file: /tmp may be small, and a dump is no text for it.
            with tempfile.TemporaryDirectory(prefix=".hikae-backup-", dir=path.parent) as scratch:
                dump = Path(scratch) / archive.DUMP
                facts = self._dump(dump)
                archive.write(
                    path, dump=dump, secret=settings.SECRET_KEY, facts={"made_at": now.isoformat(), **facts}
                )
        except (BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{path}: {path.stat().st_size:,} bytes, with the secret key. Keep it private.")

    def _dump(self, to: Path) -> dict[str, Any]:
        """Dump, and say of the same moment: the migrations, and where each audit chain ended."""
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                cursor.execute("SELECT pg_export_snapshot(), current_setting('server_version')")
                snapshot, version = cursor.fetchone()
            applied = MigrationRecorder(connection).applied_migrations()
            facts = {
                "postgres": version,
                "migrations": sorted(f"{app}.{name}" for app, name in applied),
                "audit_heads": [f"{head.stream} {head.seq} {head.mac}" for head in audit.heads()],
            }
            postgres.dump(conninfo=_conninfo(), to=to, snapshot=snapshot, environ=env.postgres())
        return facts


def _conninfo() -> str:
    known = {
        "dbname",
        "user",
        "password",
        "host",
        "port",
        "sslmode",
        "sslrootcert",
        "sslcert",
        "sslkey",
        "service",
    }
    given = connection.get_connection_params()
    return make_conninfo(**{name: value for name, value in given.items() if name in known and value})
