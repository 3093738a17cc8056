"""The plain record: reported, checked strictly, never a wrong observation."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from core.models import Namespace
from core.services.namespaces import namespace_pause
from decisions.models import Choice, DecisionPoint, Quarantine
from tests import build
from tests.decisions.capture import URL, choices, record, sent
from transcripts.models import AgentSession, Message

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(alice: User) -> APIClient:
    return build.api(build.key(alice).secret)


def only(user: User) -> Choice:
    (row,) = choices(user)
    return row


def test_a_record_is_a_reported_choice_of_its_own_time(alice: User, client: APIClient) -> None:
    (choice,) = sent(client, record(session="s1"), 201)
    row = only(alice)
    assert choice == {"id": str(row.pk), "question": "Which tier?", "outcome": "observed", "reason": ""}
    assert (row.source, row.chosen, row.decision_id) == ("reported", ["tier m"], "d1")
    assert row.at.isoformat() == "2026-01-05T01:00:00+00:00"
    assert row.context == {"phase": "plan"}
    assert row.session == AgentSession.objects.get(key="s1")


def test_a_session_is_optional(alice: User, client: APIClient) -> None:
    sent(client, record(user_choice="Words of my own"))
    assert (only(alice).session, only(alice).chosen, only(alice).other_text) == (
        None,
        ["other"],
        "Words of my own",
    )
    assert not Message.objects.exists()


def test_with_a_session_ones_own_words_are_a_message(alice: User, client: APIClient) -> None:
    sent(client, record(user_choice="Words of my own", session="s1"))
    assert Message.objects.get(role="user").text == "Words of my own"


def test_several_labels_are_a_multiple_choice(alice: User, client: APIClient) -> None:
    sent(client, record(user_choice=["Tier S", "Tier L"]))
    assert (only(alice).chosen, only(alice).multi) == (["tier s", "tier l"], True)


def test_options_may_carry_descriptions(alice: User, client: APIClient) -> None:
    sent(client, record(all_options=[{"label": "Tier M", "description": "medium"}, "Tier S"]))
    assert only(alice).offered[0] == {"key": "tier m", "label": "Tier M", "description": "medium"}


def test_it_is_taken_once(alice: User, client: APIClient) -> None:
    first = sent(client, record(), 201)
    assert sent(client, record(), 200) == first
    assert len(choices(alice)) == 1


@pytest.mark.parametrize("change", [{"user_choice": "Tier L"}, {"question": "Which level?"}])
def test_the_same_id_with_something_else_is_a_conflict(
    alice: User, client: APIClient, change: dict[str, Any]
) -> None:
    sent(client, record())
    answer = client.post(URL, record(**change))
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "choice_changed")
    assert only(alice).chosen == ["tier m"]


def test_ids_of_two_sessions_and_of_two_persons_are_not_the_same(alice: User, client: APIClient) -> None:
    sent(client, record(session="s1"))
    sent(client, record(session="s2"))
    bob = build.person("bob")
    sent(build.api(build.key(bob).secret), record(session="s1", user_choice="Tier L"))
    assert len(choices(alice)) == 2
    assert only(bob).chosen == ["tier l"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"all_options": ["Tier M"]}, "too_few_options"),
        ({"all_options": ["Tier M", "ｔｉｅｒ  m (Recommended)"]}, "equal_options"),
        ({"all_options": ["x" * 2_001, "Tier M"]}, "too_long"),
        ({"question": "  "}, "unknown_shape"),
    ],
)
def test_what_no_dialog_could_show_is_set_aside(
    alice: User, client: APIClient, change: dict[str, Any], reason: str
) -> None:
    (choice,) = sent(client, record(**change))
    assert (choice["outcome"], choice["reason"]) == ("quarantined", reason)
    assert str(Quarantine.objects.visible_to(alice).get().pk) == choice["id"]
    assert not Choice.objects.exists()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"timestamp": "2026-01-05T10:00:00"}, "timestamp"),
        ({"timestamp": "2026-01-05"}, "timestamp"),
        ({"timestamp": "2026-13-05T10:00:00Z"}, "timestamp"),
        ({"timestamp": "0001-01-01T00:00:00+14:00"}, "timestamp"),
        ({"timestamp": "9999-12-31T23:59:59-14:00"}, "timestamp"),
        ({"timestamp": (timezone.now() + timedelta(days=2_000)).isoformat()}, "timestamp"),
        ({"timestamp": 1700000000}, "timestamp"),
        ({"user_choice": ""}, "user_choice"),
        ({"user_choice": []}, "user_choice"),
        ({"user_choice": ["Tier M", 3]}, "user_choice"),
        ({"user_choice": {"label": "Tier M"}}, "user_choice"),
        ({"user_choice": True}, "user_choice"),
        ({"all_options": "Tier M"}, "all_options"),
        ({"all_options": [1, 2]}, "all_options"),
        ({"all_options": [{"name": "Tier M"}, "x"]}, "all_options"),
        ({"context": [1]}, "context"),
        ({"context": {"a": [1]}}, "context"),
        ({"decision_id": ""}, "decision_id"),
        ({"decision_id": 5}, "decision_id"),
        ({"session": ""}, "session"),
        ({"person": "bob"}, "person"),
    ],
)
def test_a_wrong_field_is_named_and_nothing_is_stored(
    alice: User, client: APIClient, change: dict[str, Any], field: str
) -> None:
    answer = client.post(URL, record(**change))
    assert answer.status_code == 422
    assert answer.json()["error"]["details"]["field"].startswith(field)
    assert not Choice.objects.exists()
    assert not Quarantine.objects.exists()


def test_what_was_settled_without_a_person_is_no_choice(alice: User, client: APIClient) -> None:
    (choice,) = sent(client, record(context={"auto_resolved": True}))
    assert (choice["outcome"], choice["reason"]) == ("skipped", "auto_resolved")
    assert not DecisionPoint.objects.exists()


def test_a_paused_persona_stores_nothing(alice: User, client: APIClient) -> None:
    persona = Namespace.objects.get(owner=alice, type="persona")
    namespace_pause(namespace=persona, user=alice, paused=True, now=timezone.now())
    answer = client.post(URL, record())
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "paused")
    assert not Choice.objects.exists()
