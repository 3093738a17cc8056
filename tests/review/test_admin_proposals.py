"""Proposals are decided in the admin too: through the services, with a reason, under the operator's name."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.utils import timezone

from core.models import AuditEvent, Namespace
from core.services import audit
from knowledge.models import Proposal
from knowledge.services.proposals import proposal_file, proposal_refuse
from memory.models import Memory
from tests.review.scene import remembered, signed_in

pytestmark = pytest.mark.django_db

WHERE = "/admin/knowledge/proposal/"
WHY = "asked for by its owner"


@pytest.fixture
def page() -> Client:
    return signed_in(User.objects.create_superuser("boss"))


@pytest.fixture
def merge(alice: User, shop: Namespace) -> Proposal:
    kept, twin = (
        remembered(alice, shop, text, kind="fact")
        for text in ("Logs go to Loki.", "We keep our logs in Grafana Loki.")
    )
    payload = {
        "keep": {"id": str(kept.pk), "version": kept.version},
        "drop": [{"id": str(twin.pk), "version": twin.version}],
    }
    now = timezone.now()
    return proposal_file(
        namespace=shop, kind="merge", payload=payload, reason="they say the same", now=now
    ).proposal


def act(page: Client, verb: str, row: Proposal, **more: Any) -> list[str]:
    data = {
        "action": verb,
        "apply": "1",
        "reason": WHY,
        "_selected_action": str(row.pk),
        "item": f"{row.pk}.{row.version}",
        **more,
    }
    answer = page.post(WHERE, data)
    assert answer.status_code == 302, answer.content.decode()
    return [str(each) for each in page.get(WHERE).context["messages"]]


def active() -> int:
    return Memory.objects.filter(status="active").count()


def test_the_page_that_asks_why_says_what_would_change(page: Client, merge: Proposal) -> None:
    asked = page.post(WHERE, {"action": "accept", "_selected_action": str(merge.pk)})
    assert asked.status_code == 200
    assert "they say the same" in asked.content.decode()
    assert active() == 2


def test_a_proposal_is_accepted_undone_and_refused_as_an_operator(page: Client, merge: Proposal) -> None:
    assert act(page, "accept", merge) == ["1 row changed."]
    merge.refresh_from_db()
    assert (merge.state, active()) == ("accepted", 1)
    act(page, "reopen", merge)
    merge.refresh_from_db()
    assert (merge.state, active()) == ("open", 2)
    act(page, "refuse", merge, code="wrong")
    merge.refresh_from_db()
    assert (merge.state, merge.decision_reason, active()) == ("refused", "wrong", 2)
    events = AuditEvent.objects.filter(object_type="proposal", object_id=str(merge.pk)).exclude(
        verb="proposal.filed"
    )
    assert {(each.actor_type, each.actor_label, each.data["because"]) for each in events} == {
        ("operator", "boss", WHY)
    }
    assert audit.verify() == []


def test_who_was_faster_is_not_overruled(page: Client, alice: User, merge: Proposal) -> None:
    proposal_refuse(proposal_id=merge.pk, version=merge.version, user=alice, now=timezone.now())
    said = act(page, "accept", merge)
    assert "alice" in said[0]
    assert active() == 2


@pytest.mark.parametrize(("rights", "offered"), [(("view",), False), (("view", "change"), True)])
def test_only_somebody_with_the_right_may_decide(
    merge: Proposal, rights: tuple[str, ...], offered: bool
) -> None:
    carol = User.objects.create_user("carol", is_staff=True)
    names = [f"{right}_proposal" for right in rights]
    carol.user_permissions.set(Permission.objects.filter(codename__in=names))
    page = signed_in(carol)
    assert ("Refuse…" in page.get(WHERE).content.decode()) is offered
    page.post(
        WHERE,
        {
            "action": "refuse",
            "apply": "1",
            "reason": WHY,
            "_selected_action": str(merge.pk),
            "item": f"{merge.pk}.{merge.version}",
        },
    )
    merge.refresh_from_db()
    assert merge.state == ("refused" if offered else "open")
