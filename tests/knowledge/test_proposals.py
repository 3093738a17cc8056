"""Proposals: filed once, decided by people, undone to the letter, and silent once a memory is deleted."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from core.errors import Conflict, Forbidden, Invalid, NotFound, Paused
from core.models import AgentKey, Namespace
from core.services import audit
from core.services.namespaces import namespace_pause
from knowledge.models import Proposal
from knowledge.selectors.proposals import decided, proposal_for, shown, waiting
from knowledge.services.inbox import proposals_tidy, reports_file
from knowledge.services.proposals import (
    Filed,
    proposal_accept,
    proposal_file,
    proposal_refuse,
    proposal_undo,
    proposal_withdraw,
)
from memory.models import Memory, MemoryReport, MemoryTerm
from memory.services.memories import memory_delete, memory_edit, memory_retire
from memory.services.reports import memory_report
from review.services import acts
from tests import build
from tests.review.scene import remembered, share

pytestmark = pytest.mark.django_db


@pytest.fixture
def now() -> datetime:
    return timezone.now() + timedelta(minutes=1)


@pytest.fixture
def loki(api: Namespace, alice: User) -> Memory:
    return remembered(alice, api, "Logs go to Loki.", kind="fact")


@pytest.fixture
def twin(api: Namespace, alice: User) -> Memory:
    return remembered(alice, api, "We keep our logs in Grafana Loki.", kind="fact")


def ref(memory: Memory) -> dict[str, Any]:
    return {"id": str(memory.pk), "version": memory.version}


def file(kind: str, namespace: Namespace, now: datetime, **payload: Any) -> Filed:
    return proposal_file(namespace=namespace, kind=kind, payload=payload, reason="they say the same", now=now)


def merge(loki: Memory, twin: Memory, now: datetime, content: str = "") -> Proposal:
    return file("merge", loki.namespace, now, keep=ref(loki), drop=[ref(twin)], content=content).proposal


def accept(proposal: Proposal, user: User, now: datetime, content: str | None = None) -> Proposal:
    return proposal_accept(
        proposal_id=proposal.pk, version=proposal.version, user=user, now=now, content=content
    )


def undo(proposal: Proposal, user: User, now: datetime) -> Proposal:
    proposal.refresh_from_db()
    return proposal_undo(proposal_id=proposal.pk, version=proposal.version, user=user, now=now)


def found(*memories: Memory) -> list[tuple[str, str]]:
    for memory in memories:
        memory.refresh_from_db()
    return [(memory.status, memory.content) for memory in memories]


class TestFiling:
    def test_changes_nothing_and_is_done_once(self, loki: Memory, twin: Memory, now: datetime) -> None:
        before = found(loki, twin)
        first = file("merge", loki.namespace, now, keep=ref(loki), drop=[ref(twin)])
        again = file("merge", loki.namespace, now, keep=ref(loki), drop=[ref(twin)])
        assert (first.created, again.created, again.proposal) == (True, False, first.proposal)
        assert found(loki, twin) == before

    def test_what_a_person_refused_is_not_filed_again_and_what_was_withdrawn_may_be(
        self, loki: Memory, twin: Memory, alice: User, now: datetime
    ) -> None:
        one = merge(loki, twin, now)
        proposal_refuse(proposal_id=one.pk, version=1, user=alice, now=now, reason="wrong")
        assert merge(loki, twin, now) == one
        two = file("retire", loki.namespace, now, memory=ref(loki), **{"as": "outdated"}).proposal
        proposal_withdraw(proposal=two, now=now)
        assert file("retire", loki.namespace, now, memory=ref(loki), **{"as": "outdated"}).created

    def test_refuses_foreign_inactive_and_malformed_memories_and_paused_namespaces(
        self, loki: Memory, twin: Memory, alice: User, now: datetime
    ) -> None:
        foreign = remembered(alice, build.workspace(alice, "web"), "The site uses Astro.", kind="fact")
        with pytest.raises(Invalid):
            file("merge", loki.namespace, now, keep=ref(loki), drop=[ref(foreign)])
        with pytest.raises(Invalid):
            file("merge", loki.namespace, now, keep=ref(loki))
        memory_retire(memory_id=twin.pk, version=twin.version, user=alice, reason="wrong", now=now)
        with pytest.raises(Invalid):
            file("merge", loki.namespace, now, keep=ref(loki), drop=[ref(twin)])
        namespace_pause(namespace=loki.namespace, user=alice, paused=True, now=now)
        loki.namespace.refresh_from_db()
        with pytest.raises(Paused):
            file("retire", loki.namespace, now, memory=ref(loki), **{"as": "wrong"})
        assert not Proposal.objects.exists()


class TestAccepting:
    def test_a_merge_keeps_one_with_the_new_text_and_undo_restores_both_to_the_letter(
        self, loki: Memory, twin: Memory, alice: User, now: datetime
    ) -> None:
        before = found(loki, twin)
        proposal = merge(loki, twin, now, content="Logs go to Grafana Loki.")
        accept(proposal, alice, now)
        assert found(loki, twin) == [
            ("active", "Logs go to Grafana Loki."),
            ("superseded", "We keep our logs in Grafana Loki."),
        ]
        assert twin.superseded_by == loki
        assert set(MemoryTerm.objects.values_list("memory_id", flat=True)) == {loki.pk}
        undone = undo(proposal, alice, now)
        assert found(loki, twin) == before
        assert undone.state == "open"
        assert set(MemoryTerm.objects.values_list("memory_id", flat=True)) == {loki.pk, twin.pk}
        accept(undone, alice, now)
        assert found(loki)[0] == ("active", "Logs go to Grafana Loki.")
        assert audit.verify() == []

    def test_the_persons_own_wording_wins(
        self, loki: Memory, twin: Memory, alice: User, now: datetime
    ) -> None:
        accept(merge(loki, twin, now, content="Loki."), alice, now, content="All logs go to Loki.")
        assert found(loki)[0][1] == "All logs go to Loki."

    def test_a_contradiction_closes_the_old_one(
        self, loki: Memory, twin: Memory, alice: User, now: datetime
    ) -> None:
        proposal = file("supersede", loki.namespace, now, old=ref(loki), new=ref(twin)).proposal
        accept(proposal, alice, now)
        assert (found(loki)[0][0], loki.superseded_by) == ("superseded", twin)
        undo(proposal, alice, now)
        assert found(loki)[0][0] == "active"

    @pytest.mark.parametrize(("how", "status"), [("wrong", "retracted"), ("outdated", "superseded")])
    def test_retiring_says_whether_it_ever_was_true(
        self, loki: Memory, alice: User, now: datetime, how: str, status: str
    ) -> None:
        proposal = file("retire", loki.namespace, now, memory=ref(loki), **{"as": how}).proposal
        accept(proposal, alice, now)
        assert found(loki)[0][0] == status
        undo(proposal, alice, now)
        assert found(loki)[0][0] == "active"

    def test_refuses_when_a_memory_is_not_as_the_proposer_saw_it(
        self, loki: Memory, twin: Memory, alice: User, now: datetime
    ) -> None:
        proposal = merge(loki, twin, now)
        memory_edit(
            memory_id=twin.pk,
            version=twin.version,
            user=alice,
            content="Logs go to S3.",
            kind="fact",
            now=now,
        )
        with pytest.raises(Conflict) as caught:
            accept(proposal, alice, now)
        assert caught.value.code == "outdated"
        proposal.refresh_from_db()
        assert proposal.state == "open"
        assert shown([proposal])[0].outdated

    def test_undo_refuses_when_a_memory_was_touched_later(
        self, loki: Memory, twin: Memory, alice: User, now: datetime
    ) -> None:
        proposal = merge(loki, twin, now, content="Logs go to Grafana Loki.")
        accept(proposal, alice, now)
        loki.refresh_from_db()
        memory_edit(
            memory_id=loki.pk,
            version=loki.version,
            user=alice,
            content="Logs go to S3.",
            kind="fact",
            now=now,
        )
        with pytest.raises(Conflict):
            undo(proposal, alice, now)
        assert [status for status, _content in found(loki, twin)] == ["active", "superseded"]

    def test_the_second_of_two_learns_who_was_faster(
        self, loki: Memory, twin: Memory, alice: User, now: datetime
    ) -> None:
        proposal = merge(loki, twin, now)
        proposal_refuse(proposal_id=proposal.pk, version=1, user=alice, now=now)
        with pytest.raises(Conflict) as caught:
            proposal_accept(proposal_id=proposal.pk, version=1, user=alice, now=now)
        assert (caught.value.code, caught.value.details["by"]) == ("already_decided", "alice")


class TestReports:
    def reported(self, memory: Memory, key: AgentKey, now: datetime, wanted: str = "") -> MemoryReport:
        return memory_report(
            agent_key=key, memory_id=memory.pk, reason="The code says S3.", text_wanted=wanted, now=now
        )

    def test_come_into_the_queue_once_and_change_nothing(
        self, loki: Memory, alice: User, now: datetime
    ) -> None:
        self.reported(loki, build.key(alice).key, now)
        assert [reports_file(now=now), reports_file(now=now)] == [1, 0]
        proposal = Proposal.objects.get()
        assert (proposal.kind, proposal.reason, proposal.filed_by) == (
            "report",
            "The code says S3.",
            "laptop",
        )
        assert found(loki)[0][0] == "active"

    def test_accepting_retires_the_memory_or_corrects_it_and_closes_the_report(
        self, loki: Memory, alice: User, now: datetime
    ) -> None:
        report = self.reported(loki, build.key(alice).key, now, wanted="Logs go to S3.")
        reports_file(now=now)
        proposal = Proposal.objects.get()
        accept(proposal, alice, now, content="Logs go to S3, since May.")
        assert found(loki) == [("active", "Logs go to S3, since May.")]
        report.refresh_from_db()
        assert report.state == "done"
        undone = undo(proposal, alice, now)
        report.refresh_from_db()
        assert (found(loki)[0][1], report.state) == ("Logs go to Loki.", "open")
        accept(undone, alice, now)
        assert found(loki)[0][0] == "retracted"

    def test_refusing_keeps_the_memory(self, loki: Memory, alice: User, now: datetime) -> None:
        self.reported(loki, build.key(alice).key, now)
        reports_file(now=now)
        proposal_refuse(proposal_id=Proposal.objects.get().pk, version=1, user=alice, now=now)
        assert (found(loki)[0][0], MemoryReport.objects.get().state) == ("active", "done")
        assert reports_file(now=now) == 0

    def test_go_with_the_memory(self, loki: Memory, alice: User, now: datetime) -> None:
        self.reported(loki, build.key(alice).key, now)
        reports_file(now=now)
        memory_delete(memory_id=loki.pk, version=loki.version, user=alice, now=now)
        assert not Proposal.objects.exists()


class TestTidying:
    def test_a_deleted_memory_leaves_no_text_in_any_proposal(
        self, loki: Memory, twin: Memory, alice: User, now: datetime
    ) -> None:
        done = merge(loki, twin, now, content="EXAMPLE secret wording")
        proposal_refuse(proposal_id=done.pk, version=1, user=alice, now=now)
        file("retire", loki.namespace, now, memory=ref(twin), content="EXAMPLE too", **{"as": "wrong"})
        memory_delete(memory_id=twin.pk, version=twin.version, user=alice, now=now)
        assert not waiting(user=alice).exists()
        proposals_tidy(now=now)
        assert proposals_tidy(now=now) == 0
        rows = list(Proposal.objects.values_list("state", "reason", "payload"))
        assert sorted(state for state, _reason, _payload in rows) == ["refused", "withdrawn"]
        assert "EXAMPLE" not in str(rows)
        assert {reason for _state, reason, _payload in rows} == {""}

    def test_an_open_one_about_a_retired_memory_is_withdrawn(
        self, loki: Memory, twin: Memory, alice: User, now: datetime
    ) -> None:
        about_both = merge(loki, twin, now)
        fine = file("retire", loki.namespace, now, memory=ref(loki), **{"as": "wrong"}).proposal
        memory_retire(memory_id=twin.pk, version=twin.version, user=alice, reason="wrong", now=now)
        assert proposals_tidy(now=now) == 1
        about_both.refresh_from_db()
        fine.refresh_from_db()
        assert (about_both.state, fine.state) == ("withdrawn", "open")


class TestActs:
    def test_one_undo_takes_back_what_was_accepted_in_one_act(
        self, loki: Memory, twin: Memory, alice: User, now: datetime
    ) -> None:
        made = [
            file("retire", loki.namespace, now, memory=ref(each), **{"as": "wrong"}).proposal
            for each in (loki, twin)
        ]
        items = [acts.ItemRef(each.pk, each.version) for each in made]
        result = acts.act_accept(user=alice, items=items, now=now)
        assert len(result.done) == 2
        assert [status for status, _content in found(loki, twin)] == ["retracted", "retracted"]
        assert len(acts.act_undo_last(user=alice, now=now).done) == 2
        assert [status for status, _content in found(loki, twin)] == ["active", "active"]

    def test_refusing_is_undone_too(self, loki: Memory, alice: User, now: datetime) -> None:
        made = file("retire", loki.namespace, now, memory=ref(loki), **{"as": "wrong"}).proposal
        acts.act_refuse(user=alice, items=[acts.ItemRef(made.pk, 1)], reason="trivial", now=now)
        acts.act_undo_last(user=alice, now=now)
        made.refresh_from_db()
        assert (made.state, made.decision_reason) == ("open", "")


class TestWhoMay:
    def test_strangers_and_readers_decide_nothing(
        self, loki: Memory, twin: Memory, api: Namespace, alice: User, now: datetime
    ) -> None:
        proposal = merge(loki, twin, now)
        reader, stranger = build.person("bob"), build.person("charlie")
        share(api, alice, reader, "reader")
        for user, error in ((reader, Forbidden), (stranger, NotFound)):
            for decide in (proposal_accept, proposal_refuse, proposal_undo):
                with pytest.raises(error):
                    decide(proposal_id=proposal.pk, version=1, user=user, now=now)
            with pytest.raises(error):
                proposal_for(user=user, proposal_id=proposal.pk)
            assert not waiting(user=user).exists()
            assert not decided(user=user).exists()
        with pytest.raises(NotFound):
            proposal_for(user=alice, proposal_id=uuid.uuid4())

    def test_reviewers_see_what_waits_with_its_memories(
        self, loki: Memory, twin: Memory, alice: User, now: datetime
    ) -> None:
        proposal = merge(loki, twin, now)
        (panel,) = shown(list(waiting(user=alice)))
        assert (panel.proposal, list(panel.memories), panel.outdated) == (proposal, [loki, twin], False)
