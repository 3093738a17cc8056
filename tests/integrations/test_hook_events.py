"""What each hook event does on the server: stored once, in any order, each with its own scope."""

from __future__ import annotations

import itertools
import random
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from core.models import AgentKey
from core.services.namespaces import namespace_pause
from decisions.models import Choice
from integrations.models import HookEvent
from memory.services.extraction import scan_next
from tests import build
from tests.integrations.hooking import (
    SESSION,
    URL,
    all_golden,
    around,
    context_of,
    event,
    golden,
    line,
    send,
    talk,
)
from transcripts.models import AgentSession, Compaction, Message, Turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(alice: User) -> APIClient:
    return build.api(build.key(alice).secret)


def rows() -> list[tuple[Any, ...]]:
    """What was said, as it stands: by turn in order, by place in the turn."""
    found = Message.objects.order_by("turn__opened_at", "turn__key", "index")
    return list(found.values_list("turn__key", "index", "role", "origin", "text"))


@pytest.mark.parametrize(("version", "name"), all_golden())
def test_each_golden_payload_is_taken_bare_and_in_the_envelope(
    client: APIClient, version: str, name: str
) -> None:
    payload = golden(name, version)
    assert client.post(URL, payload).status_code == 200
    send(client, payload)
    assert HookEvent.objects.get().done_at is not None


@pytest.mark.parametrize(("version", "name"), all_golden())
def test_without_its_session_an_event_is_refused_by_name_or_kept_aside(
    client: APIClient, version: str, name: str
) -> None:
    payload = golden(name, version)
    del payload["session_id"]
    answer = client.post(URL, payload)
    if payload.get("tool_name"):
        assert (answer.status_code, answer.json()) == (200, {})  # in the quarantine of questions
    else:
        assert answer.status_code == 422
        assert answer.json()["error"]["details"]["field"] == "session_id"
    assert not Message.objects.exists()


