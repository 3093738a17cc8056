"""The night's drafts of notes: what is refused stays refused, what is deleted is gone, and a model only words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any
from unittest import mock

import pytest
from django.contrib.auth.models import User
from django.test import override_settings

from core.llm import InvalidAnswer, LlmUnavailable
from core.llm.scripted import ScriptedLlm
from core.models import Namespace
from core.services import audit
from knowledge.models import Knowledge, Proposal, Summary
from knowledge.services.inbox import proposals_tidy
from knowledge.services.night import writing
from knowledge.services.night.notes import Notes
from knowledge.services.night.summary import SummaryRefresh
from knowledge.services.notes import knowledge_retire
from knowledge.services.proposals import proposal_accept, proposal_refuse
from knowledge.services.reading import knowledge_read
from knowledge.services.summaries import summary_write
from memory.models import Memory, TokenMeter
from memory.services.memories import memory_delete, memory_edit, memory_retire
from memory.services.prompts import prompt_override
from tests import build
from tests.knowledge.make import knowledge
from tests.knowledge.nights import DAWN, night, said, waiting

pytestmark = pytest.mark.django_db

NOTES, BOTH = (Notes(),), (Notes(), SummaryRefresh())
DEPLOYS = (
    "Tag the release before every deploy to production.",
    "Deploys to production happen from the main branch only.",
    "A production deploy needs green migrations.",
)


@pytest.fixture
def deploys(api: Namespace, alice: User) -> list[Memory]:
    made = {memory.content: memory for memory in said(api, alice, *DEPLOYS, kind="pattern")}
    return [made[content] for content in DEPLOYS]


def later(days: int) -> datetime:
    return DAWN + timedelta(days=days)


def only(home: Namespace, kind: str = "create") -> Proposal:
    [found] = [each for each in waiting(home) if each.kind == kind]
    return found


def accepted(proposal: Proposal, user: User, now: datetime = DAWN) -> Knowledge:
    proposal_accept(proposal_id=proposal.pk, version=proposal.version, user=user, now=now)
    return Knowledge.objects.latest("created_at")


def test_what_a_person_refused_does_not_come_back_with_one_fact_more(
    api: Namespace, alice: User, deploys: list[Memory]
) -> None:
    night(api, later(1), NOTES)
    proposal_refuse(proposal_id=only(api).pk, version=1, user=alice, now=later(1))
    said(api, alice, "Watch the logs after a production deploy.", now=later(2), kind="pattern")
    night(api, later(2), NOTES)
    assert waiting(api) == []


def test_a_topic_that_waits_is_not_proposed_twice(api: Namespace, alice: User, deploys: list[Memory]) -> None:
    night(api, later(1), NOTES)
    said(api, alice, "Watch the logs after a production deploy.", now=later(2), kind="pattern")
    run = night(api, later(2), NOTES)
    assert len(waiting(api)) == 1
    assert run.skipped.get("busy") == 1
    accepted(only(api), alice, later(3))
    night(api, later(4), NOTES)
    assert "Watch the logs" in only(api, "update").payload["body"]


def test_a_note_that_a_person_retired_is_not_made_anew(
    api: Namespace, alice: User, deploys: list[Memory]
) -> None:
    night(api, later(1), NOTES)
    made = accepted(only(api), alice)
    knowledge_retire(knowledge_id=made.pk, version=made.version, user=alice, now=later(1))
    night(api, later(2), NOTES)
    assert waiting(api) == []


def test_no_more_than_a_handful_a_night_and_the_rest_the_next(api: Namespace, alice: User) -> None:
    said(
        api,
        alice,
        *("Invoice numbers run through the year.", "Every invoice shows its due date."),
        *("Redis holds sessions alone.", "Redis has one replica in Osaka."),
        *("Playwright traces go to the bucket.", "Playwright opens Chromium, not Firefox."),
        *("Terraform plans are read by two people.", "Terraform modules live in infra/modules."),
        *("GraphQL fields are never renamed.", "GraphQL resolvers batch their queries."),
        *("Kafka topics carry the owner's prefix.", "Kafka consumers commit by hand."),
        *("Grafana panels use UTC.", "Grafana alerts page the platform group."),
        kind="pattern",
    )
    first = night(api, later(1), NOTES)
    assert (first.proposed, first.skipped.get("enough")) == (5, 2)
    for draft in waiting(api):
        accepted(draft, alice, later(1))
    assert night(api, later(2), NOTES).proposed == 2
    assert night(api, later(3), NOTES).proposed == 0
    assert len({each.payload["slug"] for each in waiting(api)}) == 2


def test_a_line_that_is_no_longer_true_is_exchanged_and_one_that_was_wrong_goes(
    api: Namespace, alice: User, deploys: list[Memory]
) -> None:
    night(api, later(1), NOTES)
    made = accepted(only(api), alice)
    memory_retire(
        memory_id=deploys[1].pk, version=deploys[1].version, user=alice, reason="wrong", now=later(2)
    )
    night(api, later(2), NOTES)
    change = only(api, "update")
    assert DEPLOYS[1] in made.body
    assert DEPLOYS[1] not in change.payload["body"]
    assert DEPLOYS[0] in change.payload["body"]


def test_an_edited_memory_is_looked_at_anew(api: Namespace, alice: User, deploys: list[Memory]) -> None:
    night(api, later(1), BOTH)
    proposal_accept(proposal_id=only(api, "summary").pk, version=1, user=alice, now=later(1))
    one = deploys[0]
    memory_edit(
        memory_id=one.pk,
        version=one.version,
        user=alice,
        content="Sign the release.",
        kind="pattern",
        now=later(2),
    )
    night(api, later(2), (SummaryRefresh(),))
    body = only(api, "summary").payload["body"]
    assert "- Sign the release." in body
    assert DEPLOYS[0] not in body


def test_a_note_in_use_is_not_emptied(api: Namespace, alice: User, deploys: list[Memory]) -> None:
    night(api, later(1), NOTES)
    made = accepted(only(api), alice, later(1))
    key = build.key(alice).key
    build.session(key)
    knowledge_read(agent_key=key, slug=made.slug, references=[], session="s1", now=later(1))
    for memory in deploys:
        memory_retire(memory_id=memory.pk, version=memory.version, user=alice, reason="wrong", now=later(2))
    run = night(api, later(2), NOTES)
    assert run.skipped.get("protected") == 1
    assert waiting(api) == []


def test_a_note_that_a_person_wrote_gets_what_belongs_to_it(
    api: Namespace, alice: User, deploys: list[Memory]
) -> None:
    mine = knowledge(
        api,
        alice,
        "production-deploys",
        description="Deploys to production: read it before you release from the main branch, tag or migrate.",
        body="Ask Carol first.",
    )
    night(api, later(1), NOTES)
    change = only(api, "update")
    assert change.payload["note"]["id"] == str(mine.pk)
    assert change.payload["body"].startswith("Ask Carol first.\n")
    assert not [each for each in waiting(api) if each.kind == "create"]


class TestTheSummary:
    def test_keeps_a_persons_lines_and_does_not_bring_back_what_they_took_out(
        self, api: Namespace, alice: User, deploys: list[Memory]
    ) -> None:
        night(api, later(1), BOTH)
        proposal_accept(proposal_id=only(api, "summary").pk, version=1, user=alice, now=later(1))
        held = Summary.objects.get()
        kept = [line for line in held.body.splitlines() if line != f"- {DEPLOYS[1]}"]
        mine = "\n".join(["Read me first.", "", *kept])
        assert DEPLOYS[1] in held.body
        assert DEPLOYS[1] not in mine
        summary_write(namespace_id=api.pk, version=held.version, user=alice, body=mine, now=later(1))
        said(api, alice, "The API answers in JSON.", now=later(2))
        night(api, later(2), BOTH)
        body = only(api, "summary").payload["body"]
        assert body.startswith("Read me first.")
        assert "The API answers in JSON." in body
        assert DEPLOYS[1] not in body

    def test_stays_within_its_share_of_what_sessions_start_with(self, api: Namespace, alice: User) -> None:
        said(api, alice, *(f"Service {n} listens on port {8000 + n} behind the gateway." for n in range(60)))
        with override_settings(SUMMARY_TOKENS=300, RESIDENT_CHARS=1_000):
            night(api, later(1), (SummaryRefresh(),))
        body = only(api, "summary").payload["body"]
        assert 300 < len(body) <= 500


class TestDeletion:
    def test_a_deleted_memorys_words_leave_the_note_the_summary_and_their_history(
        self, api: Namespace, alice: User, deploys: list[Memory]
    ) -> None:
        night(api, later(1), BOTH)
        made = accepted(only(api), alice)
        proposal_accept(proposal_id=only(api, "summary").pk, version=1, user=alice, now=later(1))
        gone = deploys[1]
        memory_delete(memory_id=gone.pk, version=gone.version, user=alice, now=later(2))
        proposals_tidy(now=later(2))
        made.refresh_from_db()
        summary = Summary.objects.get()
        rows: list[Any] = [made, summary]
        for row in rows:
            assert "main branch" not in row.body
            assert DEPLOYS[0] in row.body
            assert all("main branch" not in each.body for each in row.history.all())
        assert str(gone.pk) not in str([made.last_sources, summary.lines])
        assert all("main branch" not in str(each.payload) for each in Proposal.objects.all())
        assert proposals_tidy(now=later(2)) == 0
        assert audit.verify() == []


GOOD: dict[str, Any] = {
    "title": "Deploying to production",
    "description": "Order of a production deploy. Read it before you deploy or release.",
    "body": "1. Tag the release.\n2. Check that the migrations are green.\n"
    "3. Deploy to production, from the main branch only.",
    "used": [1, 2, 3],
}


@contextmanager
def speaking(*answers: Any) -> Iterator[ScriptedLlm]:
    """A model that answers like this."""
    model = ScriptedLlm(answers)
    with override_settings(EXTRACTOR="llm"), mock.patch.object(writing, "llm", return_value=model):
        yield model


class TestWithAModel:
    def test_a_founded_answer_words_the_note_and_costs_its_tokens(
        self, api: Namespace, alice: User, deploys: list[Memory]
    ) -> None:
        with speaking(GOOD) as model:
            run = night(api, later(1), NOTES)
        draft = only(api)
        assert (draft.payload["title"], draft.payload["body"]) == (GOOD["title"], GOOD["body"])
        assert draft.payload["slug"] == "deploying-production"
        assert (run.used_model, run.tokens > 0, len(model.asked)) == (True, True, 1)
        assert TokenMeter.objects.get(namespace=api).tokens == run.tokens
        assert "model_invocation" not in draft.payload
        assert DEPLOYS[0] in model.asked[0].user

    @pytest.mark.parametrize(
        "answer",
        [
            {**GOOD, "used": [1, 7]},
            {**GOOD, "description": "About deploys."},
            {**GOOD, "body": "Deploy version 9.9 to production."},
            InvalidAnswer("no JSON", prompt_tokens=5, calls=1),
            LlmUnavailable("away", calls=1),
        ],
    )
    def test_any_other_answer_leaves_the_templates_words(
        self, api: Namespace, alice: User, deploys: list[Memory], answer: Any
    ) -> None:
        with speaking(answer):
            run = night(api, later(1), NOTES)
        assert all(each in only(api).payload["body"] for each in DEPLOYS)
        assert (run.used_model, run.skipped.get("template")) == (False, 1)

    def test_beyond_the_days_budget_nothing_is_asked(
        self, api: Namespace, alice: User, deploys: list[Memory]
    ) -> None:
        with speaking(GOOD) as model, override_settings(LLM_DAILY_TOKENS=100):
            run = night(api, later(1), NOTES)
        assert (model.asked, run.tokens) == ([], 0)
        assert DEPLOYS[0] in only(api).payload["body"]

    def test_a_secret_in_an_answer_is_redacted(
        self, api: Namespace, alice: User, deploys: list[Memory]
    ) -> None:
        token = "ghp_" + "EXAMPLE" * 5 + "a"
        said(api, alice, f"Production deploys use the token {token} of the main branch.", kind="fact")
        with speaking({**GOOD, "body": GOOD["body"] + f"\n4. Use {token}."}, GOOD):
            night(api, later(1), NOTES)
        assert token not in str(only(api).payload)

    def test_the_namespaces_own_prompt_is_asked(
        self, api: Namespace, alice: User, deploys: list[Memory]
    ) -> None:
        prompt_override(namespace=api, user=alice, name="consolidate", text="Our words.", now=DAWN)
        with speaking(GOOD) as model:
            night(api, later(1), NOTES)
        assert model.asked[0].system.startswith("Our words.")
