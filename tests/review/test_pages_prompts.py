"""Prompts on their page: bundled beside own, saved by owners alone, tried on the past without a trace."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from core.llm.scripted import ScriptedServer, Step, fails, says
from core.models import AgentKey, AuditEvent, Namespace
from core.text import sha256
from memory.models import Candidate, Evidence, Extraction, PromptChange, PromptOverride, Request, TokenMeter
from memory.prompts import bundled
from memory.services.prompts import prompt_for, prompt_override
from review.services.workspaces import namespace_merge
from tests import build
from tests.review.scene import propose, share, signed_in
from transcripts.models import Message, Turn

pytestmark = pytest.mark.django_db

SAID = "Please use pnpm instead of npm here, the lockfiles keep clashing."
PLAIN = bundled("extract").text
OURS = PLAIN + "\nKeep what is said about colours, too.\n"
UNTOUCHED = sha256("")


@pytest.fixture
def turn(key: AgentKey) -> Turn:
    build.session(key, workspace="shop")
    return build.turn(key, SAID, build.agent("Done."))


@pytest.fixture
def shop(turn: Turn) -> Namespace:
    return turn.session.home


def at(shop: Namespace) -> str:
    return reverse("prompt", args=[shop.pk, "extract"])


def send(client: Client, shop: Namespace, do: str, text: str = OURS, **more: object) -> HttpResponse:
    form = {"do": do, "text": text, "seen": UNTOUCHED, **more}
    return client.post(at(shop), form)  # type: ignore[return-value]


def memory(**fields: object) -> dict[str, object]:
    return {
        "kind": "decision",
        "scope": "workspace",
        "content": "Use pnpm instead of npm, because the lockfiles keep clashing.",
        "evidence": "use pnpm instead of npm here, the lockfiles keep clashing",
        "message": 1,
        "confidence": 0.9,
        "why": "a choice with its reason",
    } | fields


def answer(*memories: dict[str, object]) -> Step:
    request = {"message": 1, "intent": "use", "target": "pnpm", "summary": "use pnpm"}
    return says({"memories": list(memories), "requests": [request]})


class TestReading:
    def test_the_list_says_whose_wording_serves(self, hers: Client, alice: User, shop: Namespace) -> None:
        prompt_override(namespace=shop, user=alice, name="extract", text=OURS, now=timezone.now())
        said = hers.get(reverse("prompts")).content.decode()
        assert said.index("own wording") > said.index("workspace:shop")
        assert said.count("bundled text") == 3  # two prompts in each of two namespaces, one with own words
        assert "without a language model" in said

    def test_the_bundled_text_stands_beside_the_own_one(
        self, hers: Client, alice: User, shop: Namespace
    ) -> None:
        prompt_override(
            namespace=shop, user=alice, name="extract", text="Mine <b>only</b>.", now=timezone.now()
        )
        said = hers.get(at(shop)).content.decode()
        assert "You read one exchange" in said
        assert "<ins>Mine &lt;b&gt;only&lt;/b&gt;.</ins>" in said
        assert "<code>evidence</code>" in said  # never mentioned
        assert "<b>only" not in said

    def test_untouched_nothing_differs_and_nobody_has_changed_it(self, hers: Client, shop: Namespace) -> None:
        said = hers.get(at(shop)).content.decode()
        assert "it reads like the bundled text" in said
        assert "Nobody has changed it yet" in said
        assert "Back to the bundled text" not in said

    def test_a_newer_bundled_text_is_pointed_out(self, hers: Client, alice: User, shop: Namespace) -> None:
        prompt_override(namespace=shop, user=alice, name="extract", text=OURS, now=timezone.now())
        PromptOverride.objects.update(based_on="extract/0")
        assert "The bundled text has changed" in hers.get(at(shop)).content.decode()

    def test_there_is_no_other_prompt(self, hers: Client, shop: Namespace) -> None:
        assert hers.get(reverse("prompt", args=[shop.pk, "nope"])).status_code == 404


class TestSaving:
    def test_an_own_wording_serves_from_then_on_whatever_line_ends_a_browser_sends(
        self, hers: Client, shop: Namespace
    ) -> None:
        assert send(hers, shop, "save", OURS.replace("\n", "\r\n")).status_code == 302
        assert prompt_for(namespace=shop, name="extract").text == OURS

    def test_the_history_tells_who_changed_what_and_leads_back(self, hers: Client, shop: Namespace) -> None:
        send(hers, shop, "save")
        send(hers, shop, "bundled", seen=sha256(OURS))
        assert prompt_for(namespace=shop, name="extract") == bundled("extract")
        said = hers.get(at(shop)).content.decode()
        history = said[said.index('id="history"') :]
        assert history.count("<li>") == 2
        assert history.count("alice") == 2
        assert "<del>Keep what is said about colours, too.</del>" in history
        assert "<ins>Keep what is said about colours, too.</ins>" in history
        first = PromptChange.objects.earliest("pk")
        again = hers.get(f"{at(shop)}?from={first.pk}").content.decode()
        assert (
            "Keep what is said about colours" in again[again.index("<textarea") : again.index("</textarea>")]
        )

    def test_the_bundled_text_saved_as_it_is_is_no_own_wording(self, hers: Client, shop: Namespace) -> None:
        said = hers.post(
            at(shop), {"do": "save", "text": PLAIN.replace("\n", "\r\n"), "seen": UNTOUCHED}, follow=True
        ).content.decode()
        assert "Nothing to change" in said
        assert not PromptOverride.objects.exists()
        assert not AuditEvent.objects.filter(verb="prompt.changed").exists()

    @pytest.mark.parametrize(("text", "sentence"), [("x" * 20_001, "too long"), ("a\0b", "Null characters")])
    def test_what_cannot_be_stored_is_refused(
        self, hers: Client, shop: Namespace, text: str, sentence: str
    ) -> None:
        refused = send(hers, shop, "save", text)
        assert refused.status_code == 422
        assert sentence in refused.content.decode()
        assert not PromptOverride.objects.exists()

    def test_of_two_owners_the_slower_is_told_and_keeps_the_draft(
        self, hers: Client, alice: User, shop: Namespace
    ) -> None:
        prompt_override(namespace=shop, user=alice, name="extract", text="Theirs.", now=timezone.now())
        late = send(hers, shop, "save", "Mine.")
        said = late.content.decode()
        assert late.status_code == 409
        assert "has changed this prompt since" in said
        assert "Mine." in said[said.index("<textarea") :]
        assert prompt_for(namespace=shop, name="extract").text == "Theirs."
        assert f'value="{sha256("Theirs.")}"' in said  # the next press has seen it
        assert send(hers, shop, "save", "Mine.", seen=sha256("Theirs.")).status_code == 302

    @pytest.mark.parametrize("role", ["reviewer", "reader", "stranger"])
    @pytest.mark.parametrize("do", ["save", "bundled", "compare", "try"])
    def test_owners_alone(self, alice: User, shop: Namespace, role: str, do: str) -> None:
        bob = build.person("bob")
        if role != "stranger":
            share(shop, alice, bob, role)
        expected = 404 if role == "stranger" else 403
        assert send(signed_in(bob), shop, do).status_code == expected
        assert signed_in(bob).get(at(shop)).status_code == expected
        assert "workspace:alice/shop" not in signed_in(bob).get(reverse("prompts")).content.decode()
        assert not PromptChange.objects.exists()

    def test_a_merge_takes_wording_and_history_along(self, alice: User, shop: Namespace) -> None:
        prompt_override(namespace=shop, user=alice, name="extract", text=OURS, now=timezone.now())
        web = build.workspace(alice, "web")
        namespace_merge(
            source_id=shop.pk, target_id=web.pk, user=alice, typed_name="shop", now=timezone.now()
        )
        assert PromptOverride.objects.get().namespace == web
        assert PromptChange.objects.get().namespace == web


def everything() -> tuple[int, ...]:
    """All that a scan would write."""
    tables = (Candidate, Evidence, Extraction, Request, PromptOverride, PromptChange, AuditEvent)
    return tuple(table.objects.count() for table in tables)


class TestTrying:
    def test_with_rules_it_says_so_and_runs_nothing(self, hers: Client, shop: Namespace, turn: Turn) -> None:
        assert "Prompts count only with a language model" in hers.get(at(shop)).content.decode()
        before = everything()
        refused = send(hers, shop, "try", turn=turn.pk)
        assert refused.status_code == 409
        assert "this server uses rules" in refused.content.decode()
        assert everything() == before
        assert not TokenMeter.objects.exists()

    def test_the_draft_is_what_is_asked_and_nothing_is_written(
        self, hers: Client, shop: Namespace, turn: Turn, model: ScriptedServer
    ) -> None:
        made_up = memory(content="Ship on Fridays.", evidence="ship on Fridays, always")
        model.steps.extend([answer(memory(), made_up)])
        before, scanned = everything(), Message.objects.filter(scanned_at=None).count()
        tried = send(hers, shop, "try", turn=turn.pk)
        said = tried.content.decode()
        assert tried.status_code == 200
        found = said[said.index("What it would propose") :]
        assert "Use pnpm instead of npm, because" in found
        assert "use pnpm instead of npm here" in found
        assert "its quote does not stand in the message" in found
        assert "11 tokens asked, 7 answered" in found
        assert "use pnpm" in found[found.index("Noted as asked for") :]
        assert "Keep what is said about colours" in str(model.requests[0])
        assert everything() == before
        assert Message.objects.filter(scanned_at=None).count() == scanned
        assert TokenMeter.objects.get(namespace=shop).tokens == 18

    def test_what_it_repeats_is_said(
        self, hers: Client, shop: Namespace, turn: Turn, model: ScriptedServer
    ) -> None:
        text = "Use pnpm instead of npm, because the lockfiles keep clashing."
        waiting = propose(shop, text, kind="decision")
        model.steps.extend([answer(memory())])
        assert "waits already" in send(hers, shop, "try", turn=turn.pk).content.decode()
        hers.post(reverse("candidate-reject", args=[waiting.pk]), {"version": 1})
        model.steps.extend([answer(memory())])
        assert "would be suppressed" in send(hers, shop, "try", turn=turn.pk).content.decode()

    def test_a_model_that_fails_is_told_and_its_cost_counted(
        self, hers: Client, shop: Namespace, turn: Turn, model: ScriptedServer, settings: Settings
    ) -> None:
        model.steps.extend([says("no json at all")])
        assert "not in the shape" in send(hers, shop, "try", turn=turn.pk).content.decode()
        assert TokenMeter.objects.get(namespace=shop).tokens == 18
        model.steps.extend([fails(400)])
        assert "could not be reached" in send(hers, shop, "try", turn=turn.pk).content.decode()
        settings.LLM_DAILY_TOKENS = 100
        assert "token budget" in send(hers, shop, "try", turn=turn.pk).content.decode()

    def test_only_ones_own_turns_of_this_namespace_are_offered_and_taken(
        self, hers: Client, alice: User, key: AgentKey, shop: Namespace, turn: Turn, model: ScriptedServer
    ) -> None:
        build.session(key, "s2", workspace="other")
        elsewhere = build.turn(key, "Somewhere else.", session="s2")
        bob = build.person("bob")
        share(shop, alice, bob, "owner")
        theirs_key = build.key(bob).key
        build.session(theirs_key, "s3", workspace="alice/shop")
        theirs = build.turn(theirs_key, "Bob's own words.", session="s3")
        assert theirs.session.home == shop
        said = hers.get(at(shop)).content.decode()
        assert "Please use pnpm" in said
        assert "Somewhere else." not in said
        assert "Bob&#x27;s own words." not in said
        for turn_id in (elsewhere.pk, theirs.pk, 10**12):
            assert send(hers, shop, "try", turn=turn_id).status_code in (404, 422)
        assert not model.requests

    def test_a_turn_must_be_chosen(self, hers: Client, shop: Namespace, model: ScriptedServer) -> None:
        refused = send(hers, shop, "try")
        assert refused.status_code == 422
        assert "Choose a turn" in refused.content.decode()

    def test_without_conversations_there_is_nothing_to_try_it_on(
        self, hers: Client, alice: User, model: ScriptedServer
    ) -> None:
        empty = build.workspace(alice, "empty")
        assert "nothing to try it on" in hers.get(at(empty)).content.decode()
