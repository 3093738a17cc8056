"""What a person decides: approve, edit, reject, undo; and who may not."""

from __future__ import annotations

import threading
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection, connections

from core.actor import Actor
from core.errors import Conflict, Forbidden, Invalid, NotFound
from core.models import AuditEvent, Namespace
from core.services import audit
from core.services.members import member_set
from core.services.namespaces import namespace_create
from memory.inputs import Outcome
from memory.models import Candidate, Memory, MemoryTerm, Tombstone
from memory.services import archive, gate, memories
from memory.services.candidates import candidate_propose
from memory.services.remember import candidate_type
from review.services import acts
from tests.memory.make import proposal

pytestmark = pytest.mark.django_db


@pytest.fixture
def alice() -> User:
    return User.objects.create_user("alice")


@pytest.fixture
def charlie() -> User:
    return User.objects.create_user("charlie")


@pytest.fixture
def api(alice: User, now: datetime) -> Namespace:
    return namespace_create(owner=alice, type="workspace", name="api", actor=Actor.person(alice), now=now)


@pytest.fixture
def pnpm(api: Namespace, now: datetime) -> Candidate:
    return _made(candidate_propose(proposal=proposal(api, "Use pnpm instead of npm."), now=now))


def _made(outcome: Outcome) -> Candidate:
    assert outcome.candidate is not None
    return outcome.candidate


def _approve(candidate: Candidate, user: User, now: datetime) -> Memory:
    return gate.candidate_approve(candidate_id=candidate.pk, version=candidate.version, user=user, now=now)


class TestApproving:
    def test_makes_an_active_memory_that_words_find_at_once(
        self, pnpm: Candidate, alice: User, now: datetime
    ) -> None:
        memory = _approve(pnpm, alice, now)
        assert (memory.content, memory.status) == ("Use pnpm instead of npm.", "active")
        assert MemoryTerm.objects.filter(memory=memory, term="pnpm").exists()
        pnpm.refresh_from_db()
        assert (pnpm.status, pnpm.memory, pnpm.decided_by) == ("approved", memory, alice)

    def test_an_edited_text_is_what_becomes_memory_and_the_original_stays(
        self, pnpm: Candidate, api: Namespace, alice: User, now: datetime
    ) -> None:
        edited = gate.candidate_edit(
            candidate_id=pnpm.pk,
            version=pnpm.version,
            user=alice,
            content="Use pnpm, never npm.",
            kind="preference",
            namespace_id=api.pk,
            now=now,
        )
        memory = _approve(edited, alice, now)
        assert (memory.content, memory.kind) == ("Use pnpm, never npm.", "preference")
        assert edited.original == "Use pnpm instead of npm."

    def test_a_second_approval_learns_who_was_faster(
        self, pnpm: Candidate, alice: User, now: datetime
    ) -> None:
        _approve(pnpm, alice, now)
        with pytest.raises(Conflict) as caught:
            _approve(pnpm, alice, now)
        assert caught.value.code == "already_decided"
        assert caught.value.details["by"] == "alice"
        assert caught.value.details["status"] == "approved"
        assert Memory.objects.count() == 1

    def test_a_text_edited_meanwhile_is_not_approved_unseen(
        self, pnpm: Candidate, api: Namespace, alice: User, now: datetime
    ) -> None:
        gate.candidate_edit(
            candidate_id=pnpm.pk,
            version=1,
            user=alice,
            content="Use yarn.",
            kind="fact",
            namespace_id=api.pk,
            now=now,
        )
        with pytest.raises(Conflict):
            gate.candidate_approve(candidate_id=pnpm.pk, version=1, user=alice, now=now)
        assert not Memory.objects.exists()

    def test_the_audit_keeps_hashes_and_never_the_text(
        self, pnpm: Candidate, alice: User, now: datetime
    ) -> None:
        _approve(pnpm, alice, now)
        everything = str(list(AuditEvent.objects.values()))
        assert "pnpm" not in everything
        assert audit.verify() == []
        verbs = list(AuditEvent.objects.order_by("id").values_list("verb", flat=True))
        assert verbs[-3:] == ["candidate.created", "candidate.approved", "memory.created"]

    def test_approving_a_correction_closes_the_old_memory_in_the_same_act(
        self, pnpm: Candidate, api: Namespace, alice: User, now: datetime
    ) -> None:
        old = _approve(pnpm, alice, now)
        fix = _made(candidate_propose(proposal=proposal(api, "Use bun instead of pnpm."), now=now))
        new = gate.candidate_approve(
            candidate_id=fix.pk, version=1, user=alice, now=now + timedelta(hours=1), replaces=old.pk
        )
        old.refresh_from_db()
        assert (old.status, old.superseded_by, old.valid_to) == ("superseded", new, new.valid_from)
        assert not MemoryTerm.objects.filter(memory=old).exists()

    def test_a_failed_promotion_needs_attention_and_shows_why(
        self, pnpm: Candidate, alice: User, now: datetime
    ) -> None:
        with connection.cursor() as cursor:  # a database that refuses: the index is gone
            cursor.execute("ALTER TABLE memory_memoryterm ADD CONSTRAINT broken CHECK (term <> 'pnpm')")
        with pytest.raises(gate.PromotionFailed):
            _approve(pnpm, alice, now)
        pnpm.refresh_from_db()
        assert pnpm.status == "needs_attention"
        assert "broken" in pnpm.error
        assert not Memory.objects.exists()