class TestAnExchange:
    def test_it_becomes_one_turn_in_the_workspace_of_its_folder(self, client: APIClient) -> None:
        send(client, event("SessionStart", source="startup"))
        send(client, event("UserPromptSubmit", prompt="Use pnpm.", prompt_id="p1", source="user"))
        turn = Turn.objects.get()
        assert (turn.key, turn.closed_at) == ("p1", None)
        send(client, event("Stop", prompt_id="p1", last_assistant_message="Done."))
        turn.refresh_from_db()
        assert turn.closed_at is not None
        assert rows() == [("p1", 0, "user", "human", "Use pnpm."), ("p1", 1, "assistant", "agent", "Done.")]
        session = AgentSession.objects.get()
        assert (str(session.workspace), session.client) == ("workspace:shop", "claude_code")

    def test_what_the_hook_brought_the_transcript_does_not_bring_again(self, client: APIClient) -> None:
        send(client, event("UserPromptSubmit", prompt="Use pnpm.", prompt_id="p1"), at="2026-11-01T09:00:00Z")
        said = [
            line("user", "Use pnpm.", uid="u1", parent=None, prompt="p1", at="2026-11-01T09:00:01Z"),
            line("assistant", "I look.", uid="a1", parent="u1", at="2026-11-01T09:00:02Z"),
            line("assistant", "Done.", uid="a2", parent="a1", at="2026-11-01T09:00:03Z"),
        ]
        stop = event("Stop", prompt_id="p1", last_assistant_message="Done.")
        send(client, stop, slice=said, at="2026-11-01T09:00:04Z")
        assert [row[4] for row in rows()] == ["Use pnpm.", "I look.", "Done."]

    def test_lines_that_were_written_late_join_their_turn_in_their_place(self, client: APIClient) -> None:
        send(client, event("UserPromptSubmit", prompt="Use pnpm.", prompt_id="p1"), at="2026-11-01T09:00:00Z")
        stop = event("Stop", prompt_id="p1", last_assistant_message="Done.")
        send(client, stop, at="2026-11-01T09:00:09Z", transcript=True)
        late = [
            line("assistant", "I look.", uid="a1", parent="u1", at="2026-11-01T09:00:02Z"),
            line("assistant", "Done.", uid="a2", parent="a1", at="2026-11-01T09:00:03Z"),
            line("user", "Thanks.", uid="u2", parent="a2", prompt="p2", at="2026-11-01T09:01:00Z"),
        ]
        send(client, event("Stop", prompt_id="p2"), slice=late, turn="p1", at="2026-11-01T09:01:05Z")
        assert [(row[0], row[4]) for row in rows()] == [
            ("p1", "Use pnpm."),
            ("p1", "I look."),
            ("p1", "Done."),
            ("p2", "Thanks."),
        ]

    def test_an_interrupted_turn_is_closed_by_the_next_prompt(self, client: APIClient) -> None:
        send(client, event("UserPromptSubmit", prompt="Do it.", prompt_id="p1"), at="2026-11-01T09:00:00Z")
        send(client, event("UserPromptSubmit", prompt="No, stop.", prompt_id="p2"), at="2026-11-01T09:01:00Z")
        open_ones = Turn.objects.filter(closed_at=None).values_list("key", flat=True)
        assert list(open_ones) == ["p2"]

    def test_a_failure_of_the_service_closes_the_turn_and_keeps_what_the_person_said(
        self, client: APIClient
    ) -> None:
        send(client, event("UserPromptSubmit", prompt="Use pnpm.", prompt_id="p1"))
        send(client, event("StopFailure", prompt_id="p1", error="overloaded", last_assistant_message="I had"))
        assert [row[4] for row in rows()] == ["Use pnpm."]
        assert Turn.objects.get().closed_at is not None

    def test_what_a_machine_put_in_the_persons_place_is_not_human(self, client: APIClient) -> None:
        text = "<task-notification>built</task-notification>"
        send(client, event("UserPromptSubmit", prompt=text, prompt_id="p1"))
        send(client, event("UserPromptSubmit", prompt="Go on.", prompt_id="p2", source="loop_wakeup"))
        assert {row[3] for row in rows()} == {"system"}

    def test_a_client_without_prompt_ids_has_its_words_stored_once(self, client: APIClient) -> None:
        for name in ("SessionStart", "UserPromptSubmit"):
            send(client, golden(f"{name}.minimum", "claude_code_2.0.14"), transcript=True)
        said = [
            line("user", "From now on use pnpm, not npm.", uid="u1", parent=None),
            line("assistant", "Done.", uid="a1", parent="u1"),
        ]
        stop = {**golden("Stop.minimum", "claude_code_2.0.14"), "last_assistant_message": "Done."}
        send(client, stop, transcript=True, slice=said)
        assert [row[4] for row in rows()] == ["From now on use pnpm, not npm.", "Done."]
        assert Turn.objects.get().closed_at is not None

    def test_a_client_whose_transcript_cannot_be_read_still_has_prompt_and_answer(
        self, client: APIClient
    ) -> None:
        send(client, golden("UserPromptSubmit.minimum", "claude_code_2.0.14"))
        stop = {**golden("Stop.minimum", "claude_code_2.0.14"), "last_assistant_message": "Done."}
        send(client, stop)
        assert [row[4] for row in rows()] == ["From now on use pnpm, not npm.", "Done."]


