"""When a memory cannot be stored: a refused text needs a person, a busy database needs another try."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import InterfaceError, OperationalError, connection

from core.errors import Busy, NotFound
from core.models import AuditEvent, Namespace
from memory.models import Candidate, Memory, ReviewPolicy
from memory.services import gate, policy
from review.services import acts
from tests import build
from tests.review.scene import propose

pytestmark = pytest.mark.django_db
TEXT = "Use pnpm, not npm."


@pytest.fixture
def waiting(api: Namespace) -> Candidate:
    return propose(api, TEXT)


@pytest.fixture(params=[OperationalError, InterfaceError])
def busy(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(**_kwargs: object) -> None:
        raise request.param("canceling statement due to lock timeout")

    monkeypatch.setattr("memory.services.promotion.index_memory", away)


def refuse_the_text() -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE memory_memory ADD CONSTRAINT broken CHECK (content <> '{TEXT}')")


def approve(candidate: Candidate, user: User, now: datetime) -> Memory:
    return gate.candidate_approve(candidate_id=candidate.pk, version=candidate.version, user=user, now=now)


@pytest.mark.usefixtures("busy")
def test_a_busy_database_changes_nothing_and_says_try_again(
    waiting: Candidate, alice: User, now: datetime
) -> None:
    with pytest.raises(Busy):
        approve(waiting, alice, now)
    waiting.refresh_from_db()
    assert (waiting.status, waiting.version, waiting.error) == ("pending", 1, "")
    assert not AuditEvent.objects.filter(
        object_id=str(waiting.pk), verb="candidate.promotion_failed"
    ).exists()


@pytest.mark.usefixtures("busy")
def test_an_act_names_what_was_busy_and_leaves_it_waiting(
    waiting: Candidate, alice: User, now: datetime
) -> None:
    result = acts.act_approve(user=alice, items=[acts.ItemRef(waiting.pk, 1)], now=now)
    assert result.act is None
    assert result.changed[waiting.pk].code == "busy"
    waiting.refresh_from_db()
    assert waiting.status == "pending"


def test_the_kept_error_names_the_constraint_and_not_the_row(
    waiting: Candidate, alice: User, now: datetime
) -> None:
    refuse_the_text()
    with pytest.raises(gate.PromotionFailed):
        approve(waiting, alice, now)
    waiting.refresh_from_db()
    assert waiting.status == "needs_attention"
    assert "broken" in waiting.error
    assert "pnpm" not in waiting.error


def test_a_stranger_marks_nothing(waiting: Candidate, now: datetime) -> None:
    refuse_the_text()
    with pytest.raises(NotFound):
        approve(waiting, build.person("charlie"), now)
    waiting.refresh_from_db()
    assert waiting.status == "pending"


def test_what_needs_attention_can_be_tried_again(waiting: Candidate, alice: User, now: datetime) -> None:
    refuse_the_text()
    for version in (1, 2):  # in vain, and in vain again
        with pytest.raises(gate.PromotionFailed):
            gate.candidate_approve(candidate_id=waiting.pk, version=version, user=alice, now=now)
    waiting.refresh_from_db()
    assert (waiting.status, waiting.version) == ("needs_attention", 3)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE memory_memory DROP CONSTRAINT broken")
    result = acts.act_approve(user=alice, items=[acts.ItemRef(waiting.pk, 3)], now=now)
    waiting.refresh_from_db()
    assert (waiting.status, waiting.error) == ("approved", "")
    assert waiting.memory is not None
    assert result.act is not None
    acts.act_undo(user=alice, act_id=result.act.pk, now=now)
    waiting.refresh_from_db()
    assert waiting.status == "pending"
    assert waiting.memory_id is None


@pytest.fixture
def rule(api: Namespace, alice: User, now: datetime) -> ReviewPolicy:
    return policy.policy_set(
        namespace=api,
        user=alice,
        enabled=True,
        min_sessions=1,
        min_confidence=0.5,
        min_age_hours=0,
        kinds=["preference"],
        typed_name="api",
        now=now,
    )


@pytest.fixture
def qualified(api: Namespace, alice: User, rule: ReviewPolicy) -> Candidate:
    key = build.key(alice).key
    build.session(key, "s1", workspace="api")
    return propose(api, TEXT, turn=build.turn(key, TEXT), agent_key=key)


@pytest.mark.usefixtures("busy")
def test_a_policy_run_that_finds_the_database_busy_marks_nothing(qualified: Candidate, now: datetime) -> None:
    with pytest.raises((OperationalError, InterfaceError)):
        policy.policy_run(now=now + timedelta(minutes=1))
    qualified.refresh_from_db()
    assert (qualified.status, qualified.error) == ("pending", "")


def test_a_policy_run_marks_what_is_refused_without_its_text(qualified: Candidate, now: datetime) -> None:
    refuse_the_text()
    assert policy.policy_run(now=now + timedelta(minutes=1)) == 0
    qualified.refresh_from_db()
    assert qualified.status == "needs_attention"
    assert "broken" in qualified.error
    assert "pnpm" not in qualified.error
