"""When a scan breaks: nothing half-written, nothing lost, nothing double (design section 8, lessons row 4)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from unittest import mock

import pytest
from django.contrib.auth.models import User

from core.models import AgentKey, AuditEvent
from core.services.namespaces import namespace_pause
from memory.extractors.base import Extraction as Result
from memory.extractors.base import Proposal, Span, Window
from memory.models import Candidate, Evidence, Extraction, Request
from memory.services import extractors
from memory.services.extraction import scan, scan_next
from tests import build
from tests.memory.pipeline import last_run, proposals, scan_all
from transcripts import limits
from transcripts.models import Message, Turn
from transcripts.services import scans
from transcripts.services.compactions import compaction_store

pytestmark = pytest.mark.django_db

PNPM = "We use pnpm here, not npm, because the lockfiles keep clashing."


@pytest.fixture
def key(alice: User) -> AgentKey:
    key = build.key(alice).key
    build.session(key)
    return key


@pytest.fixture
def _broken() -> Iterator[None]:
    with mock.patch.object(extractors, "run", side_effect=RuntimeError("the extractor broke")):
        yield


def nothing_written() -> bool:
    """Nothing but the record that it failed."""
    found = any(model.objects.exists() for model in (Candidate, Evidence, Request))
    return not (found or Extraction.objects.exclude(outcome="failed").exists())


class TestFailing:
    @pytest.mark.usefixtures("_broken")
    def test_it_pauses_longer_each_time_dies_visibly_and_writes_nothing(
        self, key: AgentKey, now: datetime
    ) -> None:
        turn = build.turn(key, PNPM, now=now)
        pauses = []
        at = now
        with mock.patch("memory.services.extraction.timezone.now", side_effect=lambda: at):
            for _attempt in range(limits.MAX_ATTEMPTS):
                assert scan_next(now=at)
                assert not scan_next(now=at)
                turn.refresh_from_db()
                assert turn.due_at is not None
                pauses.append(turn.due_at - at)
                at = max(turn.due_at, at)
        assert turn.scan_state == "dead"
        assert turn.error == "RuntimeError: the extractor broke"
        assert pauses[:-1] == sorted(pauses[:-1])
        assert pauses[0] >= limits.BACKOFF
        assert not scan_next(now=at + timedelta(days=1))
        assert nothing_written()
        assert Message.objects.filter(scanned_at=None).count() == 1

    def test_a_person_retries_a_dead_scan_and_it_is_done_once(
        self, alice: User, key: AgentKey, now: datetime
    ) -> None:
        turn = build.turn(key, PNPM, now=now)
        Turn.objects.filter(pk=turn.pk).update(scan_state="dead", attempts=limits.MAX_ATTEMPTS)
        assert scan_all(now + timedelta(days=1)) == 0
        scans.retry(kind="turn", id=turn.pk, user=alice, now=now)
        assert scan_all(now) == 1
        assert len(proposals()) == 1
        assert AuditEvent.objects.filter(verb="scan.retried", actor_type="person").count() == 1

    def test_a_dead_turn_does_not_hold_up_the_next_one(self, key: AgentKey, now: datetime) -> None:
        first = build.turn(key, "Morning.", now=now)
        Turn.objects.filter(pk=first.pk).update(scan_state="dead")
        build.turn(key, PNPM, name="t2", now=now)
        assert scan_all(now) == 1
        assert len(proposals()) == 1

    def test_a_failure_while_filing_takes_everything_of_that_scan_back(
        self, key: AgentKey, now: datetime
    ) -> None:
        turn = build.turn(key, PNPM, "Please fix the login page.", now=now)
        with mock.patch("memory.services.extraction._record", side_effect=RuntimeError("disk")):
            assert scan_next(now=now)
        assert nothing_written()
        assert not AuditEvent.objects.filter(verb__startswith="candidate.").exists()
        turn.refresh_from_db()
        assert (turn.scan_state, turn.attempts) == ("waiting", 1)
        assert scan_all(turn.due_at) == 1
        assert len(proposals()) == 1


class TestLeases:
    def test_a_worker_that_lost_its_lease_writes_nothing(self, key: AgentKey, now: datetime) -> None:
        build.turn(key, PNPM, now=now)
        slow = scans.claim(now=now)
        assert slow is not None
        later = now + limits.LEASE + timedelta(seconds=1)
        assert scan_all(later) == 1
        before = list(Candidate.objects.values()), Extraction.objects.count()
        with pytest.raises(scans.LeaseLost):
            scan(job=slow, now=later)
        assert (list(Candidate.objects.values()), Extraction.objects.count()) == before
        assert proposals()[0].times_seen == 1

    def test_a_worker_that_died_is_followed_after_its_lease_not_before(
        self, key: AgentKey, now: datetime
    ) -> None:
        build.turn(key, PNPM, now=now)
        assert scans.claim(now=now) is not None
        assert scan_all(now + limits.LEASE - timedelta(seconds=1)) == 0
        assert scan_all(now + limits.LEASE) == 1
        assert Extraction.objects.count() == 1

    def test_a_scan_that_fails_after_its_lease_leaves_the_next_one_alone(
        self, key: AgentKey, now: datetime
    ) -> None:
        build.turn(key, PNPM, now=now)
        slow = scans.claim(now=now)
        assert slow is not None
        again = scans.claim(now=now + limits.LEASE)
        assert again is not None
        assert scans.fail(slow, error="late", now=now + limits.LEASE) == "lost"
        scan(job=again, now=now + limits.LEASE)
        assert len(proposals()) == 1


class TestOnce:
    def test_an_extended_turn_is_scanned_again_for_its_new_messages_alone(
        self, key: AgentKey, now: datetime
    ) -> None:
        seen: list[list[tuple[str, bool]]] = []
        real = extractors.run

        def spy(*, window: Window, **rest: object) -> extractors.Run:
            seen.append([(u.text, u.in_scope) for u in window.utterances])
            return real(window=window, **rest)  # type: ignore[arg-type]

        with mock.patch.object(extractors, "run", spy):
            build.turn(key, build.human(PNPM, key="a"), now=now)
            scan_all(now)
            build.turn(key, build.human(PNPM, key="a"), build.human("And thanks.", key="b"), now=now)
            scan_all(now)
            build.turn(key, build.human(PNPM, key="a"), build.human("And thanks.", key="b"), now=now)
            scan_all(now)
        assert seen == [[(PNPM, True)], [(PNPM, False), ("And thanks.", True)]]
        assert [c.times_seen for c in proposals()] == [1]
        assert Message.objects.filter(scanned_at=None).count() == 0

    def test_words_that_came_during_the_scan_are_scanned_next(self, key: AgentKey, now: datetime) -> None:
        turn = build.turn(key, build.human("Morning.", key="a"), now=now)
        job = scans.claim(now=now)
        assert job is not None
        build.turn(key, build.human("Morning.", key="a"), build.human(PNPM, key="b"), now=now)
        scans.finish(job, message_ids=[build.messages(turn)[0].pk], now=now)
        assert scan_all(now) == 1
        assert len(proposals()) == 1

    def test_a_compaction_is_scanned_in_batches_and_each_message_once(
        self, key: AgentKey, now: datetime
    ) -> None:
        texts = [f"Look at item {n}, please." for n in range(limits.COMPACTION_BATCH * 2 + 5)]
        texts[70] = PNPM
        compaction_store(
            agent_key=key,
            session="s1",
            key="c1",
            trigger="auto",
            through=None,
            messages=[build.human(text) for text in texts],
            now=now,
        )
        assert scan_all(now) == 3
        runs = list(Extraction.objects.order_by("pk").values_list("messages", flat=True))
        assert runs == [limits.COMPACTION_BATCH, limits.COMPACTION_BATCH, 5]
        [candidate] = proposals()
        assert (candidate.content, candidate.source) == (PNPM, "compaction")
        assert not Message.objects.filter(scanned_at=None).exists()

    def test_a_failing_batch_keeps_the_ones_before_it(self, key: AgentKey, now: datetime) -> None:
        messages = [build.human(f"Look at item {n}, please.") for n in range(limits.COMPACTION_BATCH + 3)]
        compaction_store(
            agent_key=key, session="s1", key="c1", trigger="auto", through=None, messages=messages, now=now
        )
        assert scan_next(now=now)
        with mock.patch.object(extractors, "run", side_effect=RuntimeError("broke")):
            assert scan_next(now=now)
        assert Message.objects.filter(scanned_at=None).count() == 3
        assert Extraction.objects.filter(outcome="done").count() == 1
        assert scan_all(now + timedelta(minutes=10)) == 1
        assert not Message.objects.filter(scanned_at=None).exists()

    def test_a_paused_workspace_waits_and_goes_on_where_it_was(
        self, alice: User, key: AgentKey, now: datetime
    ) -> None:
        turn = build.turn(key, PNPM, now=now)
        home = turn.session.workspace
        assert home is not None
        namespace_pause(namespace=home, user=alice, paused=True, now=now)
        assert scan_all(now + timedelta(hours=1)) == 0
        namespace_pause(namespace=home, user=alice, paused=False, now=now)
        assert scan_all(now + timedelta(hours=1)) == 1
        assert len(proposals()) == 1


class TestBadExtractors:
    """Whatever an extractor answers, what is not verbatim and the person's own does not get in."""

    @pytest.mark.parametrize(
        ("start", "end", "quote", "reason"),
        [
            (0, 6, "We use", None),
            (0, 6, "we use", "no_quote"),
            (1, 7, "We use", "no_quote"),
            (-63, -57, "We use", "no_quote"),
            (6, 0, "", "no_quote"),
            (0, 0, "", "no_quote"),
            (0, 9_999, PNPM, "no_quote"),
        ],
    )
    def test_spans_must_stand_where_they_say(
        self, key: AgentKey, now: datetime, start: int, end: int, quote: str, reason: str | None
    ) -> None:
        turn = build.turn(key, PNPM, now=now)
        span = Span(str(build.messages(turn)[0].pk), quote, start, end, "statement")
        self._answer(Proposal("fact", "We use pnpm.", "workspace", 0.5, (span,), ""), now)
        assert last_run().dropped == ({reason: 1} if reason else {})
        assert len(proposals()) == (0 if reason else 1)

    def test_messages_of_another_session_are_no_evidence(self, key: AgentKey, now: datetime) -> None:
        other = build.turn(build.key(build.person("mallory")).key, PNPM, session="s1", now=now)
        scan_all(now + timedelta(minutes=2))
        Candidate.objects.all().delete()
        build.turn(key, "Morning.", now=now)
        span = Span(str(build.messages(other)[0].pk), PNPM, 0, len(PNPM), "statement")
        self._answer(Proposal("fact", PNPM, "workspace", 0.5, (span,), ""), now)
        assert last_run().dropped == {"no_quote": 1}
        assert proposals() == []

    def test_context_is_not_proposed_from_again(self, key: AgentKey, now: datetime) -> None:
        first = build.turn(key, PNPM, now=now)
        scan_all(now)
        build.turn(key, "Next.", name="t2", now=now)
        span = Span(str(build.messages(first)[0].pk), PNPM, 0, len(PNPM), "statement")
        self._answer(Proposal("fact", "Another reading.", "workspace", 0.5, (span,), ""), now)
        assert last_run().dropped == {"not_human": 1}

    @staticmethod
    def _answer(proposal: Proposal, now: datetime) -> None:
        run = extractors.Run(Result((proposal,)), "bad")
        with mock.patch.object(extractors, "run", return_value=run):
            assert scan_all(now) == 1