class TestRejecting:
    def test_the_same_thing_is_not_proposed_again(
        self, pnpm: Candidate, api: Namespace, alice: User, now: datetime
    ) -> None:
        gate.candidate_reject(candidate_id=pnpm.pk, version=1, user=alice, now=now, reason="wrong")
        again = candidate_propose(proposal=proposal(api, "use PNPM instead of npm", session="s2"), now=now)
        assert (again.result, again.candidate) == ("suppressed", None)
        assert Tombstone.objects.get().hits == 1
        pnpm.refresh_from_db()
        assert pnpm.suppressed == 1

    def test_as_private_it_keeps_no_readable_text(
        self, pnpm: Candidate, api: Namespace, alice: User, now: datetime
    ) -> None:
        gate.candidate_reject(candidate_id=pnpm.pk, version=1, user=alice, now=now, reason="private")
        stone = Tombstone.objects.get()
        assert (stone.text, stone.vector, stone.blocks) == ("", None, [])
        again = candidate_propose(proposal=proposal(api, "Use pnpm instead of npm!", session="s2"), now=now)
        assert again.result == "suppressed"

    def test_an_unknown_reason_is_refused_with_what_is_allowed(
        self, pnpm: Candidate, alice: User, now: datetime
    ) -> None:
        with pytest.raises(Invalid) as caught:
            gate.candidate_reject(candidate_id=pnpm.pk, version=1, user=alice, now=now, reason="because")
        assert "private" in caught.value.details["allowed"]


class TestUndo:
    def test_of_an_approval_leaves_nothing_to_recall(
        self, pnpm: Candidate, alice: User, now: datetime
    ) -> None:
        memory = _approve(pnpm, alice, now)
        pnpm.refresh_from_db()
        gate.candidate_undo(candidate_id=pnpm.pk, version=pnpm.version, user=alice, now=now)
        memory.refresh_from_db()
        pnpm.refresh_from_db()
        assert (pnpm.status, memory.status, memory.status_reason, memory.content) == (
            "pending",
            "deleted",
            "undone",
            "",
        )
        assert not MemoryTerm.objects.exists()
        assert not Tombstone.objects.exists()

    def test_of_a_correction_revives_what_it_replaced(
        self, pnpm: Candidate, api: Namespace, alice: User, now: datetime
    ) -> None:
        old = _approve(pnpm, alice, now)
        fix = _made(candidate_propose(proposal=proposal(api, "Use bun instead of pnpm."), now=now))
        gate.candidate_approve(candidate_id=fix.pk, version=1, user=alice, now=now, replaces=old.pk)
        fix.refresh_from_db()
        gate.candidate_undo(candidate_id=fix.pk, version=fix.version, user=alice, now=now)
        old.refresh_from_db()
        assert (old.status, old.superseded_by, old.valid_to) == ("active", None, None)
        assert MemoryTerm.objects.filter(memory=old).exists()

    def test_of_a_rejection_lifts_the_tombstone(
        self, pnpm: Candidate, api: Namespace, alice: User, now: datetime
    ) -> None:
        rejected = gate.candidate_reject(candidate_id=pnpm.pk, version=1, user=alice, now=now)
        gate.candidate_undo(candidate_id=pnpm.pk, version=rejected.version, user=alice, now=now)
        again = candidate_propose(proposal=proposal(api, "Use pnpm instead of npm.", session="s2"), now=now)
        assert again.result == "sighted"

    def test_leaves_alone_a_memory_that_was_changed_since(
        self, pnpm: Candidate, alice: User, now: datetime
    ) -> None:
        memory = _approve(pnpm, alice, now)
        memories.memory_edit(
            memory_id=memory.pk, version=1, user=alice, content="Use pnpm 9.", kind="fact", now=now
        )
        pnpm.refresh_from_db()
        with pytest.raises(Conflict) as caught:
            gate.candidate_undo(candidate_id=pnpm.pk, version=pnpm.version, user=alice, now=now)
        assert caught.value.code == "changed_since"
        pnpm.refresh_from_db()
        assert pnpm.status == "approved"


