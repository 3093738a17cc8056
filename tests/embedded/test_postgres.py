"""Every trap of the embedded PostgreSQL that was found by running it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import psycopg
import pytest

from config.embedded import sockets
from config.embedded.errors import EmbeddedError
from config.embedded.home import Home
from config.embedded.postgres import UNSAFE_AND_FAST, Postgres, check_japanese
from config.embedded.servers import assemble
from tests.embedded.conftest import make_postgres

Kill = Callable[[int | None], None]


def rows(server: Postgres) -> list[tuple[object, ...]]:
    with server.connect() as connection:
        return connection.execute("SELECT text FROM note ORDER BY 1").fetchall()


def test_rows_survive_a_killed_postmaster_and_the_next_start_is_up(postgres: Postgres, kill: Kill) -> None:
    with postgres.connect() as connection:
        connection.execute("CREATE TABLE note (text text)")
        connection.execute("INSERT INTO note VALUES ('控え'), ('kept')")
    killed = postgres.pid()
    kill(killed)
    assert not postgres.running()
    postgres.start()
    assert postgres.pid() != killed
    assert rows(postgres) == [("kept",), ("控え",)]


def test_a_zombie_is_not_taken_for_a_running_server(postgres: Postgres) -> None:
    postgres.stop()
    zombie = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, zombie.pid, os.WEXITED | os.WNOWAIT)  # ended, and not yet reaped
    write_lock(postgres, zombie.pid)
    assert not postgres.running()
    postgres.start()
    assert postgres.running()
    assert postgres.pid() != zombie.pid
    zombie.wait()


def test_another_program_with_the_old_process_id_is_not_taken_for_the_server(postgres: Postgres) -> None:
    postgres.stop()
    other = subprocess.Popen(["sleep", "60"], **postgres.run_as.popen())
    try:
        write_lock(postgres, other.pid)
        assert not postgres.running()
        postgres.start()
        assert postgres.running()
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


def write_lock(server: Postgres, pid: int) -> None:
    lock = server.folder / "postmaster.pid"
    lock.write_text(f"{pid}\n{server.folder}\n1700000000\n5432\n{server.socket_dir}\n\n")
    server.run_as.owns(server.folder)
    os.chown(lock, server.run_as.uid, server.run_as.gid)
    lock.chmod(0o600)


def test_a_running_server_is_adopted_not_started_twice(
    postgres: Postgres, home: Home, environ: dict[str, str]
) -> None:
    again = make_postgres(home, environ)
    assert again.create() is False
    again.start()
    assert again.pid() == postgres.pid()


@pytest.mark.parametrize("lang", ["C", "", "no_SUCH.UTF-8"])
def test_japanese_has_trigrams_whatever_lang_says(
    lang: str, home: Home, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LANG", "LC_ALL", "LC_CTYPE"):
        monkeypatch.setenv(name, lang)
    server = assemble(home, environ, throw_away=True).postgres
    assert server is not None
    server.create()
    server.start()
    server.ensure_database()
    with server.connect() as connection:
        found = connection.execute(
            "SELECT cardinality(show_trgm('日本語の検索')), current_setting('lc_ctype', true)"
        )
        assert found.fetchone() == (7, None)
        ctype = connection.execute("SELECT datctype FROM pg_database WHERE datname = current_database()")
        assert ctype.fetchone() == ("C.UTF-8",)


def test_a_database_without_a_unicode_ctype_is_refused(postgres: Postgres) -> None:
    with postgres.connect() as connection:
        connection.execute(
            "CREATE DATABASE blind TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER builtin "
            "BUILTIN_LOCALE 'C.UTF-8' LC_CTYPE 'C' LC_COLLATE 'C'"
        )
    with pytest.raises(EmbeddedError, match="cannot index Japanese"):
        check_japanese(sockets.database_url(postgres.socket_dir, "blind"))


def test_the_starters_pg_variables_do_not_reach_the_server(
    home: Home, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPORT", "6543")
    monkeypatch.setenv("PGDATA", "/nowhere")
    server = make_postgres(home, environ)
    server.create()
    server.start()
    assert (server.socket_dir / ".s.PGSQL.5432").exists()


def test_a_creation_that_was_cut_short_leaves_nothing_in_the_way(home: Home, environ: dict[str, str]) -> None:
    server = make_postgres(home, environ)
    half = home.folder / "postgres.new"
    half.mkdir()
    (half / "PG_VERSION").write_text("18\n")
    assert server.create() is True
    server.start()
    assert not half.exists()


def test_a_crash_may_cost_a_test_cluster_its_data_but_never_a_persons(
    home: Home, environ: dict[str, str]
) -> None:
    persons = assemble(home, environ).postgres
    assert persons is not None
    persons.create()
    persons.start()
    with persons.connect("postgres") as connection:
        found = {name: connection.execute(f"SHOW {name}").fetchone() for name in UNSAFE_AND_FAST}
    assert set(found.values()) == {("on",)}
    throw_away = assemble(home, environ, throw_away=True).postgres
    assert throw_away is not None
    assert set(throw_away.settings.values()) == {"off"}


def test_the_server_listens_on_no_network_and_its_socket_is_private(postgres: Postgres) -> None:
    with postgres.connect() as connection:
        assert connection.execute("SHOW listen_addresses").fetchone() == ("",)
    assert postgres.socket_dir.stat().st_mode & 0o077 == 0


def test_the_log_never_holds_a_statement_or_a_row(postgres: Postgres) -> None:
    with postgres.connect() as connection:
        connection.execute("CREATE TABLE note (text text UNIQUE)")
        connection.execute("INSERT INTO note VALUES ('EXAMPLE-words-of-a-person')")
        with pytest.raises(psycopg.errors.UniqueViolation):
            connection.execute("INSERT INTO note VALUES ('EXAMPLE-words-of-a-person')")
    log = postgres.log.read_text()
    assert "duplicate key" in log
    assert "words-of-a-person" not in log


def test_stopping_is_safe_when_nothing_runs_and_complete_when_something_does(postgres: Postgres) -> None:
    pid = postgres.pid()
    postgres.stop()
    assert not postgres.running()
    assert pid is not None
    postgres.stop()
    assert not postgres.answers()


def test_a_server_that_cannot_start_says_what_its_log_says(
    home: Home, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("config.embedded.postgres.START_SECONDS", 1.0)
    server = make_postgres(home, environ)
    server.create()
    (server.folder / "global" / "pg_control").unlink()
    with pytest.raises(EmbeddedError, match="PostgreSQL does not start") as caught:
        server.start()
    assert "pg_control" in str(caught.value)


def test_data_of_another_major_version_is_refused_in_words(home: Home, environ: dict[str, str]) -> None:
    server = make_postgres(home, environ)
    server.folder.mkdir()
    (server.folder / "PG_VERSION").write_text("15\n")
    with pytest.raises(EmbeddedError, match="made by PostgreSQL 15, but"):
        server.create()
