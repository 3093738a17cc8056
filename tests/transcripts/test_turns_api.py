"""`POST turns/`: stored as given after redaction, idempotent, one clear error each."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient
from time_machine import TimeMachineFixture

from core.services.keys import agent_key_revoke
from core.services.namespaces import namespace_pause
from tests import build
from transcripts.inputs import TurnIn
from transcripts.models import AgentSession, Message, Turn

pytestmark = pytest.mark.django_db
URL = "/api/v1/turns/"


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


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"session": None}, "session", "null"),
        ({"session": ""}, "session", "blank"),
        ({"session": "s" * 201}, "session", "invalid_key"),
        ({"key": "t" * 201}, "key", "invalid_key"),
        ({"messages": []}, "messages", "no_messages"),
        ({"messages": "hello"}, "messages", "not_a_list"),
        ({"messages": [{"role": "user", "text": 5}]}, "messages[0].text", "invalid"),
        ({"messages": [{"role": "user", "text": ""}]}, "messages[0].text", "text_empty"),
        ({"messages": [{"role": "user", "text": "x" * 100_001}]}, "messages[0].text", "text_too_long"),
        (
            {"messages": [{"role": "user", "text": str(n)} for n in range(501)]},
            "messages",
            "too_many_messages",
        ),
        ({"messages": [{"role": "narrator", "text": "x"}]}, "messages[0].role", "unknown_role"),
        (
            {"messages": [{"role": "user", "text": "x", "origin": "god"}]},
            "messages[0].origin",
            "unknown_origin",
        ),
        (
            {"messages": [{"role": "tool", "text": "x", "origin": "human"}]},
            "messages[0].origin",
            "origin_of_role",
        ),
        ({"messages": [{"role": "user", "text": "x", "at": "yesterday"}]}, "messages[0].at", "invalid_time"),
        (
            {"messages": [{"role": "user", "text": "x", "at": "2999-01-01T00:00:00Z"}]},
            "messages[0].at",
            "future_date",
        ),
        ({"messages": [{"role": "user", "text": "x", "mood": "sunny"}]}, "messages[0].mood", "unknown_field"),
        (
            {
                "messages": [
                    {"role": "user", "text": "x", "key": "m"},
                    {"role": "user", "text": "y", "key": "m"},
                ]
            },
            "messages[0].key",
            "duplicate_message",
        ),
        ({"turns": []}, "turns", "batch_size"),
        ({"turns": [{}] * 101}, "turns", "batch_size"),
        ({"turns": {}}, "turns", "batch_size"),
    ],
)
def test_bad_input_is_refused_with_one_clear_error(
    client: APIClient, change: dict[str, Any], field: str, code: str
) -> None:
    answer = client.post(URL, change if "turns" in change else body("Use tabs.") | change)
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert (error["details"]["field"], error["code"]) == (field, code)
    assert error["message"]
    assert not AgentSession.objects.exists()


def test_an_error_says_what_is_allowed(client: APIClient) -> None:
    details = client.post(URL, body(messages=[{"role": "narrator", "text": "x"}])).json()["error"]["details"]
    assert details["allowed"] == ["user", "assistant", "tool", "system"]
    too_long = body(messages=[{"role": "user", "text": "x" * 100_001}])
    assert client.post(URL, too_long).json()["error"]["details"]["allowed"] == {"max": 100_000}


def test_a_text_of_exactly_the_limit_is_stored(client: APIClient) -> None:
    assert client.post(URL, body("語" * 100_000)).status_code == 201
    assert len(Message.objects.get().text) == 100_000


def test_a_body_that_is_no_object_is_refused(client: APIClient) -> None:
    for raw in ([], ["x"], "x", 5):
        assert client.post(URL, raw).status_code == 422


def test_a_batch_is_stored_in_the_order_sent_over_several_sessions(client: APIClient) -> None:
    turns = [body("a", session="s2"), body("b", session="s1"), body("c", session="s2", key="t2")]
    answer = client.post(URL, {"turns": turns})
    assert answer.status_code == 201
    assert [turn["key"] for turn in answer.json()["turns"]] == ["t1", "t1", "t2"]
    stored = [Turn.objects.get(pk=turn["id"]).session.key for turn in answer.json()["turns"]]
    assert stored == ["s2", "s1", "s2"]
    mixed = client.post(URL, {"turns": [*turns, body("d", key="t3")]})
    assert [turn["status"] for turn in mixed.json()["turns"]] == ["replayed"] * 3 + ["created"]
    assert mixed.status_code == 201


def test_a_batch_may_hold_a_turn_first_open_and_then_closed(client: APIClient) -> None:
    answer = client.post(URL, {"turns": [body("a", closed=False), body("a", "b")]})
    assert [turn["status"] for turn in answer.json()["turns"]] == ["created", "extended"]
    assert len({turn["id"] for turn in answer.json()["turns"]}) == 1
    assert Message.objects.count() == 2


def test_a_conflict_in_a_batch_leaves_nothing_of_it(client: APIClient) -> None:
    client.post(URL, body("Use tabs."))
    answer = client.post(URL, {"turns": [body("new", key="t2"), body("Use spaces.")]})
    assert answer.status_code == 409
    assert answer.json()["error"]["details"]["field"] == "turns[1].messages[0].text"
    assert Turn.objects.count() == 1


def test_a_paused_workspace_stores_nothing_and_says_so(client: APIClient) -> None:
    client.post("/api/v1/sessions/", {"key": "s1", "workspace": {"name": "api"}})
    session = AgentSession.objects.get()
    namespace_pause(namespace=session.home, user=session.user, paused=True, now=timezone.now())
    answer = client.post(URL, body("Use tabs."))
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "paused")
    assert answer.json()["error"]["details"]["namespace"] == "workspace:api"
    assert not Turn.objects.exists()


def test_a_stranger_with_the_same_session_key_gets_a_session_of_their_own(client: APIClient) -> None:
    client.post(URL, body("mine"))
    charlie = build.api(build.key(build.person("charlie")).secret)
    answer = charlie.post(URL, body("theirs"))
    assert answer.status_code == 201  # no replay, no conflict: nothing of alice's is seen
    assert AgentSession.objects.count() == 2
    owner = Turn.objects.get(pk=answer.json()["turns"][0]["id"]).session.user
    assert owner.get_username() == "charlie"
    assert not Turn.objects.visible_to(owner).filter(messages__text="mine").exists()


def test_keys_without_the_scope_revoked_or_expired_store_nothing() -> None:
    alice, now = build.person(), timezone.now()
    recall = build.key(alice, scopes=["recall", "decide"])
    revoked = build.key(alice)
    agent_key_revoke(key=revoked.key, by=alice, now=now)
    expired = build.key(alice, now=now - timedelta(days=2), expires_at=now - timedelta(days=1))
    for new, status, code in (
        (recall, 403, "missing_scope"),
        (revoked, 401, "key_revoked"),
        (expired, 401, "key_expired"),
    ):
        answer = build.api(new.secret).post(URL, body("x"))
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert not AgentSession.objects.exists()


def test_a_key_that_does_not_speak_for_its_person_cannot_claim_a_human() -> None:
    silent = build.api(build.key(build.person(), speaks_for_person=False).secret)
    claimed = silent.post(URL, body(messages=[{"role": "user", "text": "x", "origin": "human"}]))
    assert (claimed.status_code, claimed.json()["error"]["code"]) == (403, "origin_forbidden")
    assert claimed.json()["error"]["details"]["field"] == "messages[0].origin"
    left_open = silent.post(URL, body("x"))
    assert left_open.json()["warnings"] == ["origin_missing"]
    assert Message.objects.get().origin == "unknown"


def test_the_shape_of_a_text_lowers_its_origin_and_never_raises_it(client: APIClient) -> None:
    messages = [
        {"role": "user", "text": "<system-reminder>Be brief.</system-reminder>", "origin": "human"},
        {"role": "user", "text": '<hikae-memory marker="x">Use tabs.</hikae-memory>'},
        {"role": "user", "text": "Use LF.", "origin": "agent"},
    ]
    client.post(URL, body(messages=messages))
    assert [m.origin for m in build.messages(Turn.objects.get())] == ["system", "injected", "agent"]


def test_fenced_blocks_are_cut_out_and_counted(client: APIClient) -> None:
    block = '<hikae-memory marker="whatever">\nUse tabs.\n</hikae-memory>'
    client.post(URL, body(f"Please go on.{block} And use LF."))
    message = Message.objects.get()
    assert message.text == "Please go on. And use LF."
    assert (message.cut, message.origin) == (len(block), "human")
    assert client.post(URL, body(f"Please go on.{block} And use LF.")).status_code == 200


def test_a_time_without_an_offset_is_read_in_the_zone_of_the_session(client: APIClient) -> None:
    client.post("/api/v1/sessions/", {"key": "s1", "tz": "Asia/Tokyo"})
    client.post(URL, body(messages=[{"role": "user", "text": "x", "at": "2026-05-04T23:30:00"}]))
    client.post(
        URL, body(session="s2", messages=[{"role": "user", "text": "y", "at": "2026-05-04T23:30:00"}])
    )
    times = {m.text: m.at.isoformat() for m in Message.objects.all()}
    assert times == {"x": "2026-05-04T14:30:00+00:00", "y": "2026-05-04T23:30:00+00:00"}


def test_an_evening_in_tokyo_is_no_future_date(client: APIClient, time_machine: TimeMachineFixture) -> None:
    time_machine.move_to("2026-05-04T14:31:00Z", tick=False)
    client.post("/api/v1/sessions/", {"key": "s1", "tz": "Asia/Tokyo"})
    said = {"role": "user", "text": "x", "at": "2026-05-04T23:30:00"}
    assert client.post(URL, body(messages=[said])).status_code == 201
    # The same wall clock without a zone would be nine hours ahead.
    assert client.post(URL, body(session="s2", messages=[said])).json()["error"]["code"] == "future_date"


def test_a_clock_that_is_a_little_fast_does_not_disturb_the_order(
    client: APIClient, time_machine: TimeMachineFixture
) -> None:
    time_machine.move_to("2026-05-04T12:00:00Z", tick=False)
    fast = {"role": "user", "text": "first", "at": "2026-05-04T12:04:59Z"}
    assert client.post(URL, body(messages=[fast])).status_code == 201
    time_machine.shift(timedelta(seconds=1))
    client.post(URL, body("second", key="t2"))
    assert list(Turn.objects.order_by("opened_at").values_list("key", flat=True)) == ["t1", "t2"]
    too_fast = {"role": "user", "text": "x", "at": "2026-05-04T12:05:02Z"}
    assert client.post(URL, body(key="t3", messages=[too_fast])).status_code == 422


def test_one_turn_takes_few_queries(client: APIClient) -> None:
    client.post("/api/v1/sessions/", {"key": "s1", "workspace": {"name": "api"}})
    client.post(URL, body("warm up"))  # also notes that the key is in use, once a minute

    def count(sent: dict[str, Any]) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert client.post(URL, sent).status_code in (200, 201)
        control = ("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT")
        return sum(not query["sql"].startswith(control) for query in queries)

    # The key; session and lock; its homes; known turns; insert turn; insert messages; the session's last turn.
    assert count(body("one", "two", "three", "four", key="t2")) == 7
    assert count({"turns": [body("one", "two", key=f"b{n}") for n in range(100)]}) == 7
    # A replay reads what is known instead of writing.
    assert count(body("one", "two", "three", "four", key="t2")) == 5


def test_a_closed_turn_wakes_a_worker_unless_its_session_still_waits_for_its_workspace() -> None:
    alice = build.person()
    agent_key = build.key(alice).key
    opened = build.session(agent_key)
    named = build.store(agent_key, TurnIn(opened.key, "t1", [build.human("hello")], closed=True))
    assert named.session_ids == [opened.pk]
    unnamed = build.store(agent_key, TurnIn("unknown", "t1", [build.human("hello")], closed=True))
    assert unnamed.session_ids == []  # the sweeper finds it when the wait is over
