"""A secret in a conversation is in no table, no error and no answer (lessons row 20)."""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.utils import timezone

from core.services.keys import NewKey
from tests import build
from transcripts.inputs import MessageIn, Shown, TurnIn
from transcripts.models import Message, Turn
from transcripts.services import scans
from transcripts.services.compactions import compaction_accept
from transcripts.services.exposures import exposure_record
from transcripts.services.imports import transcript_import

pytestmark = pytest.mark.django_db
SECRET = "ghp_EXAMPLEexampleEXAMPLEexample012345678"


@pytest.fixture
def new() -> NewKey:
    return build.key(build.person())


def tables_holding(needle: str) -> list[str]:
    """Every column of every table that shows the needle as text; JSON and arrays included."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name FROM information_schema.columns"
            " JOIN information_schema.tables USING (table_schema, table_name)"
            " WHERE table_schema = 'public' AND table_type = 'BASE TABLE'"
        )
        found = []
        for table, column in cursor.fetchall():
            name, field = connection.ops.quote_name(table), connection.ops.quote_name(column)
            cursor.execute(f"SELECT 1 FROM {name} WHERE position(%s in {field}::text) > 0 LIMIT 1", [needle])
            if cursor.fetchone():
                found.append(f"{table}.{column}")
    return found


def test_the_search_of_this_test_finds_what_is_there(new: NewKey) -> None:
    build.turn(new.key, "a word like hippopotamus")
    assert tables_holding("hippopotamus") == ["transcripts_message.text"]


def test_a_secret_sent_in_a_turn_is_in_no_table(new: NewKey) -> None:
    client = build.api(new.secret)
    text = f"Use this token: {SECRET} for the release. 必ず使う。"
    turn = {"session": "s1", "key": "t1", "messages": [{"role": "user", "text": text}]}
    answer = client.post("/api/v1/turns/", turn)
    assert SECRET not in answer.content.decode()
    message = Message.objects.get()
    assert message.text == "Use this token: [redacted:github-token] for the release. 必ず使う。"
    (mark,) = message.redactions
    assert message.text[mark["start"] : mark["end"]] == "[redacted:github-token]"
    assert mark["type"] == "github-token"
    assert client.post("/api/v1/turns/", turn).status_code == 200  # known, though the text is gone
    assert tables_holding(SECRET) == []


def test_a_secret_in_a_refused_call_is_not_repeated_in_the_answer(new: NewKey) -> None:
    client = build.api(new.secret)
    message = {"role": "user", "text": SECRET, "origin": "injected"}
    answer = client.post("/api/v1/turns/", {"session": "s1", "key": "t1", "messages": [message]})
    assert answer.status_code == 422
    assert SECRET not in answer.content.decode()


def test_a_secret_torn_by_a_fence_is_found_when_the_fence_is_gone(new: NewKey) -> None:
    torn = f"{SECRET[:12]}<system-reminder>x</system-reminder>{SECRET[12:]}"
    build.turn(new.key, f"Take {torn} please")
    assert Message.objects.get().text == "Take [redacted:github-token] please"
    assert tables_holding(SECRET) == []


def test_compactions_imports_exposures_and_errors_keep_no_secret_either(new: NewKey) -> None:
    now = timezone.now()
    compaction_accept(
        agent_key=new.key,
        session="s1",
        key=None,
        trigger="auto",
        through=None,
        messages=[MessageIn("tool", f"env: {SECRET}")],
        now=now,
    )
    line = {"session": "old", "key": "t1", "messages": [{"role": "user", "text": f"token {SECRET}"}]}
    transcript_import(user=new.key.user, data=json.dumps(line).encode(), filename="x.jsonl", now=now)
    shown = Shown("memory", "1", 1, f"the token is {SECRET}")
    exposure_record(session=None, agent_key=new.key, path="recall", items=[shown], now=now)
    build.session(new.key, "s2")
    build.turn(new.key, "fails", session="s2", now=now)
    job = scans.claim(now=now, session_id=Turn.objects.get(session__key="s2").session_id)
    assert job is not None
    scans.fail(job, error=f"could not send {SECRET}", now=now)
    assert Message.objects.count() == 3
    assert tables_holding(SECRET) == []


def test_texts_differ_by_their_secret_alone(new: NewKey) -> None:
    client = build.api(new.secret)
    other = SECRET.replace("012345678", "876543210")
    for text, status in ((SECRET, 201), (other, 409)):
        turn = {"session": "s1", "key": "t1", "messages": [{"role": "user", "text": f"token {text}"}]}
        assert client.post("/api/v1/turns/", turn).status_code == status


def test_honest_sentences_about_keys_survive(new: NewKey) -> None:
    text = "Never commit the API key; the password policy asks for 12 characters."
    build.store(new.key, TurnIn("s1", "t1", [MessageIn("user", text)], closed=True))
    assert Message.objects.get().text == text
