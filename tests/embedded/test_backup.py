"""A backup holds everything of a moment and comes back whole: real pg_dump, real databases, a real new folder."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from psycopg import sql

from config.backup import archive
from config.backup.archive import BackupError
from config.embedded import restoring
from config.embedded.errors import EmbeddedError
from config.embedded.home import Home
from config.embedded.postgres import Postgres
from config.embedded.servers import Servers
from config.embedded.up import parse
from memory.models import Memory
from tests import build
from tests.review.scene import remembered

pytestmark = [pytest.mark.servers, pytest.mark.django_db(transaction=True)]

ROOT = Path(__file__).resolve().parent.parent.parent
TEXT = "請求書の端数は税率ごとに一回だけ切り捨てる。"


@pytest.fixture
def alice() -> User:
    """Somebody with an agent key, a conversation and a memory."""
    alice = build.person("alice")
    key = build.key(alice).key
    build.turn(key, "これからは pnpm を使う。")
    remembered(alice, build.workspace(alice, "billing"), TEXT)
    return alice


@pytest.fixture
def backup(alice: User, tmp_path: Path) -> Path:
    file = tmp_path / "hikae.tar"
    call_command("backup", file)
    return file


@pytest.fixture
def empty() -> Iterator[str]:
    """The address of a database with nothing in it, beside that of the tests."""
    name = f"{connection.settings_dict['NAME']}_back"
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)).as_string())
        cursor.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)).as_string())
    yield os.environ["DATABASE_URL"].rpartition("/")[0] + f"/{name}"
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)).as_string())


def restore(file: Path, database: str, secret: str = settings.SECRET_KEY) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "restore", str(file)],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": database, "SECRET_KEY": secret},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def memories(database: str) -> list[tuple[object, ...]]:
    with psycopg.connect(database) as there:
        return there.execute("SELECT id, content, version FROM memory_memory ORDER BY id").fetchall()


def test_the_file_is_private_and_names_what_it_holds(backup: Path, tmp_path: Path) -> None:
    assert backup.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["hikae.tar"]
    with tarfile.open(backup) as tar:
        assert tar.getnames() == ["manifest.json", "secret.key", "database.dump"]
        assert {(each.uid, each.uname, each.mode) for each in tar.getmembers()} == {(0, "", 0o600)}
    found = archive.read(backup, into=tmp_path)
    assert found.secret == settings.SECRET_KEY
    assert any(each.startswith("memory.0001") for each in found.manifest["migrations"])
    assert any(each.startswith("ns:") for each in found.manifest["audit_heads"])
    assert TEXT not in str(found.manifest)


def test_a_folder_gets_a_file_named_by_the_time_and_nothing_is_overwritten(
    alice: User, tmp_path: Path
) -> None:
    call_command("backup", tmp_path)
    (made,) = tmp_path.iterdir()
    assert made.name.startswith("hikae-")
    with pytest.raises(CommandError, match="exists already"):
        call_command("backup", made)
    with pytest.raises(CommandError, match="no folder"):
        call_command("backup", tmp_path / "nowhere" / "hikae.tar")


def test_it_comes_back_into_an_empty_database_with_its_audit_trail(backup: Path, empty: str) -> None:
    done = restore(backup, empty)
    assert done.returncode == 0, done.stderr
    assert "all chains hold" in done.stdout
    assert memories(empty) == list(Memory.objects.order_by("pk").values_list("pk", "content", "version"))


def test_a_database_in_use_and_another_secret_are_refused(backup: Path, empty: str) -> None:
    other = restore(backup, empty, secret="another-EXAMPLE-secret-of-fifty-letters-and-more-words")
    assert other.returncode == 1
    assert "another SECRET_KEY" in other.stderr
    with psycopg.connect(empty, autocommit=True) as there:
        there.execute("CREATE TABLE somebody_elses (id int)")
    full = restore(backup, empty)
    assert full.returncode == 1
    assert "holds 1 tables already" in full.stderr
    with psycopg.connect(empty) as there:
        assert there.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (1,)


def test_it_comes_back_into_a_new_data_folder(backup: Path, home: Home, postgres: Postgres) -> None:
    servers = Servers(postgres=postgres, valkey=None, run_as=postgres.run_as)
    restoring.adopt_secret(backup, home, {})
    assert home.secret_key.read_text().strip() == settings.SECRET_KEY
    restoring.adopt_secret(backup, home, {})  # a start that was interrupted is repeated
    restoring.load(backup, home, servers)
    assert [content for _id, content, _version in memories(postgres.url)] == [TEXT]
    with pytest.raises(EmbeddedError, match="tables already"):
        restoring.load(backup, home, servers)


def test_a_folder_with_a_secret_of_its_own_is_left_alone(backup: Path, home: Home) -> None:
    home.secret_key.write_text("its-own-EXAMPLE\n")
    with pytest.raises(EmbeddedError, match="in use already"):
        restoring.adopt_secret(backup, home, {})
    assert home.secret_key.read_text() == "its-own-EXAMPLE\n"
    with pytest.raises(EmbeddedError, match="SECRET_KEY is set"):
        restoring.adopt_secret(backup, home, {"SECRET_KEY": "another-EXAMPLE"})


def test_a_damaged_file_and_any_other_file_are_no_backup(backup: Path, tmp_path: Path) -> None:
    raw = bytearray(backup.read_bytes())
    raw[raw.index(b"PGDMP") + 2_000] ^= 0xFF
    (tmp_path / "damaged.tar").write_bytes(raw)
    (tmp_path / "letter.tar").write_text("Dear Alice")
    (tmp_path / "short.tar").write_bytes(backup.read_bytes()[:5_000])
    with tarfile.open(tmp_path / "other.tar", "w") as tar:
        tar.add(tmp_path / "letter.tar", "letter")
    for name in ("damaged", "letter", "short", "other", "missing"):
        into = tmp_path / name
        into.mkdir()
        with pytest.raises(BackupError, match="tar"):
            archive.read(tmp_path / f"{name}.tar", into=into)


def test_a_backup_and_the_demonstration_do_not_mix(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(["--demo", "--restore", "hikae.tar"], {})
    assert "exclude each other" in capsys.readouterr().err
    assert parse(["--restore", "hikae.tar"], {}).restore == Path("hikae.tar").resolve()
