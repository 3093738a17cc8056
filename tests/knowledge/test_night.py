"""The night shift: files proposals and nothing else, once, for one namespace at a time, and survives a crash."""

from __future__ import annotations

import uuid
from collections import Counter

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from core.models import AuditEvent, Namespace
from core.services.namespaces import namespace_pause
from knowledge.models import ConsolidationRun, Proposal
from knowledge.services.night import lease
from knowledge.services.night.lease import LEASE, MAX_ATTEMPTS, night_open
from knowledge.services.night.run import night_run
from knowledge.services.night.skips import Skip
from knowledge.services.night.stage import Draft, Findings, Night
from knowledge.services.proposals import proposal_accept, proposal_refuse
from memory.models import Memory
from memory.services.memories import memory_edit
from tests import build
from tests.knowledge.nights import CORE, DAWN, days, night, said, waiting

pytestmark = pytest.mark.django_db
TUESDAY = "Deploys to production happen on Tuesday morning."
TWIN = "We ship to production every Tuesday morning."
THURSDAY = "Production deploys now happen on Thursday morning instead of Tuesday."


@pytest.fixture
def home(alice: User) -> Namespace:
    return build.workspace(alice)


class Scripted:
    """A stage that does what the test says."""

    name = "scripted"

    def __init__(self, *findings: Findings | Exception) -> None:
        self.findings = list(findings)
        self.calls = 0

    def __call__(self, night: Night) -> Findings:
        self.calls += 1
        given = self.findings.pop(0) if self.findings else Findings()
        if isinstance(given, Exception):
            raise given
        return given


def ref(memory: Memory) -> dict[str, object]:
    return {"id": str(memory.pk), "version": memory.version}


def merging(keep: Memory, drop: Memory) -> Draft:
    return Draft("merge", {"keep": ref(keep), "drop": [ref(drop)]}, "the same", 0.9)


def test_duplicates_and_corrections_become_proposals_and_change_nothing(home: Namespace, alice: User) -> None:
    said(home, alice, TUESDAY, "Functions should be no longer than 40 lines.", at=DAWN - days(60))
    said(home, alice, "Keep functions under 40 lines.", at=DAWN - days(50))
    said(home, alice, THURSDAY, at=DAWN - days(1))
    run = night(home, DAWN + days(1))
    assert run.state == "done"
    assert sorted(each.kind for each in waiting(home)) == ["merge", "supersede"]
    assert all(each.batch == run.pk and each.reason and each.sources for each in waiting(home))
    assert Memory.objects.active().filter(namespace=home).count() == 4
    assert run.proposed == 2
    assert run.looked_at >= 4
    assert not run.used_model


def test_a_second_night_with_nothing_new_looks_at_nothing_and_proposes_nothing(
    home: Namespace, alice: User
) -> None:
    said(home, alice, TUESDAY, TWIN)
    assert night(home, DAWN + days(1)).proposed == 1
    again = night(home, DAWN + days(2))
    assert (again.state, again.proposed) == ("done", 0)
    assert again.stages[0]["looked_at"] == 0
    assert len(waiting(home)) == 1


def test_what_is_approved_while_the_night_runs_is_looked_at_in_the_next(home: Namespace, alice: User) -> None:
    said(home, alice, TUESDAY)

    class Meanwhile(Scripted):
        def __call__(self, night: Night) -> Findings:
            said(home, alice, TWIN, now=night.now)
            return super().__call__(night)

    first = night(home, DAWN + days(1), stages=[*CORE, Meanwhile()])
    assert (first.state, first.proposed) == ("done", 0)
    assert night(home, DAWN + days(2)).proposed == 1


