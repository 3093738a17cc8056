"""Acts over many: set aside, move, merge, "all matching" as it was; each undone as a whole."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from core.errors import Forbidden, Invalid, NotFound
from core.models import AgentKey, AuditEvent, Namespace
from memory.models import Candidate, Memory
from memory.selectors.queue import pending_count
from memory.services import archive, gate
from memory.services.merging import Into
from review.selectors.queue import queue, tally
from review.selectors.selection import Selection, resolve
from review.selectors.wanted import QueueFilter
from review.services import acts
from tests import build
from tests.memory.seen import seen
from tests.review.scene import propose, share

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)
FACTS = ["Logs go to Loki.", "CI runs on Buildkite.", "The office has a cat.", "Backups go to Ceph."]


@pytest.fixture
def now() -> datetime:
    return timezone.now() + MINUTE


@pytest.fixture
def facts(api: Namespace) -> list[Candidate]:
    return [propose(api, text, kind="fact") for text in FACTS]


def refs(rows: list[Candidate]) -> list[acts.ItemRef]:
    return [acts.ItemRef(row.pk, row.version) for row in rows]


def listed(user: User, now: datetime, **wanted: str) -> set[str]:
    found = queue(user=user, wanted=QueueFilter(**wanted), after=None, now=now)  # type: ignore[arg-type]
    return {row.content for row in found.rows}


class TestSettingAside:
    def test_hides_until_this_time_tomorrow(self, facts: list[Candidate], alice: User, now: datetime) -> None:
        result = acts.act_set_aside(user=alice, items=refs(facts[:2]), now=now)
        assert len(result.done) == 2
        assert listed(alice, now) == set(FACTS[2:])
        assert listed(alice, now, aside="1") == set(FACTS[:2])
        assert pending_count(user=alice, now=now) == 2
        assert listed(alice, now + timedelta(hours=24)) == set(FACTS)

    def test_leaves_the_clock_running(self, facts: list[Candidate], alice: User, now: datetime) -> None:
        acts.act_set_aside(user=alice, items=refs(facts), now=now + timedelta(days=29))
        assert archive.archive_due(now=now + timedelta(days=30)) == 4

    def test_is_undone_as_a_whole(self, facts: list[Candidate], alice: User, now: datetime) -> None:
        acts.act_set_aside(user=alice, items=refs(facts), now=now)
        undone = acts.act_undo_last(user=alice, now=now)
        assert len(undone.done) == 4
        assert listed(alice, now) == set(FACTS)
        counts = tally(user=alice, now=now, today=now - timedelta(days=1), archive_days=30)
        assert counts.pending == 4


class TestMoving:
    def test_takes_many_along_and_one_undo_brings_them_back(
        self, facts: list[Candidate], alice: User, now: datetime
    ) -> None:
        web = build.workspace(alice, "web")
        result = acts.act_move(user=alice, items=refs(facts), namespace_id=web.pk, now=now)
        assert len(result.done) == 4
        assert Candidate.objects.filter(namespace=web).count() == 4
        undone = acts.act_undo_last(user=alice, now=now)
        assert (len(undone.done), undone.changed) == (4, {})
        rows = {row.pk: row for row in Candidate.objects.all()}
        for before in facts:
            after = rows[before.pk]
            assert (after.namespace_id, after.blocks, after.touched_at) == (
                before.namespace_id,
                before.blocks,
                before.touched_at,
            )

    def test_does_not_carry_a_conflict_out_of_the_namespace_and_undo_restores_it(
        self, api: Namespace, alice: User, now: datetime
    ) -> None:
        old = propose(api, "The port is 8080.", kind="fact")
        gate.candidate_approve(candidate_id=old.pk, version=old.version, user=alice, now=now)
        new = propose(api, "The port is 9090.", kind="fact")
        assert new.conflicts_with is not None
        acts.act_move(user=alice, items=refs([new]), namespace_id=build.workspace(alice, "web").pk, now=now)
        new.refresh_from_db()
        assert (new.conflicts_with_id, "conflicts" in new.flags) == (None, False)
        acts.act_undo_last(user=alice, now=now)
        again = Candidate.objects.get(pk=new.pk)
        assert (again.conflicts_with, "conflicts" in again.flags) == (Memory.objects.get(), True)

    def test_leaves_one_behind_whose_words_wait_there_already(
        self, facts: list[Candidate], alice: User, now: datetime
    ) -> None:
        web = build.workspace(alice, "web")
        propose(web, FACTS[0], kind="fact")
        result = acts.act_move(user=alice, items=refs(facts), namespace_id=web.pk, now=now)
        assert len(result.done) == 3
        assert {pk: error.code for pk, error in result.changed.items()} == {facts[0].pk: "equal_waits"}

    def test_goes_only_where_the_person_reviews(
        self, facts: list[Candidate], alice: User, now: datetime
    ) -> None:
        bob = build.person("bob")
        foreign = build.workspace(bob, "web")
        share(foreign, bob, alice, "reader")
        result = acts.act_move(user=alice, items=refs(facts), namespace_id=foreign.pk, now=now)
        assert (result.act, len(result.changed)) == (None, 4)
        assert all(isinstance(error, NotFound) for error in result.changed.values())


class TestMerging:
    def test_many_into_one_and_one_undo(self, api: Namespace, alice: User, now: datetime) -> None:
        laptop: AgentKey = build.key(alice).key
        at = now - timedelta(hours=3)
        rows = [seen(laptop, api, text, at=at, kind="fact", sessions=2) for text in FACTS[:3]]
        acts.act_merge(user=alice, items=refs(rows[1:]), into=Into("candidate", rows[0].pk), now=now)
        rows[0].refresh_from_db()
        assert rows[0].times_seen == 6
        undone = acts.act_undo_last(user=alice, now=now)
        assert len(undone.done) == 2
        assert [row.times_seen for row in Candidate.objects.order_by("pk")] == [2, 2, 2]
        assert not Candidate.objects.exclude(status="pending").exists()


class TestAllMatching:
    def test_does_not_sweep_in_what_arrives_later(
        self, api: Namespace, facts: list[Candidate], alice: User, now: datetime
    ) -> None:
        selection = Selection(QueueFilter(kind="fact"), as_of=timezone.now())
        late = propose(api, "The lift is slow.", kind="fact")
        result = acts.act_bulk(user=alice, verb="approve", selection=selection, now=now)
        assert sorted(result.done) == sorted(row.pk for row in facts)
        late.refresh_from_db()
        assert (late.status, result.changed) == ("pending", {})

    def test_says_what_was_done_left_out_and_changed_and_the_database_agrees(
        self, api: Namespace, facts: list[Candidate], alice: User, now: datetime
    ) -> None:
        heavy = propose(api, "We chose Kafka over NATS.", kind="decision")
        kept = propose(api, "The lift is slow.", kind="fact")
        selection = Selection(QueueFilter(), as_of=timezone.now(), excluded=frozenset({kept.pk}))
        after = timezone.now()
        gate.candidate_edit(
            candidate_id=facts[0].pk,
            version=1,
            user=alice,
            content="Logs go to Loki and S3.",
            kind="fact",
            namespace_id=api.pk,
            now=after,
        )
        gate.candidate_reject(candidate_id=facts[1].pk, version=1, user=alice, now=after)
        result = acts.act_bulk(user=alice, verb="approve", selection=selection, now=now)
        assert sorted(result.done) == sorted([facts[2].pk, facts[3].pk])
        assert result.left_out == [heavy.pk]
        assert sorted(result.changed) == sorted([facts[0].pk, facts[1].pk])
        assert Candidate.objects.filter(status="approved").count() == 2
        undone = acts.act_undo_last(user=alice, now=now)
        assert len(undone.done) == 2
        assert not Memory.objects.active().exists()

    def test_leaves_a_lone_decision_out_too(self, api: Namespace, alice: User, now: datetime) -> None:
        heavy = propose(api, "We chose Kafka over NATS.", kind="decision")
        selection = Selection(QueueFilter(), as_of=timezone.now())
        result = acts.act_bulk(user=alice, verb="approve", selection=selection, now=now)
        assert (result.act, result.left_out) == (None, [heavy.pk])

    def test_counts_a_row_that_was_seen_again_as_changed(
        self, api: Namespace, alice: User, now: datetime
    ) -> None:
        laptop: AgentKey = build.key(alice).key
        row = seen(laptop, api, FACTS[0], at=timezone.now(), kind="fact", sessions=1)
        selection = Selection(QueueFilter(), as_of=timezone.now())
        seen(laptop, api, FACTS[0], at=timezone.now(), kind="fact", sessions=2)
        found = resolve(user=alice, selection=selection)
        assert (list(found.items), list(found.changed)) == ([], [row.pk])

    def test_rejects_moves_and_sets_aside_too(
        self, facts: list[Candidate], alice: User, now: datetime
    ) -> None:
        for verb in ("reject", "set_aside", "move"):
            selection = Selection(QueueFilter(), as_of=timezone.now())
            web = build.workspace(alice, f"web-{verb}")
            result = acts.act_bulk(
                user=alice, verb=verb, selection=selection, now=timezone.now(), namespace_id=web.pk
            )
            assert len(result.done) == 4
            assert len(acts.act_undo_last(user=alice, now=timezone.now()).done) == 4
        assert Candidate.objects.filter(status="pending", set_aside_until=None).count() == 4
        with pytest.raises(Invalid):
            acts.act_bulk(user=alice, verb="delete", selection=selection, now=now)

    def test_a_stranger_and_a_reader_select_nothing(
        self, api: Namespace, facts: list[Candidate], alice: User, now: datetime
    ) -> None:
        reader, stranger = build.person("bob"), build.person("charlie")
        share(api, alice, reader, "reader")
        selection = Selection(QueueFilter(), as_of=now)
        for user in (reader, stranger):
            result = acts.act_bulk(user=user, verb="reject", selection=selection, now=now)
            assert (result.act, result.done, result.changed) == (None, [], {})
        assert AuditEvent.objects.filter(verb="candidate.rejected").count() == 0


class TestNamedRows:
    def test_of_strangers_and_readers_are_refused_row_by_row(
        self, api: Namespace, facts: list[Candidate], alice: User, now: datetime
    ) -> None:
        reader, stranger = build.person("bob"), build.person("charlie")
        share(api, alice, reader, "reader")
        for user, error in ((reader, Forbidden), (stranger, NotFound)):
            for result in (
                acts.act_set_aside(user=user, items=refs(facts), now=now),
                acts.act_move(user=user, items=refs(facts), namespace_id=api.pk, now=now),
                acts.act_merge(
                    user=user, items=refs(facts[1:]), into=Into("candidate", facts[0].pk), now=now
                ),
            ):
                assert result.act is None
                assert result.changed
                assert all(isinstance(each, error) for each in result.changed.values())

    def test_named_twice_are_done_once(self, facts: list[Candidate], alice: User, now: datetime) -> None:
        result = acts.act_reject(user=alice, items=refs(facts) * 2, now=now)
        assert (len(result.done), result.changed) == (4, {})
