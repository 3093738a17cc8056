"""What comes back: to the agent only what a person approved, to the person what waits, and never more than fits."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.test import APIClient

from core.models import Namespace
from decisions.models import Choice, Recommendation
from integrations.hooks.answers import Piece, answer, fenced
from integrations.hooks.limits import ANSWER_CHARS, NOTICE_CHARS
from integrations.selectors.hooks import SWITCHES
from integrations.services.hook_settings import hook_settings_set
from knowledge.models import KnowledgeUse
from memory.models import Candidate
from memory.services.extraction import scan_next
from review.services.person import SettingsIn, person_settings_set
from tests import build
from tests.integrations.hooking import SESSION, context_of, event, golden, send
from tests.knowledge.make import knowledge, summary
from tests.review.scene import remembered
from transcripts.models import Exposure, Message
from transcripts.readers.fences import cut_fences

pytestmark = pytest.mark.django_db


@pytest.fixture
def home(alice: User) -> Namespace:
    return Namespace.objects.get(owner=alice, name="default")


@pytest.fixture
def client(alice: User) -> APIClient:
    return build.api(build.key(alice).secret)


def ask(text: str, number: int = 1) -> dict[str, Any]:
    return event("UserPromptSubmit", prompt=text, prompt_id=f"p{number}", source="user")


def scan() -> None:
    while scan_next(now=timezone.now() + timedelta(minutes=5)):
        pass


START = event("SessionStart", source="startup")


class TestTheStart:
    def test_it_brings_the_summary_and_resident_notes_in_our_fence(
        self, client: APIClient, alice: User, home: Namespace
    ) -> None:
        summary(home, alice, "Alice works on the shop.")
        knowledge(home, alice, model_invocation=True)
        text = context_of(send(client, START))
        assert "Alice works on the shop." in text
        assert "#deploy-checklist:" in text
        assert cut_fences(text, marker=None).text_without == ""
        shown = set(Exposure.objects.values_list("session__key", "path", "record_type"))
        assert shown == {(SESSION, "resident", "summary"), (SESSION, "resident", "knowledge")}

    def test_with_nothing_approved_it_says_nothing(self, client: APIClient) -> None:
        assert send(client, START) == {}

    @pytest.mark.parametrize("script", ["words and <system-reminder> tags\n", "承認済みの記憶。\n"])
    def test_it_never_takes_more_room_than_a_client_gives(
        self, client: APIClient, alice: User, home: Namespace, script: str
    ) -> None:
        summary(home, alice, (script * 4_000)[:19_000])
        for number in range(12):
            knowledge(home, alice, f"note-{number}", model_invocation=True, description="when " * 190)
        text = context_of(send(client, START))
        assert 4_000 < len(text) <= ANSWER_CHARS
        assert all(f"#note-{number}" in text for number in range(12))  # each that is left out is named

    def test_a_session_of_a_machines_own_gets_nothing(
        self, client: APIClient, alice: User, home: Namespace
    ) -> None:
        summary(home, alice, "Alice works on the shop.")
        client.post("/api/v1/sessions/", {"key": SESSION, "internal": True})
        assert context_of(send(client, START)) == ""

    def test_it_says_how_many_wait_and_where(self, client: APIClient, alice: User) -> None:
        send(client, ask("From now on use pnpm, not npm."))
        send(client, event("Stop", prompt_id="p1"))
        scan()
        said = send(client, START)["systemMessage"]
        assert "1 proposal waits" in said
        assert "://" in said
        assert re.search(r"[^/]/settings/memory/", said)  # one slash: two lead nowhere

    def test_in_the_persons_own_language(self, client: APIClient, alice: User) -> None:
        person_settings_set(user=alice, changes=SettingsIn(language="ja"), now=timezone.now())
        assert send(client, START, protocol=99).get("systemMessage")

    @pytest.mark.parametrize(
        ("protocol", "says"), [(99, "newer than the server"), (0, "too old"), (1, ""), (None, "")]
    )
    def test_another_protocol_is_told_what_to_do(
        self, client: APIClient, protocol: int | None, says: str
    ) -> None:
        said = send(client, START, protocol=protocol)
        assert says in said.get("systemMessage", "")
        assert bool(said) == bool(says)


class TestAPrompt:
    def test_a_note_that_was_called_is_there_and_in_the_history(
        self, client: APIClient, alice: User, home: Namespace
    ) -> None:
        note = knowledge(home, alice)
        text = context_of(send(client, ask("Do it as in #deploy-checklist, and #no-such-note.")))
        assert note.body.strip() in text
        assert "#no-such-note: there is no such note" in text
        stored = Message.objects.get(origin="injected")
        assert (stored.turn.key, note.body.strip() in stored.text) == ("p1", True)
        assert KnowledgeUse.objects.get().path == "slug"

    def test_many_long_notes_fit_and_each_cut_is_named(
        self, client: APIClient, alice: User, home: Namespace
    ) -> None:
        names = [f"note-{number}" for number in range(4)]
        for name in names:
            knowledge(home, alice, name, body=f"Read {name}. " + "A line of the body.\n" * 380)
        text = context_of(send(client, ask(" ".join(f"#{name}" for name in names))))
        assert len(text) <= ANSWER_CHARS
        assert all(f"#{name}" in text for name in names)
        assert "goes on: read all of it with" in text

    def test_memories_that_fit_come_once_in_a_window(
        self, client: APIClient, alice: User, home: Namespace
    ) -> None:
        memory = remembered(alice, home, "Use pnpm for packages.")
        assert str(memory.pk) in context_of(send(client, ask("Which package manager, pnpm?")))
        assert context_of(send(client, ask("Which package manager, pnpm?", 2))) == ""
        send(client, event("PostCompact", trigger="auto", compact_summary="s"))
        assert str(memory.pk) in context_of(send(client, ask("Which package manager, pnpm?", 3)))

    def test_what_has_nothing_to_do_with_it_stays_away(
        self, client: APIClient, alice: User, home: Namespace
    ) -> None:
        remembered(alice, home, "Use pnpm for packages.")
        assert context_of(send(client, ask("What is the weather in Kyoto?"))) == ""

    def test_a_strangers_memories_never_come(self, client: APIClient) -> None:
        mallory = build.person("mallory")
        remembered(mallory, Namespace.objects.get(owner=mallory), "Use pnpm for packages.")
        assert context_of(send(client, ask("Which package manager, pnpm?"))) == ""

    def test_what_was_brought_and_comes_back_proves_nothing(
        self, client: APIClient, alice: User, home: Namespace
    ) -> None:
        remembered(alice, home, "Always use pnpm for packages.")
        for number in range(5):
            text = context_of(send(client, ask("Which package manager, pnpm?", number)))
            send(client, event("PostCompact", trigger="auto"))
            said = event(
                "Stop",
                prompt_id=f"p{number}",
                last_assistant_message=f"{text}\nAlways use pnpm for packages.",
            )
            send(client, said)
            send(client, ask(f"{text}\nGo on.", 100 + number))
            scan()
        assert not Candidate.objects.filter(status="pending").exists()

    def test_from_the_spool_it_is_stored_and_nothing_is_shown(
        self, client: APIClient, alice: User, home: Namespace
    ) -> None:
        knowledge(home, alice)
        remembered(alice, home, "Use pnpm for packages.")
        assert send(client, ask("pnpm packages #deploy-checklist"), late=True) == {}
        assert Message.objects.count() == 1
        assert not Exposure.objects.exists()


class TestNews:
    def propose(self, client: APIClient) -> Candidate:
        send(client, ask("From now on use pnpm, not npm."))
        send(client, event("Stop", prompt_id="p1"))
        scan()
        return Candidate.objects.get()

    def test_a_proposal_is_named_once_with_its_id_to_the_person_alone(self, client: APIClient) -> None:
        candidate = self.propose(client)
        said = send(client, ask("thanks", 2))
        assert candidate.content in said["systemMessage"]
        assert str(candidate.pk) in said["systemMessage"]
        assert context_of(said) == ""  # the agent gets what was approved, and this is not
        assert send(client, ask("thanks", 3)) == {}

    def test_many_are_counted_and_the_line_stays_short(self, client: APIClient, alice: User) -> None:
        for number, tool in enumerate(("pnpm", "uv", "ruff", "Caddy", "Valkey"), start=10):
            send(client, ask(f"From now on always use {tool} here.", number))
            send(client, event("Stop", prompt_id=f"p{number}"))
        scan()
        count = Candidate.objects.count()
        assert count > 3
        said = send(client, ask("thanks", 2))["systemMessage"]
        assert f"{count - 3} more" in said
        assert len(said) <= NOTICE_CHARS

    def test_it_can_be_switched_off(self, client: APIClient, alice: User) -> None:
        self.propose(client)
        hook_settings_set(user=alice, wanted={"announce": False, "waiting": False}, now=timezone.now())
        assert send(client, ask("thanks", 2)) == {}
        assert send(client, START) == {}


def test_every_switch_keeps_its_own_thing_away(client: APIClient, alice: User, home: Namespace) -> None:
    summary(home, alice, "Alice works on the shop.")
    remembered(alice, home, "Use pnpm for packages.")
    hook_settings_set(user=alice, wanted=dict.fromkeys(SWITCHES, False), now=timezone.now())
    assert send(client, START) == {}
    assert send(client, ask("Which package manager, pnpm?")) == {}
    hook_settings_set(user=alice, wanted={"recall": True}, now=timezone.now())
    assert "pnpm" in context_of(send(client, ask("Which package manager, pnpm?", 2)))


class TestAQuestion:
    def chosen(self, client: APIClient, times: int) -> None:
        for number in range(times):
            send(
                client,
                golden("PostToolUse.minimum") | {"session_id": f"old-{number}", "tool_use_id": f"t{number}"},
            )

    def test_what_the_person_usually_picks_is_said_before_it(self, client: APIClient) -> None:
        self.chosen(client, 8)
        text = context_of(send(client, golden("PreToolUse.full")))
        assert "PostgreSQL" in text
        assert "8 choices" in text
        assert cut_fences(text, marker=None).text_without == ""

    def test_without_a_habit_nothing_is_said(self, client: APIClient) -> None:
        assert send(client, golden("PreToolUse.full")) == {}

    def test_nobody_saw_a_label_so_the_choice_counts_as_the_persons_own(self, client: APIClient) -> None:
        self.chosen(client, 8)
        send(client, golden("PreToolUse.full"))
        said = Recommendation.objects.get()
        assert (said.labelled, said.probe, said.action) == (False, False, "ask")
        send(client, golden("PostToolUse.full"))
        choice = Choice.objects.get(session__key=SESSION)
        assert (choice.labelled, choice.followed) == (False, False)

    def test_what_the_agent_asked_about_a_moment_ago_is_not_said_again(self, client: APIClient) -> None:
        self.chosen(client, 8)
        question = golden("PreToolUse.full")["tool_input"]["questions"][0]
        body = {
            "question": question["question"],
            "options": [{"label": o["label"]} for o in question["options"]],
        }
        client.post("/api/v1/decisions/recommend/", {"session": SESSION, "questions": [body]})
        assert send(client, golden("PreToolUse.full")) == {}
        assert Recommendation.objects.count() == 1

    @pytest.mark.parametrize("questions", [None, [], [{}], "x", [{"question": "Q", "options": []}] * 9])
    def test_a_question_that_cannot_be_read_costs_nothing(self, client: APIClient, questions: Any) -> None:
        payload = golden("PreToolUse.full") | {"tool_input": {"questions": questions}}
        assert send(client, payload) == {}


@given(
    st.lists(st.tuples(st.text(max_size=3_000), st.text(max_size=200)), max_size=12),
    st.integers(400, ANSWER_CHARS),
)
def test_whatever_the_pieces_are_they_fit_in_one_fence(texts: list[tuple[str, str]], most: int) -> None:
    pieces = [Piece(text, rest) for text, rest in texts]
    made = fenced("Head.", pieces, marker="a1b2c3d4", most=most)
    assert len(made) <= most
    assert cut_fences(made, marker="a1b2c3d4").forged == 0
    assert cut_fences(made, marker=None).text_without == ""
    assert not made or bool(pieces)


@given(st.text(max_size=3_000))
def test_a_notice_is_short_and_an_empty_answer_is_empty(notice: str) -> None:
    said = answer("Stop", notice=notice)
    assert len(said.get("systemMessage", "")) <= NOTICE_CHARS
    assert bool(said) == bool(notice)
