"""One real PostgreSQL and one real Valkey for the whole run, unless the environment names others.

The servers start while this file is imported, because Django's settings are read right after. Under xdist
only the controller starts them; the workers inherit the addresses, pytest-django gives each its own
database, and each takes a Valkey database number of its own.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

import django
import pytest
import pytest_django

from config.embedded import processes, translations
from config.embedded.errors import EmbeddedError
from config.embedded.home import Home
from config.embedded.servers import Servers, assemble

_PREFIX = "hikae-test-"
_OURS = "HIKAE_TEST_VALKEY"  # tells xdist's workers that the Valkey is ours to divide
# pytest's own folders are private to who runs it, and the servers may run as somebody else: use /tmp itself.
_ROOM = Path(tempfile.gettempdir())


def _start() -> None:
    os.environ.setdefault("HIKAE_TESTING", "true")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if worker and os.environ.get(_OURS):
        os.environ["REDIS_URL"] = f"{os.environ[_OURS]}?db={int(worker.removeprefix('gw')) % 15 + 1}"
    if os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL"):
        return
    _compile_translations()
    _sweep()
    data = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=_ROOM))
    home = Home(data)
    home.make()
    servers = assemble(home, os.environ, throw_away=True)
    atexit.register(_stop, servers, data, os.getpid())
    servers.start()
    if servers.postgres is not None:
        os.environ["DATABASE_URL"] = servers.postgres.url
    if servers.valkey is not None:
        os.environ["REDIS_URL"] = servers.valkey.url
        os.environ[_OURS] = servers.valkey.url.partition("?")[0]
    os.environ["HIKAE_DATA"] = str(data)


def _compile_translations() -> None:
    """A fresh clone holds no compiled catalogues, and pages are tested in Japanese, too."""
    translations.compile_all(Path(__file__).resolve().parent.parent / "locale")


def _stop(servers: Servers, data: Path, owner: int) -> None:
    if os.getpid() != owner:  # a forked test process is not the one that started them
        return
    servers.stop()
    shutil.rmtree(data, ignore_errors=True)


def _sweep() -> None:
    """Stop what an earlier run left behind when it was killed."""
    for folder in _ROOM.glob(f"{_PREFIX}*-*"):
        pid = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if not pid.isdecimal() or processes.alive(int(pid)) or folder.stat().st_uid != os.geteuid():
            continue
        try:
            assemble(Home(folder), os.environ, throw_away=True).stop()
        except EmbeddedError as error:
            print(f"could not clean {folder}: {error}")
        shutil.rmtree(folder, ignore_errors=True)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "servers: starts real servers of its own; seconds rather than milliseconds"
    )


_start()
# Now, and not in a hook: conftests further down import models while they are loaded.
django.setup()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: pytest_django.DjangoDbBlocker) -> None:
    """Tests that commit are cleaned by TRUNCATE, which the audit trail refuses: allow it here alone."""
    from django.db import connection

    with django_db_blocker.unblock():
        name = connection.ops.quote_name(connection.settings_dict["NAME"])
        with connection.cursor() as cursor:
            cursor.execute(f"ALTER DATABASE {name} SET hikae.allow_truncate = 'on'")
            cursor.execute("SET hikae.allow_truncate = 'on'")