class TestActs:
    def test_one_undo_reverses_a_whole_act(self, api: Namespace, alice: User, now: datetime) -> None:
        made = [
            _made(candidate_propose(proposal=proposal(api, text, kind="fact", session=f"s{i}"), now=now))
            for i, text in enumerate(["The port is 8080.", "Logs go to Loki.", "CI runs on Buildkite."])
        ]
        result = acts.act_approve(user=alice, items=[acts.ItemRef(c.pk, c.version) for c in made], now=now)
        assert len(result.done) == 3
        undone = acts.act_undo_last(user=alice, now=now)
        assert sorted(undone.done) == sorted(c.pk for c in made)
        assert Candidate.objects.filter(status="pending").count() == 3
        assert not Memory.objects.active().exists()

    def test_a_bulk_approval_leaves_decisions_out(self, api: Namespace, alice: User, now: datetime) -> None:
        light = _made(candidate_propose(proposal=proposal(api, "Logs go to Loki.", kind="fact"), now=now))
        heavy = _made(
            candidate_propose(proposal=proposal(api, "We chose Kafka over NATS.", kind="decision"), now=now)
        )
        result = acts.act_approve(
            user=alice, items=[acts.ItemRef(light.pk, 1), acts.ItemRef(heavy.pk, 1)], now=now
        )
        assert (result.done, result.left_out) == ([light.pk], [heavy.pk])

    def test_the_act_reports_a_failed_promotion_and_keeps_it(
        self, pnpm: Candidate, alice: User, now: datetime
    ) -> None:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE memory_memoryterm ADD CONSTRAINT broken CHECK (term <> 'pnpm')")
        result = acts.act_approve(user=alice, items=[acts.ItemRef(pnpm.pk, 1)], now=now)
        assert result.act is None
        assert result.changed[pnpm.pk].code == "promotion_failed"
        pnpm.refresh_from_db()
        assert pnpm.status == "needs_attention"

    def test_nobody_undoes_the_act_of_another(
        self, pnpm: Candidate, alice: User, charlie: User, now: datetime
    ) -> None:
        acts.act_approve(user=alice, items=[acts.ItemRef(pnpm.pk, 1)], now=now)
        with pytest.raises(NotFound):
            acts.act_undo_last(user=charlie, now=now)


class TestWhoMay:
    def test_a_stranger_learns_nothing(self, pnpm: Candidate, charlie: User, now: datetime) -> None:
        for decide in (
            gate.candidate_approve,
            gate.candidate_reject,
            gate.candidate_undo,
            gate.candidate_reopen,
        ):
            with pytest.raises(NotFound):
                decide(candidate_id=pnpm.pk, version=1, user=charlie, now=now)

    def test_a_reader_may_look_and_not_decide(
        self, pnpm: Candidate, api: Namespace, alice: User, charlie: User, now: datetime
    ) -> None:
        member_set(namespace=api, by=alice, user=charlie, role="reader", now=now)
        with pytest.raises(Forbidden):
            _approve(pnpm, charlie, now)

    def test_a_reviewer_may_decide(
        self, pnpm: Candidate, api: Namespace, alice: User, charlie: User, now: datetime
    ) -> None:
        member_set(namespace=api, by=alice, user=charlie, role="reviewer", now=now)
        assert _approve(pnpm, charlie, now).status == "active"

    def test_a_candidate_cannot_be_moved_where_the_person_may_not_review(
        self, pnpm: Candidate, alice: User, charlie: User, now: datetime
    ) -> None:
        foreign = namespace_create(
            owner=charlie, type="workspace", name="x", actor=Actor.person(charlie), now=now
        )
        with pytest.raises(NotFound):
            gate.candidate_edit(
                candidate_id=pnpm.pk,
                version=1,
                user=alice,
                content="x y",
                kind="fact",
                namespace_id=foreign.pk,
                now=now,
            )


