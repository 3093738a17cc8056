"""A unix socket's path is short, private and leads back to its data folder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import environ as django_environ
import pytest
import redis
from hypothesis import given
from hypothesis import strategies as st

from config import env
from config.embedded import sockets
from config.embedded.errors import EmbeddedError
from config.embedded.home import Home
from config.embedded.locate import urls
from config.embedded.run_as import RunAs
from tests.embedded.conftest import make_postgres, make_valkey

ME = RunAs(name="me", uid=os.geteuid(), gid=os.getegid())


@given(
    st.lists(st.text(min_size=1, max_size=40).filter(lambda s: "/" not in s and "\0" not in s), max_size=6)
)
def test_every_data_path_gives_a_socket_that_fits(parts: list[str]) -> None:
    try:
        folder = Path("/srv", *[part.encode("utf-8", "strict").decode() for part in parts])
    except UnicodeEncodeError:
        folder = Path("/srv")
    path = sockets.socket_dir(folder) / ".s.PGSQL.5432.lock"
    assert len(os.fsencode(path)) <= 104
    assert "," not in str(path)


def test_two_folders_never_share_a_socket() -> None:
    long = "x" * 120
    assert sockets.socket_dir(Path(f"/srv/{long}a")) != sockets.socket_dir(Path(f"/srv/{long}b"))


@pytest.mark.parametrize("name", ["n" * 90, "日本語 の, データ"])
def test_servers_start_whatever_the_folder_is_called(name: str, home: Home, environ: dict[str, str]) -> None:
    odd = Home(home.folder / name)
    odd.make()
    postgres, valkey = make_postgres(odd, environ), make_valkey(odd, environ)
    try:
        postgres.create()
        postgres.start()
        postgres.ensure_database()
        valkey.start()
        assert urls(odd.folder).database == postgres.url
        with redis.Redis.from_url(urls(odd.folder).redis) as client:
            assert client.ping()
        assert postgres.socket_dir.parent == Path("/tmp")
        assert postgres.socket_dir.stat().st_mode & 0o777 == 0o700
    finally:
        valkey.stop()
        postgres.stop()
        shutil.rmtree(postgres.socket_dir)


def test_a_socket_folder_that_somebody_else_made_is_refused(home: Home) -> None:
    target = home.folder / "target"
    target.mkdir()
    link = home.folder / "link"
    link.symlink_to(target)
    with pytest.raises(EmbeddedError, match="belongs to another user"):
        sockets.prepare(link, ME)


def test_an_open_socket_folder_is_closed(home: Home) -> None:
    folder = home.folder / "open"
    folder.mkdir(mode=0o777)
    sockets.prepare(folder, ME)
    assert folder.stat().st_mode & 0o777 == 0o700


def test_the_addresses_mean_the_same_to_django_redis_and_celery() -> None:
    folder = Path("/srv/Some-Where_1.x/run")
    parse: Callable[[str], dict[str, str]] = redis.connection.parse_url
    database = env.database(sockets.database_url(folder), pool=False)
    assert (database["HOST"], database["NAME"], database["USER"]) == (str(folder), "hikae", "hikae")
    assert str(database["PORT"]) == "5432"
    assert parse(sockets.redis_url(folder))["path"] == str(folder / "valkey.sock")
    broker = env.broker(sockets.redis_url(folder))
    assert broker == "redis+socket:///srv/Some-Where_1.x/run/valkey.sock?virtual_host=0"
    assert django_environ.Env.db_url_config(sockets.database_url(folder))["ENGINE"].endswith("postgresql")
