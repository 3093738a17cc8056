"""`POST compactions/`: the window is safe before it is summarised away, and nothing is scanned twice."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from core.models import AgentKey
from core.services.keys import NewKey
from tests import build
from transcripts.inputs import MessageIn
from transcripts.models import Compaction, Message, Turn
from transcripts.selectors.windows import window_of
from transcripts.services import scans
from transcripts.services.pins import turn_pin

pytestmark = pytest.mark.django_db
URL = "/api/v1/compactions/"


@pytest.fixture
def new() -> NewKey:
    new = build.key(build.person())
    build.session(new.key)
    return new


@pytest.fixture
def key(new: NewKey) -> AgentKey:
    return new.key


@pytest.fixture
def client(new: NewKey) -> APIClient:
    return build.api(new.secret)


def said(text: str, role: str = "user", **kwargs: Any) -> dict[str, Any]:
    return {"role": role, "text": text} | kwargs


def post(client: APIClient, *messages: dict[str, Any], **kwargs: Any) -> Any:
    return client.post(URL, {"session": "s1", "trigger": "auto", "messages": list(messages)} | kwargs)


def scope(now: datetime) -> list[str]:
    """Claim the next scan, report it done, and tell what was in scope."""
    job = scans.claim(now=now)
    assert job is not None
    window = window_of(job)
    scans.finish(job, message_ids=window.in_scope_ids, now=now)
    return [each.message.text for each in window.messages if each.in_scope]


def test_messages_without_keys_are_stored_as_often_as_they_are_missing(
    client: APIClient, key: AgentKey
) -> None:
    build.turn(key, "yes", build.agent("ok"), closed=False)
    answer = post(client, said("yes"), said("ok", "assistant"), said("yes"), said("and tabs"))
    assert answer.status_code == 202
    assert answer.json()["status"] == "accepted"
    assert answer.json()["stored"] == 2
    assert sorted(Message.objects.values_list("text", flat=True)) == ["and tabs", "ok", "yes", "yes"]
    again = post(client, said("yes"), said("ok", "assistant"), said("yes"), said("and tabs"))
    assert again.json() == {**answer.json(), "status": "replayed", "stored": 0}
    assert Message.objects.count() == 4


def test_messages_with_keys_are_known_anywhere_in_the_session(client: APIClient, key: AgentKey) -> None:
    build.turn(key, build.human("Use tabs.", key="u1"), closed=False)
    answer = post(client, said("Use tabs.", key="u1"), said("Use LF.", key="u2"), key="c1")
    assert answer.json()["stored"] == 1
    changed = post(client, said("Use spaces.", key="u1"), key="c2")
    assert changed.status_code == 409
    assert changed.json()["error"]["details"]["field"] == "messages[0].text"
    assert not Compaction.objects.filter(key="c2").exists()


def test_a_compaction_comes_behind_the_turns_that_ended_before_it_and_covers_the_open_one(
    client: APIClient, key: AgentKey, now: datetime
) -> None:
    """Whatever the workers have done by then: the same turns are read one by one, the same rest as a window."""
    build.turn(key, "closed", name="t1", now=now)
    build.turn(key, "still open", name="t2", closed=False, now=now)
    post(client)
    now = timezone.now()
    read = []
    for kind in ("turn", "compaction"):
        job = scans.claim(now=now)
        assert job is not None
        assert job.kind == kind
        window = window_of(job)
        read.append([each.message.text for each in window.messages if each.in_scope])
        scans.finish(job, message_ids=window.in_scope_ids, now=now)
    assert read == [["closed"], ["still open"]]
    assert Compaction.objects.get().scan_state == "done"
    assert scans.claim(now=now) is None


def test_a_compaction_and_what_it_waits_for_come_before_other_sessions(
    client: APIClient, key: AgentKey, now: datetime
) -> None:
    build.turn(key, "elsewhere", session="other", now=now - timedelta(minutes=5))
    build.turn(key, "closed", name="t1", now=now)
    post(client)
    job = scans.claim(now=timezone.now())
    assert job is not None
    assert [each.message.text for each in window_of(job).messages if each.in_scope] == ["closed"]


def test_a_compaction_waits_for_a_turn_that_is_tried_again_and_not_for_one_that_failed_for_good(
    client: APIClient, key: AgentKey, now: datetime
) -> None:
    turn = build.turn(key, "closed", name="t1", now=now)
    post(client)
    now = timezone.now()
    Turn.objects.filter(pk=turn.pk).update(due_at=now + timedelta(minutes=2), attempts=2)
    assert scans.claim(now=now) is None
    Turn.objects.filter(pk=turn.pk).update(scan_state="dead")
    job = scans.claim(now=now)
    assert job is not None
    assert job.kind == "compaction"


def test_a_long_window_is_scanned_in_batches_of_sixty(client: APIClient, now: datetime) -> None:
    post(client, *(said(f"rule number {n}") for n in range(130)))
    now = timezone.now()
    seen = []
    for more, size in ((True, 60), (True, 60), (False, 10)):
        job = scans.claim(now=now)
        assert job is not None
        window = window_of(job)
        assert window.more is more
        texts = [each.message.text for each in window.messages if each.in_scope]
        assert len(texts) == size
        seen += texts
        scans.finish(job, message_ids=window.in_scope_ids, now=now)
        assert Compaction.objects.get().scan_state == ("waiting" if more else "done")
    assert seen == [f"rule number {n}" for n in range(130)]
    assert scans.claim(now=now) is None


def test_through_limits_the_range(client: APIClient, key: AgentKey) -> None:
    build.turn(key, build.human("one", key="u1"), build.human("two", key="u2"), closed=False)
    assert post(client, through="u1").status_code == 202
    assert scope(timezone.now()) == ["one"]
    unknown = post(client, through="u9")
    assert unknown.status_code == 422
    assert unknown.json()["error"]["code"] == "through_unknown"


def test_an_empty_window_has_nothing_to_scan(client: APIClient) -> None:
    assert post(client).status_code == 202
    assert Compaction.objects.get().scan_state == "done"


def test_the_same_key_with_more_messages_widens_the_range(client: APIClient) -> None:
    first = post(client, said("one"), key="c1")
    scope(timezone.now())
    second = post(client, said("one"), said("two"), key="c1")
    assert second.json()["id"] == first.json()["id"]
    assert second.json()["stored"] == 1
    assert scope(timezone.now()) == ["two"]


def test_a_turn_that_arrives_later_takes_over_its_messages_and_is_not_scanned_again(
    client: APIClient, key: AgentKey, now: datetime
) -> None:
    post(client, said("Use tabs.", key="u1"), said("ok", "assistant", key="a1"))
    assert scope(timezone.now()) == ["Use tabs.", "ok"]
    early = Message.objects.get(key="u1")
    turn_pin(turn_ids=[early.turn_id], holder="candidate:x")
    turn = build.turn(
        key,
        build.human("Use tabs.", key="u1"),
        build.agent("ok", key="a1"),
        build.agent("Done.", key="a2"),
        name="prompt-1",
    )
    assert [(m.key, m.index) for m in build.messages(turn)] == [("u1", 0), ("a1", 1), ("a2", 2)]
    assert Turn.objects.count() == 1
    assert early.pk == Message.objects.get(key="u1").pk
    assert turn.pins.get().holder == "candidate:x"
    assert scope(timezone.now()) == ["Done."]


def test_the_same_short_answer_said_again_is_a_message_of_its_own(client: APIClient, key: AgentKey) -> None:
    post(client, said("Shall I?", "assistant"), said("yes"))
    build.turn(key, MessageIn("user", "yes"), name="later")
    assert Message.objects.filter(text="yes").count() == 2


def test_prompts_open_turns_of_their_own(client: APIClient) -> None:
    post(client, said("one"), said("ok", "assistant"), said("two"), said("ok", "assistant"))
    shapes = [[m.text for m in build.messages(turn)] for turn in Turn.objects.order_by("pk")]
    assert shapes == [["one", "ok"], ["two", "ok"]]


@pytest.mark.parametrize(
    ("change", "code", "status"),
    [
        ({"trigger": " "}, "invalid_trigger", 422),
        ({"trigger": None}, "null", 422),
        ({"messages": [{"role": "user", "text": ""}]}, "text_empty", 422),
        ({"messages": [{"role": "user", "text": "x", "origin": "injected"}]}, "origin_injected", 422),
        ({"messages": [said(f"{n}") for n in range(5001)]}, "too_many_messages", 422),
        ({"key": "k" * 201}, "invalid_key", 422),
        ({"colour": 1}, "unknown_field", 422),
    ],
)
def test_bad_input_is_refused_with_one_clear_error(
    client: APIClient, change: dict[str, Any], code: str, status: int
) -> None:
    answer = client.post(URL, {"session": "s1", "trigger": "auto"} | change)
    assert answer.status_code == status
    assert answer.json()["error"]["code"] == code
    assert not Compaction.objects.exists()
    assert not Message.objects.exists()


def test_a_stranger_cannot_touch_the_session(client: APIClient) -> None:
    post(client, said("mine"))
    charlie = build.api(build.key(build.person("charlie")).secret)
    answer = post(charlie, said("theirs"))
    assert answer.status_code == 202
    owners = Message.objects.order_by("pk").values_list("session__user__username", "text")
    assert list(owners) == [("alice", "mine"), ("charlie", "theirs")]


def test_a_key_that_does_not_speak_for_its_person_cannot_claim_a_human(new: NewKey) -> None:
    silent = build.api(build.key(new.key.user, speaks_for_person=False).secret)
    assert post(silent, said("x", origin="human")).status_code == 403
    answer = post(silent, said("x"))
    assert answer.json()["warnings"] == ["origin_missing"]
    assert Message.objects.get().origin == "unknown"