class TestTime:
    def test_untouched_for_29_days_it_waits_and_at_30_it_is_archived(
        self, pnpm: Candidate, now: datetime
    ) -> None:
        assert archive.archive_due(now=now + timedelta(days=29, hours=23, minutes=59)) == 0
        assert archive.archive_due(now=now + timedelta(days=30)) == 1
        pnpm.refresh_from_db()
        assert pnpm.status == "archived"

    def test_reopening_restarts_the_clock(self, pnpm: Candidate, alice: User, now: datetime) -> None:
        late = now + timedelta(days=30)
        archive.archive_due(now=late)
        pnpm.refresh_from_db()
        gate.candidate_reopen(candidate_id=pnpm.pk, version=pnpm.version, user=alice, now=late)
        assert archive.archive_due(now=late + timedelta(days=29)) == 0
        assert archive.archive_due(now=late + timedelta(days=30)) == 1

    def test_an_edit_touches_and_looking_does_not(
        self, pnpm: Candidate, api: Namespace, alice: User, now: datetime
    ) -> None:
        later = now + timedelta(days=20)
        gate.candidate_edit(
            candidate_id=pnpm.pk,
            version=1,
            user=alice,
            content="Use yarn.",
            kind="fact",
            namespace_id=api.pk,
            now=later,
        )
        assert archive.archive_due(now=now + timedelta(days=30)) == 0

    def test_a_new_sighting_reopens_what_was_archived(
        self, pnpm: Candidate, api: Namespace, now: datetime
    ) -> None:
        archive.archive_due(now=now + timedelta(days=30))
        again = candidate_propose(
            proposal=proposal(api, "Use pnpm instead of npm.", session="s2"), now=now + timedelta(days=31)
        )
        assert again.result == "reopened"
        assert _made(again).times_seen == 2


class TestTyping:
    def test_what_a_person_types_is_never_suppressed_and_shows_what_it_resembles(
        self, pnpm: Candidate, api: Namespace, alice: User, now: datetime
    ) -> None:
        gate.candidate_reject(candidate_id=pnpm.pk, version=1, user=alice, now=now)
        outcome = candidate_type(
            user=alice, namespace_id=api.pk, kind="decision", content="Use pnpm instead of npm.", now=now
        )
        assert outcome.result == "created"
        assert str(pnpm.pk) in outcome.resembles
        assert "duplicate_of_rejected" in _made(outcome).flags


@pytest.mark.django_db(transaction=True)
class TestRaces:
    def test_eight_reviewers_at_once_make_one_memory(
        self, api: Namespace, alice: User, now: datetime
    ) -> None:
        candidate = _made(candidate_propose(proposal=proposal(api, "Use pnpm instead of npm."), now=now))
        results: list[str] = []

        def decide() -> None:
            try:
                _approve(candidate, alice, now)
                results.append("approved")
            except Conflict as conflict:
                results.append(conflict.code)
            finally:
                connections.close_all()

        threads = [threading.Thread(target=decide) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(results) == ["already_decided"] * 7 + ["approved"]
        assert Memory.objects.count() == 1

    def test_eight_equal_proposals_at_once_wait_once(self, api: Namespace, now: datetime) -> None:
        proposals = [proposal(api, "Use pnpm instead of npm.", session=f"s{i}") for i in range(8)]
        results: list[str] = []

        def propose(index: int) -> None:
            try:
                results.append(candidate_propose(proposal=proposals[index], now=now).result)
            finally:
                connections.close_all()

        threads = [threading.Thread(target=propose, args=[i]) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(results) == ["created"] + ["sighted"] * 7
        assert Candidate.objects.get().times_seen == 8


def test_a_secret_typed_into_a_memory_is_cut(pnpm: Candidate, alice: User, now: datetime) -> None:
    memory = _approve(pnpm, alice, now)
    secret = "AKIA" + "EXAMPLE1" * 2
    edited = memories.memory_edit(
        memory_id=memory.pk,
        version=memory.version,
        user=alice,
        content=f"Use pnpm with the token {secret}.",
        kind=memory.kind,
        now=now,
    )
    assert secret not in edited.content
    assert "[redacted:" in edited.content
