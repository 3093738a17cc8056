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
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import django
import pytest
from pytest_django import DjangoDbBlocker, Settings

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

from django.conf import settings as configured  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.test import TransactionTestCase  # noqa: E402
from django.utils import timezone, translation  # noqa: E402

from core.llm.scripted import ScriptedServer  # noqa: E402
from core.models import AgentKey, Namespace  # noqa: E402
from tests import build  # noqa: E402

# A hash that is slow on purpose would be most of what the tests of signing in take.
configured.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """At the end nobody may hold the database that is dropped: not a thread of a test, nor a worker just killed."""
    yield
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


# The tests' own tables of Django, which stay as the migrations have filled them.
_KEPT = {"django_content_type", "auth_permission"}
_MANY = 500  # rows beyond which the pages they leave behind would mislead the planner


def _empty(case: TransactionTestCase) -> None:
    """Empty what a test has committed, in a tenth of the time that truncating eighty tables takes.

    The lock waits for what the live server still writes, as TRUNCATE did. No trigger runs: the audit trail would
    refuse, and the daily sums would be counted down row by row.
    """
    names = [
        name for name in connection.introspection.django_table_names(only_existing=True) if name not in _KEPT
    ]
    tables = [connection.ops.quote_name(name) for name in names]
    swollen = []
    with connection.cursor() as cursor:
        with transaction.atomic():
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute(f"LOCK TABLE {', '.join(tables)} IN ACCESS EXCLUSIVE MODE")
            for table in tables:
                cursor.execute(f"DELETE FROM {table}")
                if cursor.rowcount > _MANY:
                    swollen.append(table)
        if swollen:
            cursor.execute(f"VACUUM {', '.join(swollen)}")


TransactionTestCase._fixture_teardown = _empty  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def _nobodys_language() -> Iterator[None]:
    """A page that was asked for in Japanese leaves its thread in Japanese, and in the reader's time zone."""
    yield
    translation.deactivate()
    timezone.deactivate()


# --- what most rooms need; a file that means something else by a name defines it for itself ---


@pytest.fixture
def alice() -> User:
    """A person with ``persona:default``."""
    return build.person("alice")


@pytest.fixture
def bob() -> User:
    """Another one; the stranger, unless a test lets him in."""
    return build.person("bob")


@pytest.fixture
def now() -> datetime:
    return timezone.now()


@pytest.fixture
def key(alice: User) -> AgentKey:
    """Alice's key, with every scope."""
    return build.key(alice).key


@pytest.fixture
def api(alice: User) -> Namespace:
    """A workspace of hers."""
    return build.workspace(alice, "api")


@pytest.fixture
def shop(alice: User) -> Namespace:
    """Another workspace of hers."""
    return build.workspace(alice, "shop")


@pytest.fixture
def model(settings: Settings) -> Iterator[ScriptedServer]:
    """A language model that says what the test wrote for it; nothing yet."""
    with ScriptedServer([]) as server:
        settings.EXTRACTOR = "llm"
        settings.LLM_BASE_URL = server.base_url
        settings.LLM_MODEL = "scripted"
        settings.LLM_API_KEY = "EXAMPLE"
        yield server
