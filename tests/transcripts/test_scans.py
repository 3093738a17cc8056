"""The queue of scans: order, leases, back-off, dead state; safe under many workers."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from core.errors import Conflict, NotFound
from core.models import AgentKey, AuditEvent
from core.services.namespaces import namespace_pause
from tests import build
from transcripts.models import AgentSession, Message, ScanState, Turn
from transcripts.selectors.windows import window_of
from transcripts.services import scans
from transcripts.services.sessions import session_end

pytestmark = pytest.mark.django_db


@pytest.fixture
def key() -> AgentKey:
    key = build.key(build.person()).key
    build.session(key, "s1")
    return key


def done(job: scans.Job | None, now: datetime) -> None:
    assert job is not None
    scans.finish(job, message_ids=window_of(job).in_scope_ids, now=now)


def test_a_closed_turn_is_claimed_once_and_scanned_once(key: AgentKey, now: datetime) -> None:
    turn = build.turn(key, "Use tabs.", build.agent("Done."), now=now)
    job = scans.claim(now=now)
    assert job is not None
    assert (job.kind, job.id, job.session_id, job.attempts) == ("turn", turn.pk, turn.session_id, 1)
    assert scans.claim(now=now) is None
    window = window_of(job)
    assert [(each.message.text, each.in_scope) for each in window.messages] == [
        ("Use tabs.", True),
        ("Done.", True),
    ]
    done(job, now)
    turn.refresh_from_db()
    assert (turn.scan_state, turn.attempts, turn.lease_token) == ("done", 0, None)
    assert not Message.objects.filter(scanned_at=None).exists()
    assert scans.claim(now=now) is None


def test_an_open_turn_is_not_claimed(key: AgentKey, now: datetime) -> None:
    build.turn(key, "Use tabs.", closed=False, now=now)
    assert scans.claim(now=now + timedelta(days=1)) is None


def test_turns_of_a_session_are_scanned_one_at_a_time_in_the_clients_order(
    key: AgentKey, now: datetime
) -> None:
    late = build.turn(key, build.human("second", at=now - timedelta(minutes=1)), name="b", now=now)
    early = build.turn(key, build.human("first", at=now - timedelta(minutes=2)), name="a", now=now)
    first = scans.claim(now=now)
    assert first is not None
    assert first.id == early.pk
    assert scans.claim(now=now) is None
    done(first, now)
    second = scans.claim(now=now)
    assert second is not None
    assert second.id == late.pk
    assert [(e.message.text, e.in_scope) for e in window_of(second).messages] == [
        ("first", False),
        ("second", True),
    ]


def test_a_closed_turn_waits_a_minute_for_an_earlier_open_one(key: AgentKey, now: datetime) -> None:
    build.turn(key, "still typing", name="a", closed=False, now=now)
    later = build.turn(key, "closed", name="b", now=now + timedelta(seconds=1))
    assert scans.claim(now=now + timedelta(seconds=60)) is None
    job = scans.claim(now=now + timedelta(seconds=61))
    assert job is not None
    assert job.id == later.pk


def test_live_turns_go_before_backlog(key: AgentKey, now: datetime) -> None:
    build.session(key, "old")
    build.turn(key, "imported", session="old", backlog=True, now=now - timedelta(minutes=5))
    live = build.turn(key, "just said", now=now)
    job = scans.claim(now=now)
    assert job is not None
    assert (job.id, job.backlog) == (live.pk, False)
    second = scans.claim(now=now)
    assert second is not None
    assert second.backlog


def test_a_turn_waits_for_its_workspace_but_not_for_ever(now: datetime) -> None:
    key = build.key(build.person()).key
    build.turn(key, "Use tabs.", now=now)
    assert scans.claim(now=now + timedelta(seconds=59)) is None
    assert scans.claim(now=now + timedelta(seconds=60)) is not None


def test_naming_the_workspace_ends_the_wait(now: datetime) -> None:
    key = build.key(build.person()).key
    build.turn(key, "Use tabs.", now=now)
    build.session(key, "s1", workspace="api", now=now)
    assert scans.claim(now=now) is not None


def test_a_paused_workspace_is_not_scanned_until_it_is_resumed(key: AgentKey, now: datetime) -> None:
    turn = build.turn(key, "Use tabs.", now=now)
    home = turn.session.home
    namespace_pause(namespace=home, user=key.user, paused=True, now=now)
    assert scans.claim(now=now) is None
    namespace_pause(namespace=home, user=key.user, paused=False, now=now)
    assert scans.claim(now=now) is not None


def test_the_scan_of_a_dead_worker_is_taken_over_and_its_own_report_refused(
    key: AgentKey, now: datetime
) -> None:
    build.turn(key, "Use tabs.", now=now)
    lost = scans.claim(now=now)
    assert lost is not None
    assert scans.claim(now=now + timedelta(seconds=119)) is None
    again = scans.claim(now=now + timedelta(seconds=120))
    assert again is not None
    assert (again.id, again.attempts) == (lost.id, 2)
    with pytest.raises(scans.LeaseLost):
        scans.finish(lost, message_ids=[], now=now)
    assert scans.fail(lost, error="late", now=now) == "lost"
    done(again, now + timedelta(seconds=121))
    assert Turn.objects.get().scan_state == "done"


def test_a_scan_that_kills_its_worker_each_time_ends_dead(key: AgentKey, now: datetime) -> None:
    build.turn(key, "poison", now=now)
    for attempt in range(1, 6):
        job = scans.claim(now=now)
        assert job is not None
        assert job.attempts == attempt
        now += timedelta(seconds=120)
    assert scans.claim(now=now) is None
    turn = Turn.objects.get()
    assert turn.scan_state == "dead"
    assert "5" in turn.error
    assert AgentSession.objects.get(key="s1").scan_lease_token is None


def test_failures_back_off_and_the_fifth_is_the_last(key: AgentKey, now: datetime) -> None:
    turn = build.turn(key, "Use tabs.", now=now)
    following = build.turn(key, "Use LF.", name="t2", now=now)
    for pause in (15, 30, 60, 120):
        job = scans.claim(now=now)
        assert job is not None
        assert (
            scans.fail(job, error="boom token=ghp_EXAMPLEexampleEXAMPLEexample012345678", now=now)
            == "waiting"
        )
        turn.refresh_from_db()
        assert "ghp_" not in turn.error
        assert "boom" in turn.error
        assert turn.due_at is not None
        wait = (turn.due_at - now).total_seconds()
        assert pause <= wait <= pause * 1.2
        assert scans.claim(now=now) is None
        now = turn.due_at
    job = scans.claim(now=now)
    assert job is not None
    assert scans.fail(job, error="boom", now=now) == "dead"
    job = scans.claim(now=now)
    assert job is not None
    assert job.id == following.pk


def test_a_person_retries_a_dead_scan_and_a_stranger_does_not(key: AgentKey, now: datetime) -> None:
    turn = build.turn(key, "Use tabs.", now=now)
    with pytest.raises(Conflict):
        scans.retry(kind="turn", id=turn.pk, user=key.user, now=now)
    Turn.objects.filter(pk=turn.pk).update(scan_state=ScanState.DEAD, attempts=5, error="boom")
    with pytest.raises(NotFound):
        scans.retry(kind="turn", id=turn.pk, user=build.person("charlie"), now=now)
    scans.retry(kind="turn", id=turn.pk, user=key.user, now=now)
    turn.refresh_from_db()
    assert (turn.scan_state, turn.attempts, turn.error) == ("waiting", 0, "")
    event = AuditEvent.objects.get(verb="scan.retried")
    assert (event.actor_type, event.actor_id, event.actor_label) == ("person", str(key.user_id), "alice")
    assert scans.claim(now=now) is not None


def test_messages_that_arrive_after_the_scan_are_scanned_alone(key: AgentKey, now: datetime) -> None:
    build.turn(key, "Use tabs.", now=now)
    done(scans.claim(now=now), now)
    build.turn(key, "Use tabs.", "And LF.", now=now)
    job = scans.claim(now=now)
    assert job is not None
    assert [(e.message.text, e.in_scope) for e in window_of(job).messages] == [
        ("Use tabs.", False),
        ("And LF.", True),
    ]


def test_messages_that_arrive_during_the_scan_are_not_forgotten(key: AgentKey, now: datetime) -> None:
    build.turn(key, "Use tabs.", now=now)
    job = scans.claim(now=now)
    assert job is not None
    window = window_of(job)
    build.turn(key, "Use tabs.", "And LF.", now=now)
    scans.finish(job, message_ids=window.in_scope_ids, now=now)
    assert Turn.objects.get().scan_state == "waiting"
    job = scans.claim(now=now)
    assert job is not None
    assert [e.message.text for e in window_of(job).messages if e.in_scope] == ["And LF."]


def test_ending_a_session_closes_what_it_left_open(key: AgentKey, now: datetime) -> None:
    build.turn(key, "Use tabs.", closed=False, now=now)
    session_end(agent_key=key, key="s1", now=now)
    assert scans.claim(now=now) is not None


def test_one_session_can_be_asked_for(key: AgentKey, now: datetime) -> None:
    build.session(key, "s2")
    build.turn(key, "one", now=now)
    other = build.turn(key, "two", session="s2", now=now)
    job = scans.claim(now=now, session_id=other.session_id)
    assert job is not None
    assert job.id == other.pk
    assert scans.claim(now=now, session_id=other.session_id) is None