def test_a_crashed_night_goes_on_where_it_was(home: Namespace, alice: User) -> None:
    said(home, alice, TUESDAY, TWIN)
    now = DAWN + days(1)
    run = night_open(namespace=home, now=now)

    class Dies(Scripted):
        def __call__(self, night: Night) -> Findings:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        night_run(run_id=run.pk, now=now, stages=[*CORE, Dies()])
    assert len(waiting(home)) == 1
    assert night_run(run_id=run.pk, now=now + LEASE / 2, stages=CORE) == "busy"
    after = Scripted()
    assert night_run(run_id=run.pk, now=now + LEASE * 2, stages=[*CORE, after]) == "done"
    run.refresh_from_db()
    assert after.calls == 1
    assert [line["name"] for line in run.stages] == ["compare", "retire", "scripted"]
    assert (run.proposed, len(waiting(home))) == (1, 1)


def test_a_stage_that_fails_does_not_keep_the_others_from_filing_and_is_tried_again(
    home: Namespace, alice: User
) -> None:
    said(home, alice, TUESDAY, TWIN)
    now = DAWN + days(1)
    broken = Scripted(RuntimeError("no model"), Findings(looked_at=3, skipped=Counter({Skip.UNSURE: 2})))
    run = night_open(namespace=home, now=now)
    assert night_run(run_id=run.pk, now=now, stages=[broken, *CORE]) == "waiting"
    run.refresh_from_db()
    assert "no model" in run.error
    assert len(waiting(home)) == 1
    assert night_run(run_id=run.pk, now=now, stages=[broken, *CORE]) == "busy"  # not due yet
    assert night_run(run_id=run.pk, now=run.due_at, stages=[broken, *CORE]) == "done"
    run.refresh_from_db()
    assert run.error == ""
    assert run.skipped["unsure"] == 2
    assert len(waiting(home)) == 1


def test_a_night_that_fails_for_good_moves_no_mark(home: Namespace, alice: User) -> None:
    said(home, alice, TUESDAY, TWIN)
    now = DAWN + days(1)
    run = night_open(namespace=home, now=now)
    for _ in range(MAX_ATTEMPTS):
        night_run(run_id=run.pk, now=now, stages=[Scripted(RuntimeError("broken"))])
        run.refresh_from_db()
        now = run.due_at
    assert run.state == "failed"
    assert AuditEvent.objects.filter(verb="night.failed", object_id=str(run.pk)).exists()
    assert night(home, now + days(1)).proposed == 1


def test_a_night_whose_worker_dies_every_time_ends(home: Namespace) -> None:
    now = DAWN
    run = night_open(namespace=home, now=now)
    for _ in range(MAX_ATTEMPTS):
        assert lease.claim(run_id=run.pk, now=now) is not None
        now += LEASE * 2
    assert lease.claim(run_id=run.pk, now=now) is None
    run.refresh_from_db()
    assert (run.state, run.error) == ("failed", "the worker died")


def test_a_namespace_has_one_live_night(home: Namespace) -> None:
    one = night_open(namespace=home, now=DAWN)
    assert night_open(namespace=home, now=DAWN + days(1)).pk == one.pk
    with pytest.raises(IntegrityError), transaction.atomic():
        ConsolidationRun.objects.create(namespace=home, opened_at=DAWN, due_at=DAWN)


def test_who_lost_the_lease_files_nothing(home: Namespace, alice: User) -> None:
    keep, drop = said(home, alice, TUESDAY, TWIN)
    now = DAWN + days(1)
    run = night_open(namespace=home, now=now)

    class Slow(Scripted):
        def __call__(self, night: Night) -> Findings:
            later = now + LEASE * 2  # while this one thinks, another worker takes over
            assert lease.claim(run_id=run.pk, now=later) is not None
            return Findings([merging(keep, drop)])

    assert night_run(run_id=run.pk, now=now, stages=[Slow()]) == "lost"
    assert waiting(home) == []
    run.refresh_from_db()
    assert (run.state, run.attempts) == ("running", 2)


def test_a_paused_namespace_has_no_night(home: Namespace, alice: User) -> None:
    said(home, alice, TUESDAY, TWIN)
    namespace_pause(namespace=home, user=alice, now=DAWN, paused=True)
    assert night(home, DAWN + days(1)).state == "waiting"
    namespace_pause(namespace=home, user=alice, now=DAWN, paused=False)
    assert night(home, DAWN + days(2)).proposed == 1


