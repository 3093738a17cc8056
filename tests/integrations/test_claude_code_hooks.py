"""`POST hooks/claude-code/`: questions become observations, everything else is answered with nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from decisions.models import Choice
from tests import build

pytestmark = pytest.mark.django_db
URL = "/api/v1/hooks/claude-code/"
PAYLOADS = Path(__file__).parent.parent / "decisions" / "payloads"


def events(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((PAYLOADS / f"{name}.json").read_text(encoding="utf-8"))[
        "events"
    ]
    return found


@pytest.mark.parametrize("name", ["minimum.en", "minimum.ja"])
def test_a_question_is_observed_bare_or_in_the_envelope_and_once(alice: User, name: str) -> None:
    client = build.api(build.key(alice).secret)
    (event,) = events(name)
    bare = client.post(URL, event)
    assert (bare.status_code, bare.json()) == (200, {})
    again = client.post(URL, {"hikae": {"id": "1", "at": "2026-11-01T09:00:00+09:00"}, "event": event})
    assert (again.status_code, again.json()) == (200, {})
    assert Choice.objects.visible_to(alice).count() == 1


@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SomethingNew"])
def test_other_events_are_accepted_and_answered_with_nothing(alice: User, event: str) -> None:
    client = build.api(build.key(alice).secret)
    answer = client.post(URL, {"hook_event_name": event, "session_id": "s1"})
    assert (answer.status_code, answer.json()) == (200, {})
    assert not Choice.objects.exists()


def test_a_key_without_the_scope_observes_nothing(alice: User) -> None:
    client = build.api(build.key(alice, scopes=["recall"]).secret)
    answer = client.post(URL, events("minimum.en")[0])
    assert (answer.status_code, answer.json()) == (200, {})
    assert not Choice.objects.exists()


@pytest.mark.parametrize(
    "body", [[], "text", 1, {"hikae": 1, "event": {}}, {"hikae": {}, "event": []}, {"hikae": {}}]
)
def test_what_is_no_event_gets_one_clear_error(alice: User, body: Any) -> None:
    answer = build.api(build.key(alice).secret).post(URL, body, format="json")
    assert answer.status_code in (400, 422)
    assert answer.json()["error"]["message"]


@pytest.mark.parametrize("at", [None, 1, "never", "2026-13-45", "2026-11-01T09:00:00"])
def test_a_strange_time_means_now(alice: User, at: Any) -> None:
    client = build.api(build.key(alice).secret)
    answer = client.post(URL, {"hikae": {"at": at}, "event": events("minimum.en")[0]}, format="json")
    assert answer.status_code == 200
    assert Choice.objects.count() == 1


def test_without_a_key_nobody_is_heard(alice: User) -> None:
    assert build.api("hik_00000000_wrong").post(URL, events("minimum.en")[0]).status_code == 401
