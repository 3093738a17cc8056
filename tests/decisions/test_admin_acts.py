"""An operator merges, splits and reads again in a person's stead: with a reason, and named in the audit."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from core.models import AgentKey, AuditEvent
from decisions.models import Choice, DecisionPoint, Quarantine, QuarantineState
from decisions.services.capture import hook_capture
from tests import build
from tests.decisions.capture import post, question
from tests.decisions.choosing import clicked

pytestmark = pytest.mark.django_db
POINTS = "/admin/decisions/decisionpoint/"
CALLS = "/admin/decisions/quarantine/"
METHODS = ("DDD", "TDD")
WHY = "asked for by the person"


@pytest.fixture
def page() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("boss"))
    return client


@pytest.fixture
def key() -> AgentKey:
    return build.key(build.person("alice")).key


def act(page: Client, where: str, verb: str, *rows: DecisionPoint | Quarantine) -> list[str]:
    data: dict[str, Any] = {
        "action": verb,
        "apply": "1",
        "reason": WHY,
        "_selected_action": [str(row.pk) for row in rows],
        "item": [f"{row.pk}.{row.version}" for row in rows],
    }
    answer = page.post(where, data)
    assert answer.status_code == 302, answer.content.decode()[:800]
    return [str(each) for each in page.get(where).context["messages"]]


def test_the_page_before_it_shows_no_word_of_a_question(page: Client, key: AgentKey) -> None:
    clicked(key, "DDD", text="Which secret method?", labels=METHODS)
    point = DecisionPoint.objects.get()
    asked = page.post(POINTS, {"action": "merge", "_selected_action": [str(point.pk)]})
    assert asked.status_code == 200
    assert f'value="{point.pk}.{point.version}"' in asked.content.decode()
    assert "secret method" not in asked.content.decode()


def test_points_merge_into_the_oldest_and_the_audit_names_the_operator(page: Client, key: AgentKey) -> None:
    clicked(key, "DDD", text="Which method?", labels=METHODS)
    clicked(key, "TDD", text="How do we go about that?", labels=METHODS)
    one, two = DecisionPoint.objects.order_by("first_seen_at")
    act(page, POINTS, "merge", one, two)
    two.refresh_from_db()
    assert two.merged_into == one
    assert Choice.objects.filter(point=one).count() == 2
    event = AuditEvent.objects.get(verb="choice.merge")
    assert (event.actor_type, event.actor_label, event.stream) == ("operator", "boss", f"user:{key.user_id}")


def test_points_of_two_people_never_merge(page: Client, key: AgentKey) -> None:
    clicked(key, "DDD", text="Which method?", labels=METHODS)
    clicked(build.key(build.person("bob")).key, "DDD", text="Which method?", labels=METHODS)
    one, two = DecisionPoint.objects.order_by("first_seen_at")
    assert any("one person" in said for said in act(page, POINTS, "merge", one, two))
    assert DecisionPoint.objects.live().count() == 2


def test_what_joined_by_likeness_is_split_off_and_a_stale_version_is_refused(
    page: Client, key: AgentKey
) -> None:
    for text in (
        "Which method should I use?",
        "Which method should we use?",
        "Which method should we both use?",
    ):
        clicked(key, "DDD", text=text, labels=METHODS)
    point = DecisionPoint.objects.get()
    act(page, POINTS, "split", point)
    assert DecisionPoint.objects.live().count() == 3
    assert Choice.objects.filter(point=point).count() == 1
    assert any("changed meanwhile" in s or "joined it" in s for s in act(page, POINTS, "split", point))


def test_a_quarantined_call_is_read_again_or_put_away(page: Client, key: AgentKey) -> None:
    for number, labels in enumerate((METHODS, ("DDD",))):
        payload = post({"Which?": "DDD"}, question("Which?", METHODS), tool_use=f"toolu_{number}")
        payload["tool_input"]["questions"][0]["options"] = [{"label": each} for each in labels[:1]]
        payload["tool_response"]["questions"] = payload["tool_input"]["questions"]
        hook_capture(agent_key=key, payload=payload, now=timezone.now())
    one, two = Quarantine.objects.order_by("received_at")
    assert any("still not understood" in said for said in act(page, CALLS, "run", one))
    payload = one.payload
    payload["tool_input"]["questions"][0]["options"].append({"label": "TDD"})
    payload["tool_response"]["questions"] = payload["tool_input"]["questions"]
    Quarantine.objects.filter(pk=one.pk).update(payload=payload)  # as if a later version could read it
    one.refresh_from_db()
    act(page, CALLS, "run", one)
    act(page, CALLS, "dismiss", two)
    one.refresh_from_db()
    two.refresh_from_db()
    assert (one.state, two.state) == (QuarantineState.DONE, QuarantineState.DISMISSED)
    assert Choice.objects.get().chosen == ["ddd"]
    events = AuditEvent.objects.filter(verb__in=["choice.understood", "choice.put_away"])
    assert {event.actor_type for event in events} == {"operator"}


def test_who_may_not_repair_gets_no_action(key: AgentKey) -> None:
    clicked(key, "DDD", text="Which method?", labels=METHODS)
    staff = User.objects.create_user("staff", is_staff=True)
    client = Client()
    client.force_login(staff)
    point = DecisionPoint.objects.get()
    data = {"action": "merge", "apply": "1", "reason": WHY, "_selected_action": [str(point.pk)]}
    assert client.post(POINTS, data).status_code == 403
