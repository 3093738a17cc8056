"""A secret that was typed is nowhere afterwards: every text of the database is looked at (lessons row 20)."""

from __future__ import annotations

import json
import logging
from unittest import mock

import pytest
from celery import current_app
from django.db import connection
from django.utils import timezone

from memory.models import Candidate
from memory.services import extractors
from tests import build
from tests.memory.pipeline import scan_all

pytestmark = pytest.mark.django_db

SECRET = "ghp_EXAMPLEexampleEXAMPLEexampleEXAMPLE12"
SENTENCES = [
    f"We always deploy with the token {SECRET}, never by hand.",
    f"今後デプロイには必ず {SECRET} を使ってください。",
    f"Please set GITHUB_TOKEN={SECRET} in the deploy job.",
    "We use pnpm here, not npm, because the lockfiles keep clashing.",
]


def every_text_of_the_database() -> str:
    """All rows of all tables of ours, as JSON text."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        tables = [name for (name,) in cursor.fetchall()]
        assert len(tables) > 20
        found = []
        for table in tables:
            cursor.execute(f'SELECT to_jsonb(t)::text FROM "{table}" t')
            found += [row for (row,) in cursor.fetchall()]
    return "\n".join(found)


@pytest.fixture
def sent() -> list[object]:
    return []


def test_it_reaches_no_table_no_log_and_no_queue(
    caplog: pytest.LogCaptureFixture, sent: list[object], django_capture_on_commit_callbacks: object
) -> None:
    caplog.set_level(logging.DEBUG)
    key = build.key(build.person())
    client = build.api(key.secret)

    def keep(*args: object, **kwargs: object) -> None:
        sent.append((args, kwargs))

    with (
        mock.patch.object(current_app, "send_task", keep),
        django_capture_on_commit_callbacks(execute=True),  # type: ignore[operator]
    ):
        client.post("/api/v1/sessions/", {"key": "s1", "workspace": {"name": "api"}})
        for number, text in enumerate(SENTENCES):
            body = {
                "session": "s1",
                "key": f"t{number}",
                "messages": [{"role": "user", "text": text}, {"role": "tool", "text": f"token: {SECRET}"}],
            }
            assert client.post("/api/v1/turns/", body).status_code == 201
        proposed = {"kind": "fact", "content": SENTENCES[0], "session": "s1", "quote": SENTENCES[0]}
        assert client.post("/api/v1/candidates/", proposed).status_code == 201
    assert scan_all() == len(SENTENCES)

    everything = every_text_of_the_database()
    assert "pnpm" in everything
    assert SECRET not in everything
    assert SECRET[8:] not in everything
    assert SECRET not in caplog.text
    assert sent
    assert "pnpm" not in json.dumps(sent, default=str)
    assert SECRET not in json.dumps(sent, default=str)
    scanned = Candidate.objects.exclude(source="remember")
    assert [c.content for c in scanned] == [SENTENCES[-1]]


def test_not_even_when_the_scan_fails(caplog: pytest.LogCaptureFixture) -> None:
    build.session(key := build.key(build.person()).key)
    turn = build.turn(key, "Hello.", now=timezone.now())
    with mock.patch.object(extractors, "run", side_effect=RuntimeError(f"bad value {SECRET}")):
        scan_all()
    turn.refresh_from_db()
    assert turn.error.startswith("RuntimeError: bad value [redacted:")
    assert SECRET not in every_text_of_the_database()
    assert SECRET not in caplog.text
