"""What was not understood waits visibly, and can be read again (design section 5)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from core.errors import Conflict, NotFound
from core.models import AuditEvent
from decisions.capture import reading
from decisions.models import Choice, Quarantine
from decisions.services.capture import hook_capture, quarantine_run
from decisions.services.quarantine import quarantine_dismiss
from tests import build
from tests.decisions.capture import choices, post, question, record, sent

pytestmark = pytest.mark.django_db


def five() -> dict[str, Any]:
    """Tomorrow's client may ask five questions; today's cannot."""
    asked = [question(f"Question {'abcde'[n]} about tiers?", header="") for n in range(5)]
    return post({each["question"]: "Tier M" for each in asked}, *asked)


@pytest.fixture
def waiting(alice: User) -> Quarantine:
    at = timezone.now() - timedelta(hours=3)
    hook_capture(agent_key=build.key(alice).key, payload=five(), now=timezone.now(), at=at)
    return Quarantine.objects.visible_to(alice).waiting().get()


def test_it_keeps_why_where_and_what(waiting: Quarantine) -> None:
    assert (waiting.reason, waiting.detail) == ("too_many_questions", "tool_response.questions")
    assert waiting.payload == five()


def test_read_again_it_may_still_not_be_understood(alice: User, waiting: Quarantine) -> None:
    captured = quarantine_run(quarantine_id=waiting.pk, user=alice, now=timezone.now())
    assert {result.outcome for result in captured.results} == {"quarantined"}
    waiting.refresh_from_db()
    assert (waiting.state, waiting.runs) == ("waiting", 2)
    assert Quarantine.objects.count() == 1


@pytest.mark.parametrize("shape", ["hook", "record"])
def test_a_call_with_a_secret_waits_once_however_often_it_is_read_again(alice: User, shape: str) -> None:
    """What is kept is redacted, so that it does not hash as what was sent."""
    client = build.api(build.key(alice).secret)
    secret = "Which tier for AKIAIOSFODNN7EXAMPLE?"
    one = ("Tier M",)
    body = post({secret: "Tier M"}, question(secret, one)) if shape == "hook" else {}
    sent(client, body or record(question=secret, all_options=one))
    for _ in range(2):
        [waiting] = Quarantine.objects.visible_to(alice)
        quarantine_run(quarantine_id=waiting.pk, user=alice, now=timezone.now())
    [waiting] = Quarantine.objects.visible_to(alice)
    assert (waiting.state, waiting.runs) == ("waiting", 3)


def test_understood_later_it_counts_as_of_the_time_it_came(
    alice: User, waiting: Quarantine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after an update that knows the shape."""
    monkeypatch.setattr("decisions.capture.limits.MAX_QUESTIONS", 5)
    captured = quarantine_run(quarantine_id=waiting.pk, user=alice, now=timezone.now())
    assert {result.outcome for result in captured.results} == {"observed"}
    assert {row.at for row in choices(alice)} == {waiting.at}
    waiting.refresh_from_db()
    assert waiting.state == "done"
    event = AuditEvent.objects.get(verb="choice.understood")
    assert sorted(event.data["choices"]) == sorted(str(row.pk) for row in choices(alice))
    with pytest.raises(Conflict):
        quarantine_run(quarantine_id=waiting.pk, user=alice, now=timezone.now())
    assert len(choices(alice)) == 5


def test_put_away_it_waits_no_more(alice: User, waiting: Quarantine) -> None:
    quarantine_dismiss(quarantine_id=waiting.pk, user=alice, now=timezone.now())
    assert not Quarantine.objects.visible_to(alice).waiting().exists()
    for act in (quarantine_dismiss, quarantine_run):
        with pytest.raises(Conflict):
            act(quarantine_id=waiting.pk, user=alice, now=timezone.now())


def test_a_stranger_neither_sees_nor_runs_it(waiting: Quarantine) -> None:
    mallory = build.person("mallory")
    for act in (quarantine_dismiss, quarantine_run):
        with pytest.raises(NotFound):
            act(quarantine_id=waiting.pk, user=mallory, now=timezone.now())
    assert not Choice.objects.exists()


def test_without_its_key_it_can_only_be_put_away(alice: User, waiting: Quarantine) -> None:
    Quarantine.objects.update(agent_key=None)
    with pytest.raises(Conflict) as raised:
        quarantine_run(quarantine_id=waiting.pk, user=alice, now=timezone.now())
    assert raised.value.code == "key_gone"


def test_a_call_without_a_session_waits_too(alice: User) -> None:
    payload = {**post({"Which tier?": "Tier M"}), "session_id": None}
    hook_capture(agent_key=build.key(alice).key, payload=payload, now=timezone.now())
    row = Quarantine.objects.visible_to(alice).get()
    assert (row.reason, row.session_key) == ("no_session", "")
    assert reading.TOOL in str(row.payload)