def test_a_draft_about_what_changed_meanwhile_is_counted_and_not_filed(home: Namespace, alice: User) -> None:
    keep, drop = said(home, alice, TUESDAY, TWIN)
    gone = Draft("retire", {"memory": {"id": str(uuid.uuid4()), "version": 1}, "as": "outdated"}, "gone", 0.5)
    stage = Scripted(Findings([gone, merging(keep, drop), merging(keep, drop)]))
    run = night(home, DAWN + days(1), stages=[stage])
    assert run.proposed == 1
    assert run.skipped == {"changed_meanwhile": 1, "already_filed": 1}


def test_a_stage_that_drafts_nonsense_fails_visibly(home: Namespace) -> None:
    run = night(home, DAWN, stages=[Scripted(Findings([Draft("merge", {}, "", 0.5)]))])
    assert run.state == "waiting"
    assert "keep" in run.error or "drop" in run.error
    assert run.stages == []


def test_each_namespace_is_looked_at_alone(home: Namespace, alice: User) -> None:
    bob = build.person("bob")
    theirs = build.workspace(bob)
    said(home, alice, TUESDAY)
    said(theirs, bob, TWIN)
    assert night(home, DAWN + days(1)).proposed == 0
    assert night(theirs, DAWN + days(1)).proposed == 0


def test_a_refused_pair_is_not_proposed_again_until_a_text_changes(home: Namespace, alice: User) -> None:
    first, _ = said(home, alice, TUESDAY, TWIN)
    night(home, DAWN + days(1))
    [merge] = waiting(home)
    proposal_refuse(proposal_id=merge.pk, version=merge.version, user=alice, now=DAWN + days(1))
    run = night(home, DAWN + days(2))
    assert run.proposed == 0
    assert run.skipped["refused_before"] == 1
    memory_edit(
        memory_id=first.pk,
        version=first.version,
        user=alice,
        content="Deploys to production happen on each Tuesday morning.",
        kind="fact",
        now=DAWN + days(2),
    )
    assert night(home, DAWN + days(3)).proposed == 1


def test_a_third_twin_is_proposed_once_the_first_two_are_decided(home: Namespace, alice: User) -> None:
    said(home, alice, TUESDAY, TWIN)
    night(home, DAWN + days(1))
    said(home, alice, "We deploy to production every Tuesday morning.", now=DAWN + days(1))
    held_back = night(home, DAWN + days(2))
    assert held_back.proposed == 0 or waiting(home)[-1].payload["keep"] == waiting(home)[0].payload["keep"]
    for proposal in waiting(home):
        proposal_accept(proposal_id=proposal.pk, version=proposal.version, user=alice, now=DAWN + days(2))
    night(home, DAWN + days(3))
    for proposal in waiting(home):
        proposal_accept(proposal_id=proposal.pk, version=proposal.version, user=alice, now=DAWN + days(3))
    assert Memory.objects.active().filter(namespace=home).count() == 1


def test_the_report_says_what_each_stage_did(home: Namespace, alice: User) -> None:
    said(home, alice, TUESDAY, TWIN)
    stage = Scripted(Findings(looked_at=7, tokens=120, used_model=True, skipped=Counter({Skip.UNSURE: 4})))
    run = night(home, DAWN + days(1), stages=[*CORE, stage])
    assert (run.tokens, run.used_model) == (120, True)
    assert run.stages[-1] | {"seconds": 0} == {
        "name": "scripted",
        "looked_at": 7,
        "proposed": 0,
        "skipped": {"unsure": 4},
        "tokens": 120,
        "seconds": 0,
        "used_model": True,
        "carry": [],
    }
    done = AuditEvent.objects.get(verb="night.done", object_id=str(run.pk))
    assert done.data["proposed"] == 1
    assert AuditEvent.objects.filter(verb="proposal.filed", group=run.pk).count() == 1
    assert Proposal.objects.get(namespace=home).filed_by == "Hikae"
