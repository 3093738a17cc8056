"""The prompt for notes, tried on what a past night drafted one from: read by its owner, asked once, nothing filed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from core.llm.scripted import ScriptedServer, Step, fails, says
from core.models import AuditEvent, Namespace
from core.text import sha256
from knowledge.models import Knowledge, Proposal
from knowledge.services.night.notes import Notes
from memory.models import Memory, PromptOverride, TokenMeter
from memory.services.memories import memory_retire
from tests import build
from tests.knowledge.nights import DAWN, night, said
from tests.review.scene import share, signed_in

pytestmark = pytest.mark.django_db

GOOD = {
    "title": "Deploying to production",
    "description": "Order of a production deploy. Read it before you deploy or release.",
    "body": "1. Tag the release.\n2. Check that the migrations are green.\n3. Deploy to production, "
    "from the main branch only.",
    "used": [1, 2, 3],
}


def everything() -> tuple[int, ...]:
    """All that a night, or saving, would write."""
    return tuple(table.objects.count() for table in (Proposal, Knowledge, PromptOverride, AuditEvent))


@pytest.fixture
def drafted(shop: Namespace, alice: User) -> Proposal:
    said(
        shop,
        alice,
        "Tag the release before every deploy to production.",
        "Deploys to production happen from the main branch only.",
        "A production deploy needs green migrations.",
        kind="pattern",
    )
    night(shop, DAWN + timedelta(days=1), (Notes(),))
    return Proposal.objects.get(kind="create")


def at(shop: Namespace) -> str:
    return reverse("prompt", args=[shop.pk, "consolidate"])


def send(client: Client, shop: Namespace, text: str = "Our words.", **more: object) -> HttpResponse:
    form = {"do": "try", "text": text, "seen": sha256(""), **more}
    return client.post(at(shop), form)  # type: ignore[return-value]


def test_the_note_it_would_give_stands_beside_the_nights_and_nothing_is_written(
    hers: Client, shop: Namespace, drafted: Proposal, model: ScriptedServer
) -> None:
    model.steps.extend([says(GOOD)])
    before, was = everything(), (drafted.payload, drafted.version)
    assert drafted.payload["title"] in hers.get(at(shop)).content.decode()
    tried = send(hers, shop, draft=drafted.pk)
    found = tried.content.decode().partition("The note it would give")[2]
    assert tried.status_code == 200
    assert "Deploying to production" in found
    assert "<li>Check that the migrations are green.</li>" in found
    assert drafted.payload["title"] in found
    assert "18 tokens" in found
    asked = str(model.requests[0])
    assert "Our words." in asked
    assert "A production deploy needs green migrations." in asked
    drafted.refresh_from_db()
    assert (drafted.payload, drafted.version) == was
    assert everything() == before
    assert TokenMeter.objects.get(namespace=shop).tokens == 18


def test_what_the_new_note_leaves_out_is_named(
    hers: Client, shop: Namespace, drafted: Proposal, model: ScriptedServer
) -> None:
    model.steps.extend([says({**GOOD, "used": [1, 2]})])
    told = send(hers, shop, draft=drafted.pk).content.decode()
    left = told.partition("Left out of it")[2].partition("</ul>")[0]
    assert left.count("<li>") == 1


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        (says({**GOOD, "body": "Deploy version 9.9 to production."}), "do not bear out"),
        (says("no json at all"), "not in the shape"),
        (fails(400), "could not be reached"),
    ],
)
def test_an_answer_that_a_night_would_not_use_is_told_with_its_reason(
    hers: Client,
    shop: Namespace,
    drafted: Proposal,
    model: ScriptedServer,
    step: Step,
    sentence: str,
) -> None:
    model.steps.extend([step])
    told = send(hers, shop, draft=drafted.pk).content.decode()
    assert sentence in told
    assert "keep the words of the template" in told
    assert "With the wording above" not in told


def test_beyond_the_days_budget_nothing_is_asked(
    hers: Client, shop: Namespace, drafted: Proposal, model: ScriptedServer, settings: Settings
) -> None:
    settings.LLM_DAILY_TOKENS = 100
    assert "token budget" in send(hers, shop, draft=drafted.pk).content.decode()
    assert not model.requests


def test_only_drafts_of_this_namespace_and_only_its_owners(
    hers: Client, alice: User, shop: Namespace, drafted: Proposal, model: ScriptedServer
) -> None:
    web = build.workspace(alice, "web")
    assert drafted.payload["title"] not in hers.get(at(web)).content.decode()
    assert send(hers, web, draft=drafted.pk).status_code in (404, 422)
    bob = build.person("bob")
    assert send(signed_in(bob), shop, draft=drafted.pk).status_code == 404
    share(shop, alice, bob, "reviewer")
    assert send(signed_in(bob), shop, draft=drafted.pk).status_code == 403
    assert not model.requests


def test_a_draft_whose_memories_are_gone_is_nothing_to_try_it_on(
    hers: Client, alice: User, shop: Namespace, drafted: Proposal, model: ScriptedServer
) -> None:
    for memory in Memory.objects.filter(namespace=shop):
        memory_retire(memory_id=memory.pk, version=1, user=alice, reason="outdated", now=DAWN)
    told = send(hers, shop, draft=drafted.pk)
    assert told.status_code == 422
    assert "Nothing that this note was drafted from is left" in told.content.decode()
    assert not model.requests


def test_a_draft_must_be_chosen_and_without_nights_the_way_to_one_is_shown(
    hers: Client, alice: User, shop: Namespace, drafted: Proposal, model: ScriptedServer
) -> None:
    assert "Choose a draft" in send(hers, shop).content.decode()
    empty = build.workspace(alice, "empty")
    told = hers.get(at(empty)).content.decode()
    assert "No night has drafted a note" in told
    assert reverse("nights") in told


def test_with_rules_it_says_so(hers: Client, shop: Namespace, drafted: Proposal) -> None:
    refused = send(hers, shop, draft=drafted.pk)
    assert refused.status_code == 409
    assert "this server uses rules" in refused.content.decode()