class TestOnce:
    def week(self) -> list[dict[str, Any]]:
        """Deliveries of a small conversation, with times."""
        lines = talk(
            ("p1", "From now on use pnpm, not npm.", "I will."),
            ("p2", "Never push to main directly.", "Understood."),
            ("p3", "How is the weather?", "I cannot know."),
        )

        def at(minute: int, second: int) -> str:
            return f"2026-11-01T09:{minute:02}:{second:02}Z"

        asked = golden("PostToolUse.full") | {"prompt_id": "p2"}
        return [
            around(event("SessionStart", source="startup"), at=at(0, 0)),
            around(
                event("UserPromptSubmit", prompt="From now on use pnpm, not npm.", prompt_id="p1"),
                at=at(0, 0),
            ),
            around(
                event("Stop", prompt_id="p1", last_assistant_message="I will."), slice=lines[:1], at=at(0, 40)
            ),
            around(
                event("UserPromptSubmit", prompt="Never push to main directly.", prompt_id="p2"), at=at(1, 0)
            ),
            around(asked, at=at(1, 10), slice=lines[1:3], turn="p1"),
            around(
                event("PreCompact", trigger="auto", prompt_id="p2"), slice=lines[3:4], turn="p2", at=at(1, 35)
            ),
            around(
                event("Stop", prompt_id="p2", last_assistant_message="Understood."), at=at(1, 40), turn="p2"
            ),
            around(event("PostCompact", trigger="auto", compact_summary="s"), at=at(1, 50), turn="p2"),
            around(event("UserPromptSubmit", prompt="How is the weather?", prompt_id="p3"), at=at(2, 0)),
            around(
                event("Stop", prompt_id="p3", last_assistant_message="I cannot know."),
                slice=lines[4:],
                at=at(2, 40),
            ),
            around(event("SessionEnd", reason="other"), at=at(3, 0)),
        ]

    def stored(self) -> tuple[Any, ...]:
        choices = list(
            Choice.objects.order_by("question").values_list("question", "chosen", "outcome", "context")
        )
        return rows(), choices, Compaction.objects.count(), Turn.objects.filter(closed_at=None).count()

    @pytest.mark.parametrize("seed", range(6))
    def test_replayed_twice_and_out_of_order_the_same_rows_stand_there(self, seed: int) -> None:
        week = self.week()
        online = build.api(build.key(build.person("online")).secret)
        for each in week:
            assert online.post(URL, each).status_code == 200
        expected = self.stored()
        assert len(expected[0]) == 6
        AgentSession.objects.all().delete()
        Choice.objects.all().delete()
        spooled = [{**each, "hikae": {**each["hikae"], "late": True}} for each in week] * 2
        random.Random(seed).shuffle(spooled)
        offline = build.api(build.key(build.person("offline")).secret)
        for each in spooled:
            assert offline.post(URL, each).json() == {}
        assert self.stored() == expected
        assert HookEvent.objects.filter(late=True).count() == len(week)

    def test_a_delivery_at_work_is_told_from_one_that_died(self, client: APIClient, alice: User) -> None:
        sent = around(event("Stop", prompt_id="p1", last_assistant_message="Done."))
        now = timezone.now()
        row = HookEvent.objects.create(
            user=alice, event_id=sent["hikae"]["id"], name="Stop", at=now, received_at=now,
            lease_until=now + timedelta(seconds=30),
        )  # fmt: skip
        answer = client.post(URL, sent)
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "busy")
        HookEvent.objects.filter(pk=row.pk).update(lease_until=now)
        assert client.post(URL, sent).status_code == 200
        assert Message.objects.count() == 1

    def test_one_persons_event_id_hides_nothing_of_another_persons(self, client: APIClient) -> None:
        sent = around(event("Stop", prompt_id="p1", last_assistant_message="Done."))
        client.post(URL, sent)
        build.api(build.key(build.person("bob")).secret).post(URL, sent)
        assert AgentSession.objects.count() == 2


class TestCompaction:
    def test_the_window_is_stored_and_scanned_and_the_summary_is_not_read(self, client: APIClient) -> None:
        lines = talk(("p1", "From now on use pnpm, not npm.", "I will."))
        send(client, event("PreCompact", trigger="auto", prompt_id="p1"), slice=lines)
        send(client, event("PostCompact", trigger="auto", compact_summary="Always use yarn."))
        while scan_next(now=timezone.now()):
            pass
        assert not Message.objects.filter(text__contains="yarn").exists()
        assert Compaction.objects.get().scan_state == "done"
        assert not Message.objects.filter(role="user", scanned_at=None).exists()

    def test_it_answers_nothing_that_a_client_could_take_for_instructions(self, client: APIClient) -> None:
        assert send(client, golden("PreCompact.full")) == {}


