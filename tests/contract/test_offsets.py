"""Times with offsets that the database refuses, at each door that takes one: stored as the instant, or refused."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from core.actor import Actor
from decisions.models import Choice
from integrations.importers import read
from integrations.importers.base import FileIn
from integrations.models import HookEvent
from memory.models import Memory
from memory.services.loading import memories_load
from tests import build
from tests.contract.routes import API, DECISION, error_of
from tests.review.scene import signed_in
from transcripts.models import Message

pytestmark = pytest.mark.django_db
WIDE = "2026-03-02T01:00:00+23:59"
INSTANT = datetime(2026, 3, 1, 1, 1, tzinfo=UTC)
EDGE = "0001-01-01T00:00:00+18:00"


@pytest.fixture
def client(alice: User) -> APIClient:
    return build.api(build.key(alice).secret)


def test_recall_as_of(client: APIClient) -> None:
    assert client.get(f"{API}recall/", {"q": "python", "as_of": WIDE}).status_code == 200
    error = error_of(client.post(f"{API}recall/", {"q": "python", "as_of": EDGE}, format="json"), 422)
    assert error["details"]["field"] == "as_of"


def test_a_turn_and_a_choice(client: APIClient) -> None:
    message = {"role": "user", "text": "Use tabs.", "at": WIDE}
    sent = client.post(f"{API}turns/", {"session": "s1", "key": "t1", "messages": [message]}, format="json")
    assert sent.status_code == 201
    assert Message.objects.get().at == INSTANT
    sent = client.post(f"{API}decisions/", {**DECISION, "timestamp": WIDE}, format="json")
    assert sent.status_code == 201
    assert Choice.objects.get().at == INSTANT


def test_an_event_of_the_plugin(client: APIClient) -> None:
    event = {"hook_event_name": "Stop", "session_id": "s1"}
    for number, at in enumerate([WIDE, EDGE]):
        envelope = {
            "id": f"0190c1d2-0000-7000-8000-00000000000{number}",
            "seq": number,
            "at": at,
            "machine": "m",
        }
        sent = client.post(f"{API}hooks/claude-code/", {"hikae": envelope, "event": event}, format="json")
        assert sent.status_code == 200, sent.content
    assert INSTANT in HookEvent.objects.values_list("at", flat=True)


def test_lines_of_memories_and_of_other_stores(alice: User) -> None:
    line = '{"external_id": "%s", "namespace": "workspace:api", "kind": "fact", "content": "It is %s.", "at": "%s"}'
    lines = [line % ("a", "red", WIDE), line % ("b", "blue", EDGE), line % ("c", "green", "2026-13-45")]
    report = memories_load(user=alice, lines=lines, actor=Actor.operator("load"), now=timezone.now())
    assert [number for number, _reason in report.problems] == [2, 3]
    assert Memory.objects.get().valid_from == INSTANT
    export = '[{"memory": "It is red.", "user_id": "u", "created_at": "%s"}]'
    assert read([FileIn("a.json", (export % WIDE).encode())]).items[0].at == INSTANT
    [problem] = read([FileIn("a.json", (export % EDGE).encode())]).problems
    assert "is no date" in problem.reason


def test_the_address_of_a_next_page(alice: User) -> None:
    client: Client = signed_in(alice)
    for at in (WIDE, EDGE):
        after = f"{at}_0190c1d2-0000-7000-8000-000000000000"
        assert client.get(reverse("memories"), {"after": after}).status_code == 200
