"""Drafted notes and summaries in the queue: read, compare, change, accept, refuse, undo."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.models import Namespace
from knowledge.models import Knowledge, Proposal, Summary
from knowledge.services.notes import knowledge_edit
from knowledge.services.proposals import proposal_file
from memory.models import Memory
from tests import build
from tests.knowledge.make import knowledge, note, summary
from tests.review.scene import remembered, share, signed_in

pytestmark = pytest.mark.django_db

REVIEW = "/settings/memory/"
HTMX = {"HX-Request": "true"}
NEW = {
    "title": "Deploying",
    "slug": "deploying",
    "description": "Rules for deploying; read it before you deploy.",
    "body": "- Tag before you deploy.\n- <script>alert(1)</script>",
}


@pytest.fixture
def page(alice: User) -> Client:
    return signed_in(alice)


@pytest.fixture
def tag(alice: User, shop: Namespace) -> Memory:
    return remembered(alice, shop, "Tag before you deploy.", kind="pattern")


def file(tag: Memory, kind: str, **payload: Any) -> Proposal:
    return proposal_file(
        namespace=tag.namespace,
        kind=kind,
        payload=payload,
        reason="1 approved memory is about the same subject.",
        confidence=0.8,
        sources=[{"type": "memory", "id": str(tag.pk), "version": tag.version}],
        now=timezone.now(),
    ).proposal


def at(name: str, proposal: Proposal) -> str:
    return reverse(name, args=[proposal.pk])


def test_a_new_note_is_shown_whole_with_what_it_was_made_from(page: Client, tag: Memory) -> None:
    filed = file(tag, "create", **NEW)
    row = page.get(REVIEW).content.decode()
    assert "Rules for deploying; read it before you deploy." in row
    assert "Create the note" in row
    whole = page.get(at("proposal", filed)).content.decode()
    assert "<li>Tag before you deploy.</li>" in whole
    assert "<script>alert" not in whole
    assert reverse("memory", args=[tag.pk]) in whole
    assert "1 approved memory is about the same subject." in whole


def test_accepting_creates_it_and_undo_takes_it_away(page: Client, tag: Memory) -> None:
    filed = file(tag, "create", **NEW)
    answer = page.post(at("proposal-accept", filed), {"version": 1}, headers=HTMX)
    assert "hikae:done" in answer.headers["HX-Trigger-After-Swap"]
    made = Knowledge.objects.get()
    assert (made.slug, made.model_invocation) == ("deploying", False)
    assert reverse("note", args=[made.pk]) in page.get(at("proposal", filed)).content.decode()
    assert "Deploying" in page.get(reverse("history")).content.decode()
    page.post(reverse("undo"))
    assert not Knowledge.objects.exists()
    assert Proposal.objects.get().state == "open"


def test_ones_own_words_are_taken_and_what_is_wrong_with_them_is_said_at_the_fields(
    page: Client, tag: Memory
) -> None:
    filed = file(tag, "create", **NEW)
    typed = {**NEW, "own": "1", "version": "1", "slug": "Not A Slug", "title": ""}
    answer = page.post(at("proposal-accept", filed), typed)
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"slug", "title"}
    assert not Knowledge.objects.exists()
    typed |= {"slug": "releasing", "title": "Releasing", "model_invocation": "on"}
    assert page.post(at("proposal-accept", filed), typed).status_code == 302
    made = Knowledge.objects.get()
    assert (made.slug, made.title, made.model_invocation) == ("releasing", "Releasing", False)


def test_a_taken_slug_is_said_at_its_field(page: Client, tag: Memory, shop: Namespace, alice: User) -> None:
    knowledge(shop, alice, "deploying")
    filed = file(tag, "create", **NEW)
    answer = page.post(at("proposal-accept", filed), {**NEW, "own": "1", "version": "1"})
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["slug"])


def test_a_slug_that_is_easily_confused_is_named(
    page: Client, tag: Memory, shop: Namespace, alice: User
) -> None:
    knowledge(shop, alice, "deployings")
    said = page.get(at("proposal", file(tag, "create", **NEW))).content.decode()
    assert "Easily confused with" in said
    assert "#deployings" in said


def test_a_change_of_a_note_is_a_diff_and_outdated_once_the_note_moved_on(
    page: Client, tag: Memory, shop: Namespace, alice: User
) -> None:
    held = knowledge(shop, alice, "deploying", body="- Deploys run from main.")
    filed = file(
        tag,
        "update",
        note={"id": str(held.pk), "version": 1},
        title=held.title,
        description="Read it before you deploy or tag.",
        body="- Deploys run from main.\n- Tag before you deploy.",
    )
    said = page.get(at("proposal", filed)).content.decode()
    assert "<ins>- Tag before you deploy.</ins>" in said
    assert "<span>- Deploys run from main.</span>" in said
    knowledge_edit(knowledge_id=held.pk, version=1, user=alice, note=note("deploying"), now=timezone.now())
    said = page.get(REVIEW).content.decode()
    assert "The note was changed since this was proposed" in said
    assert page.post(at("proposal-accept", filed), {"version": 1}).status_code == 409


def test_the_summary_is_compared_and_can_be_reworded(
    page: Client, tag: Memory, shop: Namespace, alice: User
) -> None:
    summary(shop, alice, "By hand.")
    filed = file(tag, "summary", version=1, body="By hand.\n- Tag before you deploy.")
    said = page.get(at("proposal", filed)).content.decode()
    assert "<ins>- Tag before you deploy.</ins>" in said
    page.post(at("proposal-accept", filed), {"own": "1", "version": "1", "body": "In my words."})
    assert Summary.objects.get().body == "In my words."
    page.post(reverse("undo"))
    assert Summary.objects.get().body == "By hand."


def test_refusing_leaves_everything_as_it_is(page: Client, tag: Memory) -> None:
    filed = file(tag, "create", **NEW)
    page.post(at("proposal-refuse", filed), {"version": 1, "reason": ""})
    assert not Knowledge.objects.exists()
    assert Proposal.objects.get().state == "refused"


def test_readers_and_strangers_see_and_decide_nothing(tag: Memory, shop: Namespace, alice: User) -> None:
    filed = file(tag, "create", **NEW)
    bob, eve = build.person("bob"), build.person("eve")
    share(shop, alice, bob, "reader")
    for who, status in ((bob, 403), (eve, 404)):
        client = signed_in(who)
        assert client.get(at("proposal", filed)).status_code == status
        for words in ({"version": "1"}, {**NEW, "own": "1", "version": "1"}):
            assert client.post(at("proposal-accept", filed), words).status_code == status
        assert "Deploying" not in client.get(REVIEW).content.decode()
    assert not Knowledge.objects.exists()
