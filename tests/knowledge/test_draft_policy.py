"""The draft policy: off by default, owners alone, sure drafts from approved memories, badged, undoable."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from core.errors import DomainError, Forbidden, Invalid, NotFound
from core.models import AuditEvent, Namespace
from core.services import audit
from core.services.namespaces import namespace_pause
from knowledge.models import DraftPolicy, Knowledge, Proposal
from knowledge.selectors.resident import resident
from knowledge.services.draft_policy import draft_policy_set, drafts_publish
from knowledge.services.proposals import proposal_file, proposal_refuse, proposal_undo
from knowledge.services.reading import knowledge_find
from memory.models import Memory, Request
from tests import build
from tests.memory.pipeline import Talk
from tests.review.scene import remembered, share, signed_in

pytestmark = pytest.mark.django_db

NEW = {
    "title": "Deploying",
    "slug": "deploying",
    "description": "Rules for deploying; read it before you deploy.",
    "body": "- Tag before you deploy.",
}


@pytest.fixture
def now() -> datetime:
    return timezone.now() + timedelta(minutes=1)


@pytest.fixture
def tag(api: Namespace, alice: User) -> Memory:
    return remembered(alice, api, "Tag before you deploy.", kind="pattern")


def file(tag: Memory, now: datetime, *also: dict[str, Any], confidence: float = 0.85) -> Proposal:
    own = {"type": "memory", "id": str(tag.pk), "version": tag.version}
    return proposal_file(
        namespace=tag.namespace,
        kind="create",
        payload=NEW,
        reason="",
        confidence=confidence,
        sources=[own, *also],
        now=now,
    ).proposal


def on(api: Namespace, alice: User, now: datetime) -> DraftPolicy:
    return draft_policy_set(namespace=api, user=alice, enabled=True, typed_name="api", now=now)


def test_it_is_off_unless_an_owner_says_so(tag: Memory, now: datetime) -> None:
    file(tag, now)
    assert drafts_publish(now=now) == 0
    assert not Knowledge.objects.exists()


def test_a_sure_draft_becomes_findable_badged_and_not_resident(
    api: Namespace, tag: Memory, alice: User, now: datetime
) -> None:
    on(api, alice, now)
    filed = file(tag, now)
    assert [drafts_publish(now=now), drafts_publish(now=now)] == [1, 0]
    made = Knowledge.objects.get()
    assert (made.actor, made.status, made.model_invocation) == ("policy", "active", False)
    key = build.key(alice).key
    build.session(key)
    found = knowledge_find(agent_key=key, q="how do I deploy?", references=[], session="s1")
    assert [note.slug for note in found.notes] == ["deploying"]
    assert resident(homes=[api], session=None).sections == ()
    filed.refresh_from_db()
    assert (filed.state, filed.decided_by) == ("accepted", None)
    assert AuditEvent.objects.get(verb="knowledge.created").actor_type == "policy"
    assert "draft policy" in signed_in(alice).get(reverse("note", args=[made.pk])).content.decode()
    assert "draft policy" in signed_in(alice).get(reverse("history")).content.decode()
    assert audit.verify() == []


def test_a_person_undoes_it_and_it_does_not_come_back(
    api: Namespace, tag: Memory, alice: User, now: datetime
) -> None:
    on(api, alice, now)
    filed = file(tag, now)
    drafts_publish(now=now)
    filed.refresh_from_db()
    proposal_undo(proposal_id=filed.pk, version=filed.version, user=alice, now=now)
    assert not Knowledge.objects.exists()
    assert drafts_publish(now=now) == 0
    filed.refresh_from_db()
    assert filed.state == "open"


def test_what_a_person_refused_stays_refused(api: Namespace, tag: Memory, alice: User, now: datetime) -> None:
    on(api, alice, now)
    filed = file(tag, now)
    proposal_refuse(proposal_id=filed.pk, version=1, user=alice, now=now)
    assert drafts_publish(now=now) == 0


def test_unsure_drafts_and_those_from_more_than_memories_wait(
    api: Namespace, tag: Memory, alice: User, now: datetime
) -> None:
    on(api, alice, now)
    file(tag, now, confidence=0.79)
    talk = Talk(build.key(alice).key)
    talk.say("Please deploy the api to staging.")
    asked = Request.objects.get(namespace=api)
    proposal_file(
        namespace=api,
        kind="create",
        payload={**NEW, "slug": "asked"},
        reason="",
        confidence=0.9,
        sources=[
            {"type": "memory", "id": str(tag.pk), "version": 1},
            {"type": "request", "id": str(asked.pk)},
        ],
        now=now,
    )
    assert drafts_publish(now=now) == 0
    assert not Knowledge.objects.exists()


def test_what_no_person_let_in_or_said_waits_for_one(api: Namespace, alice: User, now: datetime) -> None:
    on(api, alice, now)
    agents = remembered(alice, api, "Deploys take ten minutes.", kind="fact", trust="agent")
    file(agents, now)
    assert drafts_publish(now=now) == 0


def test_a_paused_namespace_gets_none(api: Namespace, tag: Memory, alice: User, now: datetime) -> None:
    on(api, alice, now)
    file(tag, now)
    namespace_pause(namespace=api, user=alice, paused=True, now=now)
    assert drafts_publish(now=now) == 0


def test_switching_on_needs_the_name_and_both_ways_are_audited(
    api: Namespace, alice: User, now: datetime
) -> None:
    with pytest.raises(Invalid) as caught:
        draft_policy_set(namespace=api, user=alice, enabled=True, typed_name="web", now=now)
    assert caught.value.details["field"] == "typed_name"
    assert not DraftPolicy.objects.exists()
    on(api, alice, now)
    draft_policy_set(namespace=api, user=alice, enabled=False, now=now)
    verbs = AuditEvent.objects.filter(verb__startswith="draft_policy").order_by("pk")
    assert list(verbs.values_list("verb", flat=True)) == ["draft_policy.enabled", "draft_policy.disabled"]


@pytest.mark.parametrize(
    ("role", "error"), [("reviewer", Forbidden), ("reader", Forbidden), (None, NotFound)]
)
def test_nobody_but_an_owner_may(
    api: Namespace, alice: User, now: datetime, role: str | None, error: type[DomainError]
) -> None:
    bob = build.person("bob")
    if role:
        share(api, alice, bob, role)
    with pytest.raises(error):
        draft_policy_set(namespace=api, user=bob, enabled=True, typed_name="api", now=now)
    assert not DraftPolicy.objects.exists()


def test_the_page_says_what_is_wrong_at_the_field_and_switches_both_ways(api: Namespace, alice: User) -> None:
    page, address = signed_in(alice), reverse("namespace-drafts", args=[api.pk])
    wrong = page.post(address, {"on": "1", "typed_name": "web"})
    assert wrong.status_code == 422
    assert 'id="drafts-error"' in wrong.content.decode()
    page.post(address, {"on": "1", "typed_name": "api"})
    assert DraftPolicy.objects.get().enabled
    assert "found without a person" in page.get(reverse("namespace", args=[api.pk])).content.decode()
    page.post(address, {"on": "0"})
    assert not DraftPolicy.objects.get().enabled
