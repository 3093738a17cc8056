"""An import holds nothing while it thinks, and takes its locks in the order of everybody else."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests import build
from transcripts.inputs import MessageIn, Voice
from transcripts.models import AgentSession, Message
from transcripts.services import imports, imports_read
from transcripts.services.prepare import Prepared, prepare


def turns(*sessions: str) -> bytes:
    rows = [
        {"session": name, "key": "t1", "messages": [{"role": "user", "text": f"Use tabs in {name}."}]}
        for name in sessions
    ]
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def take(user: User, data: bytes, workspace: str | None = None) -> imports.ImportReport:
    return imports.transcript_import(
        user=user, data=data, filename="x.jsonl", workspace=workspace, now=timezone.now()
    )


@pytest.mark.django_db(transaction=True)
def test_texts_are_redacted_before_any_row_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    inside: list[bool] = []

    def watched(messages: Sequence[MessageIn], voice: Voice) -> list[Prepared]:
        inside.append(connection.in_atomic_block)
        return prepare(messages, voice)

    monkeypatch.setattr(imports_read, "prepare", watched)
    assert take(build.person(), turns("a", "b")).messages_new == 2
    assert inside == [False, False]


@pytest.mark.django_db
def test_homes_are_made_before_sessions_are_locked() -> None:
    alice = build.person()
    take(alice, turns("b"))  # known already: its row is locked as well
    with CaptureQueriesContext(connection) as queries:
        report = take(alice, turns("b", "a", "c"), workspace="fresh")
    said = [query["sql"] for query in queries.captured_queries]
    homes = [n for n, sql in enumerate(said) if "core_namespace" in sql and sql.startswith("INSERT")]
    rows = [n for n, sql in enumerate(said) if "FOR NO KEY UPDATE" in sql and "agentsession" in sql]
    assert len(homes) == 1
    assert len(rows) == 1  # all sessions at once, in the order of their ids
    assert homes[0] < rows[0]
    assert (report.sessions_new, report.sessions_known) == (2, 1)
    assert report.skipped["workspace_of_a_known_session"] == 1


@pytest.mark.django_db
def test_a_stranger_with_the_same_keys_has_sessions_of_their_own() -> None:
    alice, charlie = build.person(), build.person("charlie")
    take(alice, turns("a"))
    assert take(charlie, turns("a")).sessions_new == 1
    assert AgentSession.objects.visible_to(charlie).count() == 1
    assert Message.objects.filter(session__user=alice).count() == 1
