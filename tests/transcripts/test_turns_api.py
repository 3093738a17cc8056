"""`POST turns/`: stored as given after redaction, idempotent, one clear error each."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from core.models import AgentKey
from tests import build
from transcripts.models import AgentSession, Message, Turn

pytestmark = pytest.mark.django_db
URL = "/api/v1/turns/"


@pytest.fixture
def key() -> AgentKey:
    return build.key(build.person()).key


@pytest.fixture
def client() -> APIClient:
    return build.api(build.key(build.person()).secret)


def body(*texts: str, **kwargs: Any) -> dict[str, Any]:
    messages = [{"role": "user" if n % 2 == 0 else "assistant", "text": text} for n, text in enumerate(texts)]
    return {"session": "s1", "key": "t1", "messages": messages} | kwargs


def problem_codes(answer: Any) -> list[tuple[str, str]]:
    return [(each["field"], each["code"]) for each in answer.json()["error"]["details"]["problems"]]


def test_a_turn_is_stored_with_the_origin_of_each_role(client: APIClient) -> None:
    messages = [
        {"role": "system", "text": "You are a careful agent."},
        {"role": "user", "text": "Deploy on Fridays only after lunch."},
        {"role": "assistant", "text": "Understood."},
        {"role": "tool", "text": "exit 0"},
    ]
    answer = client.post(URL, body(messages=messages))
    assert answer.status_code == 201
    assert answer.json()["warnings"] == []
    turn = Turn.objects.get(pk=answer.json()["turns"][0]["id"])
    assert answer.json()["turns"] == [{"key": "t1", "id": turn.pk, "status": "created"}]
    assert [(m.role, m.origin, m.key) for m in build.messages(turn)] == [
        ("system", "system", "0"),
        ("user", "human", "1"),
        ("assistant", "agent", "2"),
        ("tool", "tool", "3"),
    ]
    assert turn.closed_at is not None
    assert turn.scan_state == "waiting"


def test_a_replay_gives_the_same_ids_and_stores_nothing(client: APIClient) -> None:
    first = client.post(URL, body("Use tabs.", "Done."))
    second = client.post(URL, body("Use tabs.", "Done."))
    assert (first.status_code, second.status_code) == (201, 200)
    assert second.json()["turns"] == [{**first.json()["turns"][0], "status": "replayed"}]
    assert Message.objects.count() == 2


def test_later_calls_append_messages_and_close_the_turn(client: APIClient) -> None:
    client.post(URL, body("Use tabs.", closed=False))
    assert Turn.objects.get().closed_at is None
    answer = client.post(URL, body("Use tabs.", "Done.", closed=False))
    assert answer.json()["turns"][0]["status"] == "extended"
    assert answer.status_code == 201
    closing = client.post(URL, body(messages=[]))
    assert closing.json()["turns"][0]["status"] == "extended"
    assert Turn.objects.get().closed_at is not None
    assert [m.index for m in build.messages(Turn.objects.get())] == [0, 1]
    assert client.post(URL, body(messages=[])).json()["turns"][0]["status"] == "replayed"


def test_a_known_message_with_another_text_is_refused_and_named(client: APIClient) -> None:
    client.post(URL, body("Use tabs.", "Done."))
    answer = client.post(URL, body("Use tabs.", "Not done.", "More."))
    assert answer.status_code == 409
    error = answer.json()["error"]
    assert error["code"] == "message_changed"
    assert (error["details"]["turn"], error["details"]["message_key"]) == ("t1", "1")
    assert error["details"]["field"] == "messages[1].text"
    assert Message.objects.count() == 2
    assert Message.objects.get(key="1").text == "Done."


def test_a_change_behind_a_redaction_is_a_change_too(client: APIClient) -> None:
    first, second = (f"The password is: hunter{n}EXAMPLExyz99" for n in (1, 2))
    assert client.post(URL, body(f"Key AKIAEXAMPLE1234567{1}A ok. {first}")).status_code == 201
    assert client.post(URL, body(f"Key AKIAEXAMPLE1234567{1}A ok. {second}")).status_code == 409


def test_one_bad_turn_of_a_batch_stores_nothing_and_all_are_named(client: APIClient) -> None:
    turns = [
        body("Fine."),
        body("x", key="t2", colour="red"),
        body(key="t3", messages=[{"role": "user", "text": " "}, {"role": "narrator", "text": "x"}]),
        body(key="t4", messages=[{"role": "user"}]),
        body(key="t5", messages=[{"role": "user", "text": "x", "origin": "injected"}]),
    ]
    answer = client.post(URL, {"turns": turns})
    assert answer.status_code == 422
    assert problem_codes(answer) == [
        ("turns[1].colour", "unknown_field"),
        ("turns[3].messages[0].text", "required"),
        ("turns[2].messages[0].text", "text_empty"),
        ("turns[2].messages[1].role", "unknown_role"),
        ("turns[4].messages[0].origin", "origin_injected"),
    ]
    assert not AgentSession.objects.exists()
    assert not Turn.objects.exists()
