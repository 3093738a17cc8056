"""Duplicates: evidence goes to the target, nothing is suppressed, and undo gives everything back."""

from __future__ import annotations

import random
import uuid
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User

from core.errors import Conflict, Forbidden, Invalid, NotFound
from core.models import AgentKey, Namespace
from core.services import audit
from core.services.members import member_set
from memory.models import Candidate, Evidence, Memory, Sighting, Tombstone
from memory.services import gate
from memory.services.candidates import candidate_propose
from memory.services.memories import memory_delete
from memory.services.merging import Into, candidate_merge
from tests import build
from tests.memory.make import proposal
from tests.memory.seen import seen
from transcripts.models import TurnPin

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def laptop(alice: User) -> AgentKey:
    return build.key(alice).key


@pytest.fixture
def pnpm(laptop: AgentKey, api: Namespace, now: datetime) -> Candidate:
    return seen(laptop, api, "Use pnpm, not npm.", at=now - 30 * HOUR, sessions=2)


@pytest.fixture
def double(laptop: AgentKey, api: Namespace, now: datetime) -> Candidate:
    return seen(laptop, api, "Package manager of choice: pnpm", at=now - 20 * HOUR, sessions=3)


def merge(candidate: Candidate, target: Candidate | Memory, user: User, now: datetime) -> Candidate:
    kind = "memory" if isinstance(target, Memory) else "candidate"
    return candidate_merge(
        candidate_id=candidate.pk, version=candidate.version, user=user, into=Into(kind, target.pk), now=now
    )


def approve(candidate: Candidate, user: User, now: datetime) -> Memory:
    candidate.refresh_from_db()
    return gate.candidate_approve(candidate_id=candidate.pk, version=candidate.version, user=user, now=now)


def undo(candidate: Candidate, user: User, now: datetime) -> Candidate:
    candidate.refresh_from_db()
    return gate.candidate_undo(candidate_id=candidate.pk, version=candidate.version, user=user, now=now)


class TestMerging:
    def test_hands_evidence_sightings_and_pins_to_the_target(
        self, pnpm: Candidate, double: Candidate, alice: User, now: datetime
    ) -> None:
        merge(double, pnpm, alice, now)
        pnpm.refresh_from_db()
        double.refresh_from_db()
        assert (double.status, double.decision_reason, double.merged_into) == ("rejected", "duplicate", pnpm)
        assert (pnpm.status, pnpm.times_seen, pnpm.touched_at) == ("pending", 5, now)
        assert (pnpm.evidence.count(), pnpm.sightings.count()) == (5, 5)
        assert (double.evidence.count(), double.sightings.count()) == (0, 0)
        assert not TurnPin.objects.filter(holder=f"candidate:{double.pk}").exists()
        assert TurnPin.objects.filter(holder=f"candidate:{pnpm.pk}").count() == 5
        assert audit.verify() == []

    def test_suppresses_nothing_and_counts_what_comes_again_for_the_target(
        self, pnpm: Candidate, double: Candidate, alice: User, api: Namespace, now: datetime
    ) -> None:
        merge(double, pnpm, alice, now)
        assert not Tombstone.objects.exists()
        again = candidate_propose(
            proposal=proposal(api, double.content, kind="preference", session="later"), now=now
        )
        assert (again.result, again.candidate) == ("sighted", pnpm)
        approve(pnpm, alice, now)
        again = candidate_propose(
            proposal=proposal(api, double.content, kind="preference", session="later still"), now=now
        )
        assert (again.result, again.candidate) == ("sighted", pnpm)

    def test_into_a_memory_reaches_the_candidate_that_led_to_it(
        self, pnpm: Candidate, double: Candidate, alice: User, now: datetime
    ) -> None:
        memory = approve(pnpm, alice, now)
        merge(double, memory, alice, now)
        pnpm.refresh_from_db()
        double.refresh_from_db()
        assert (pnpm.status, pnpm.times_seen) == ("approved", 5)
        assert (double.merged_into, double.memory) == (pnpm, memory)

    def test_goes_when_the_memory_it_repeats_is_deleted(
        self, pnpm: Candidate, double: Candidate, alice: User, now: datetime
    ) -> None:
        merge(double, pnpm, alice, now)
        memory = approve(pnpm, alice, now)
        memory_delete(memory_id=memory.pk, version=memory.version, user=alice, now=now)
        assert not Candidate.objects.exists()


