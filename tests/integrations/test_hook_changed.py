"""An answer that comes again and says something else: the first counts, and the person sees the second."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from core.errors import Conflict
from decisions.models import Choice, Quarantine
from decisions.services.capture import quarantine_run
from decisions.services.quarantine import quarantine_dismiss
from integrations.models import HookEvent
from tests import build
from tests.integrations.hooking import URL, golden, send

pytestmark = pytest.mark.django_db
QUESTION = "Which database do we use?"


@pytest.fixture
def client(alice: User) -> APIClient:
    return build.api(build.key(alice).secret)


def answered(label: str) -> dict[str, Any]:
    event = golden("PostToolUse.full")
    for part in ("tool_input", "tool_response"):
        event[part]["answers"] = {QUESTION: label}
    return event


def page_of(user: User) -> str:
    browser = Client()
    browser.force_login(user)
    return browser.get(reverse("choices-quarantine")).content.decode()


def test_the_first_stays_and_the_second_waits_where_the_person_looks(
    client: APIClient, alice: User, bob: User
) -> None:
    send(client, answered("SQLite"))
    assert send(client, answered("PostgreSQL (Recommended)")) == {}
    assert Choice.objects.get().chosen == ["sqlite"]
    row = Quarantine.objects.visible_to(alice).waiting().get()
    assert row.reason == "choice_changed"
    assert HookEvent.objects.filter(note="choice_changed").exists()
    page = page_of(alice)
    assert "already answered differently" in page
    assert "PostgreSQL (Recommended)" in page
    assert "already answered" not in page_of(bob)


def test_without_an_envelope_it_is_seen_as_well_and_once_however_often_it_comes(
    client: APIClient, alice: User
) -> None:
    client.post(URL, answered("SQLite"))
    for _again in range(3):
        answer = client.post(URL, answered("PostgreSQL (Recommended)"))
        assert (answer.status_code, answer.json()) == (200, {})
    assert Quarantine.objects.visible_to(alice).get().runs == 3
    assert Choice.objects.get().chosen == ["sqlite"]


def test_the_same_again_is_no_change(client: APIClient) -> None:
    send(client, answered("SQLite"))
    send(client, answered("SQLite"))
    assert not Quarantine.objects.exists()


def test_trying_again_says_why_and_putting_away_holds(client: APIClient, alice: User) -> None:
    send(client, answered("SQLite"))
    send(client, answered("PostgreSQL (Recommended)"))
    row = Quarantine.objects.get()
    with pytest.raises(Conflict) as refused:
        quarantine_run(quarantine_id=row.pk, user=alice, now=row.received_at)
    assert refused.value.code == "choice_changed"
    quarantine_dismiss(quarantine_id=row.pk, user=alice, now=row.received_at)
    send(client, answered("PostgreSQL (Recommended)"))
    assert not Quarantine.objects.waiting().exists()
    assert Choice.objects.get().chosen == ["sqlite"]


def test_secrets_in_it_are_cut_out(client: APIClient) -> None:
    send(client, answered("SQLite"))
    send(client, answered("use AKIAIOSFODNN7EXAMPLE"))
    assert "AKIAIOSFODNN7EXAMPLE" not in str(Quarantine.objects.get().payload)