class TestScopes:
    @pytest.mark.parametrize(
        ("scopes", "name", "lacks"),
        [
            (["decide"], "Stop.full", {"ingest"}),
            (["decide"], "UserPromptSubmit.full", {"ingest", "recall"}),
            (["ingest"], "SessionStart.full", {"recall"}),
            (["ingest", "recall"], "PostToolUse.full", {"decide"}),
            (["recall"], "PreCompact.full", {"ingest"}),
        ],
    )
    def test_what_a_key_lacks_is_left_alone_and_shows_on_its_page(
        self, alice: User, scopes: list[str], name: str, lacks: set[str]
    ) -> None:
        made = build.key(alice, scopes=scopes)
        assert context_of(send(build.api(made.secret), golden(name))) == ""
        missed = AgentKey.objects.get(pk=made.key.pk).missed
        assert set(missed) == lacks
        assert {each["event"] for each in missed.values()} == {name.partition(".")[0]}

    def test_an_ingest_key_stores_and_brings_nothing_back(self, alice: User) -> None:
        client = build.api(build.key(alice, scopes=["ingest"]).secret)
        assert send(client, golden("UserPromptSubmit.minimum"), transcript=False) == {}
        assert Message.objects.count() == 1

    def test_a_key_that_does_not_speak_for_its_person_makes_nobody_human(self, alice: User) -> None:
        client = build.api(build.key(alice, speaks_for_person=False).secret)
        send(client, event("UserPromptSubmit", prompt="Use pnpm.", prompt_id="p1"))
        send(client, event("Stop", prompt_id="p2"), slice=talk(("p2", "Use yarn.", "Yes.")))
        assert {row[3] for row in rows() if row[2] == "user"} == {"unknown"}

    def test_a_short_key_is_told_at_the_start_and_stores_nothing_elsewhere(self, alice: User) -> None:
        other = build.workspace(alice, "other")
        client = build.api(build.key(alice, reach="list", namespaces=[other]).secret)
        assert "shop" in send(client, event("SessionStart", source="startup"))["systemMessage"]
        send(client, event("UserPromptSubmit", prompt="Use pnpm.", prompt_id="p1"))
        assert not Message.objects.exists()
        assert "out_of_reach" in HookEvent.objects.get(name="UserPromptSubmit").note

    def test_a_paused_workspace_stores_nothing_and_says_so(self, client: APIClient, alice: User) -> None:
        send(client, event("SessionStart", source="startup"))
        home = AgentSession.objects.get().workspace
        assert home is not None
        namespace_pause(namespace=home, user=alice, paused=True, now=timezone.now())
        assert "paused" in send(client, event("SessionStart", source="resume"))["systemMessage"]
        send(client, event("Stop", prompt_id="p1", last_assistant_message="Done."))
        assert not Message.objects.exists()


class TestSubagents:
    @pytest.mark.parametrize("name", ["SessionStart", "UserPromptSubmit", "Stop", "PreCompact"])
    def test_their_words_are_no_persons(self, client: APIClient, name: str) -> None:
        fields = {"prompt": "Use pnpm.", "last_assistant_message": "Done.", "source": "startup"}
        assert send(client, event(name, agent_id="agent-7", prompt_id="p1", **fields)) == {}
        assert not AgentSession.objects.exists()
        assert HookEvent.objects.get().note == "subagent"

    def test_their_answers_are_no_observations(self, client: APIClient) -> None:
        send(client, golden("PostToolUse.full") | {"agent_id": "agent-7"})
        assert list(Choice.objects.values_list("outcome", "reason")) == [("skipped", "subagent")]


@pytest.mark.parametrize(
    "odd",
    [
        {"id": 7}, {"id": "x"}, {"seq": -1}, {"seq": True}, {"at": "tomorrow"}, {"at": "2999-01-01T00:00:00Z"},
        {"workspace": "shop"}, {"workspace": {"name": "a b/ ..", "fingerprints": ["x", 1]}}, {"slice": "lines"},
        {"slice": [1, None, "{", "[]", "\u2028"]}, {"turn": ["p"]}, {"protocol": "1"}, {"tz": "Mars/Base"},
        {"plugin": {"a": 1}}, {"fingerprints": 1}, {"late": "yes"}, {"transcript": 1}, {"from_byte": 10**30},
    ],
)  # fmt: skip
def test_an_odd_hint_does_not_cost_the_event(client: APIClient, odd: dict[str, Any]) -> None:
    sent = around(event("Stop", prompt_id="p1", last_assistant_message="Done."), **odd)
    answer = client.post(URL, sent, format="json")
    assert answer.status_code == 200, answer.content
    assert rows() == [("p1", 0, "assistant", "agent", "Done.")]


def test_sessions_of_two_people_never_mix(client: APIClient) -> None:
    send(client, event("UserPromptSubmit", prompt="Use pnpm.", prompt_id="p1"))
    stranger = build.api(build.key(build.person("mallory")).secret)
    answer = send(stranger, event("UserPromptSubmit", prompt="What was said?", prompt_id="p2"))
    assert "pnpm" not in str(answer)
    owners = AgentSession.objects.filter(key=SESSION).values_list("user__username", flat=True)
    assert sorted(owners) == ["alice", "mallory"]
    assert {len(list(group)) for _turn, group in itertools.groupby(rows(), key=lambda row: row[0])} == {1}