class TestTakingBack:
    def test_gives_everything_back_and_sets_the_clock_where_it_was(
        self, pnpm: Candidate, double: Candidate, alice: User, now: datetime
    ) -> None:
        clock = pnpm.touched_at
        merge(double, pnpm, alice, now)
        undo(double, alice, now + HOUR)
        pnpm.refresh_from_db()
        double.refresh_from_db()
        assert (double.status, double.merged_into, double.merge_trail) == ("pending", None, {})
        assert (double.evidence.count(), double.sightings.count(), double.times_seen) == (3, 3, 3)
        assert (pnpm.evidence.count(), pnpm.sightings.count(), pnpm.times_seen) == (2, 2, 2)
        assert pnpm.touched_at == clock
        assert TurnPin.objects.filter(holder=f"candidate:{double.pk}").count() == 3
        assert TurnPin.objects.filter(holder=f"candidate:{pnpm.pk}").count() == 2

    def test_works_in_any_order_of_a_chain(
        self, laptop: AgentKey, api: Namespace, pnpm: Candidate, double: Candidate, alice: User, now: datetime
    ) -> None:
        third = seen(laptop, api, "Our lock file is pnpm-lock.yaml.", at=now - 9 * HOUR, sessions=1)
        merge(double, pnpm, alice, now)
        pnpm.refresh_from_db()
        merge(pnpm, third, alice, now + HOUR)
        third.refresh_from_db()
        assert third.times_seen == 6
        undo(double, alice, now + 2 * HOUR)
        undo(pnpm, alice, now + 3 * HOUR)
        counts = {row.pk: (row.times_seen, row.evidence.count()) for row in Candidate.objects.all()}
        assert counts == {double.pk: (3, 3), pnpm.pk: (2, 2), third.pk: (1, 1)}


class TestRefusing:
    def test_itself_closed_ones_and_other_namespaces(
        self, laptop: AgentKey, pnpm: Candidate, double: Candidate, alice: User, now: datetime
    ) -> None:
        with pytest.raises(Invalid):
            merge(pnpm, pnpm, alice, now)
        web = build.workspace(alice, "web")
        elsewhere = seen(laptop, web, "The site uses pnpm.", at=now - HOUR, sessions=1)
        with pytest.raises(NotFound):
            merge(pnpm, elsewhere, alice, now)
        gate.candidate_reject(candidate_id=double.pk, version=double.version, user=alice, now=now)
        with pytest.raises(Conflict) as caught:
            merge(pnpm, double, alice, now)
        assert caught.value.code == "target_gone"
        pnpm.refresh_from_db()
        assert (pnpm.status, pnpm.evidence.count()) == ("pending", 2)

    def test_a_row_that_changed_meanwhile_keeps_its_evidence(
        self, pnpm: Candidate, double: Candidate, alice: User, now: datetime
    ) -> None:
        gate.candidate_archive(candidate_id=double.pk, version=double.version, user=alice, now=now)
        with pytest.raises(Conflict):
            merge(double, pnpm, alice, now)
        assert double.evidence.count() == 3

    def test_readers_and_strangers(
        self, pnpm: Candidate, double: Candidate, api: Namespace, alice: User, now: datetime
    ) -> None:
        reader, stranger = build.person("bob"), build.person("charlie")
        member_set(namespace=api, by=alice, user=reader, role="reader", now=now)
        with pytest.raises(Forbidden):
            merge(double, pnpm, reader, now)
        with pytest.raises(NotFound):
            merge(double, pnpm, stranger, now)

    def test_a_target_that_does_not_exist(self, pnpm: Candidate, alice: User, now: datetime) -> None:
        for kind in ("candidate", "memory"):
            with pytest.raises(NotFound):
                candidate_merge(
                    candidate_id=pnpm.pk,
                    version=pnpm.version,
                    user=alice,
                    into=Into(kind, uuid.uuid4()),
                    now=now,
                )


@pytest.mark.parametrize("seed", range(6))
def test_however_merges_and_undos_follow_each_other_nothing_is_lost_or_counted_twice(
    laptop: AgentKey, api: Namespace, alice: User, now: datetime, seed: int
) -> None:
    chance = random.Random(seed)
    texts = ["Logs go to Loki.", "CI runs on Buildkite.", "The office has a cat.", "Backups go to Ceph."]
    rows = [
        seen(laptop, api, text, at=now - 50 * HOUR, kind="fact", sessions=number + 1)
        for number, text in enumerate(texts)
    ]
    # Two of them were said in one session, too: that evidence has the same place on both sides.
    Sighting.objects.filter(candidate=rows[3], session_key__endswith=" 0").update(
        session_key=Sighting.objects.filter(candidate=rows[2]).values("session_key")[:1]
    )

    def everything() -> dict[uuid.UUID, tuple[object, ...]]:
        return {
            row.pk: (row.status, row.times_seen, row.evidence.count(), row.sightings.count(), row.touched_at)
            for row in Candidate.objects.all()
        }

    before = everything()
    for step in range(14):
        moment = now + step * HOUR
        closed = list(Candidate.objects.filter(status="rejected").order_by("pk"))
        waiting = list(Candidate.objects.filter(status="pending").order_by("pk"))
        if closed and (len(waiting) == 1 or chance.random() < 0.4):
            undo(chance.choice(closed), alice, moment)
        else:
            source, target = chance.sample(waiting, 2)
            merge(source, target, alice, moment)
        assert Evidence.objects.count() == 10
        assert Sighting.objects.count() == 10
    for row in Candidate.objects.filter(status="rejected").order_by("decided_at"):
        undo(row, alice, now + 99 * HOUR)
    after = everything()
    assert {pk: facts[:4] for pk, facts in after.items()} == {pk: facts[:4] for pk, facts in before.items()}
