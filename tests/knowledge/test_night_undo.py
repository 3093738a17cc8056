"""A night is one batch: undoing it takes back all of it, but for what somebody touched since."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.contrib.auth.models import User

from core.errors import Conflict, Forbidden, NotFound
from core.models import AuditEvent, Namespace
from knowledge.models import Proposal
from knowledge.services.night.lease import night_open
from knowledge.services.night.undo import night_undo
from knowledge.services.proposals import proposal_accept, proposal_refuse
from memory.models import Memory
from memory.services.memories import memory_edit
from tests import build
from tests.knowledge.nights import DAWN, days, night, said, waiting
from tests.review.scene import share

pytestmark = pytest.mark.django_db
TEXTS = (
    "Functions should be no longer than 40 lines.",
    "Keep functions under 40 lines.",
    "Use ripgrep for searching the code.",
    "For searching code, use ripgrep.",
    "The session cookie expires after 12 hours.",
)
NEWER = "The session cookie expires after 8 hours now."
NOW = DAWN + days(1)


@pytest.fixture
def home(alice: User) -> Namespace:
    home = build.workspace(alice)
    said(home, alice, *TEXTS, at=DAWN - days(20))
    said(home, alice, NEWER)
    return home


def active(home: Namespace) -> set[str]:
    return set(Memory.objects.active().filter(namespace=home).values_list("content", flat=True))


def accept(proposal: Proposal, user: User, now: datetime = NOW) -> Proposal:
    return proposal_accept(proposal_id=proposal.pk, version=proposal.version, user=user, now=now)


def test_open_ones_are_withdrawn_and_decided_ones_reverted(home: Namespace, alice: User) -> None:
    run = night(home, NOW)
    everything = active(home)
    first, second, third = waiting(home)
    accept(first, alice)
    proposal_refuse(proposal_id=second.pk, version=second.version, user=alice, now=NOW)
    assert active(home) < everything
    done = night_undo(run_id=run.pk, user=alice, now=NOW + days(1))
    assert (done.reverted, done.withdrawn, done.kept) == (2, 1, [])
    assert active(home) == everything
    assert set(Proposal.objects.filter(batch=run.pk).values_list("state", flat=True)) == {"withdrawn"}
    run.refresh_from_db()
    assert (run.state, run.undone_by) == ("undone", alice)
    group = AuditEvent.objects.get(verb="night.undone", object_id=str(run.pk)).group
    assert AuditEvent.objects.filter(group=group, verb="proposal.withdrawn").count() == 3
    assert third.batch == run.pk


def test_what_was_touched_since_stays_and_is_named(home: Namespace, alice: User) -> None:
    run = night(home, NOW)
    supersede = next(each for each in waiting(home) if each.kind == "supersede")
    accept(supersede, alice)
    newer = Memory.objects.get(content=NEWER)
    memory_edit(
        memory_id=newer.pk,
        version=newer.version,
        user=alice,
        content="Cookies last 8 hours.",
        kind="fact",
        now=NOW,
    )
    done = night_undo(run_id=run.pk, user=alice, now=NOW + days(1))
    assert done.kept == [supersede.pk]
    assert done.withdrawn == 2
    assert TEXTS[4] not in active(home)
    run.refresh_from_db()
    assert run.undo["kept"] == [str(supersede.pk)]


def test_an_undone_night_does_not_come_back_by_itself(home: Namespace, alice: User) -> None:
    run = night(home, NOW)
    for proposal in waiting(home):
        accept(proposal, alice)
    night_undo(run_id=run.pk, user=alice, now=NOW)
    again = night(home, NOW + days(1))
    assert again.proposed == 0
    assert again.skipped["refused_before"] == 3
    assert active(home) == {*TEXTS, NEWER}


def test_a_night_is_undone_once_and_only_when_it_has_ended(home: Namespace, alice: User) -> None:
    run = night_open(namespace=home, now=NOW)
    with pytest.raises(Conflict):
        night_undo(run_id=run.pk, user=alice, now=NOW)
    run = night(home, NOW)
    night_undo(run_id=run.pk, user=alice, now=NOW)
    with pytest.raises(Conflict) as raised:
        night_undo(run_id=run.pk, user=alice, now=NOW)
    assert raised.value.code == "not_undoable"


def test_reviewers_may_undo_readers_may_not_and_strangers_learn_nothing(home: Namespace, alice: User) -> None:
    run = night(home, NOW)
    reader, reviewer, stranger = build.person("rita"), build.person("rob"), build.person("sam")
    share(home, alice, reader, "reader")
    share(home, alice, reviewer, "reviewer")
    with pytest.raises(NotFound):
        night_undo(run_id=run.pk, user=stranger, now=NOW)
    with pytest.raises(Forbidden):
        night_undo(run_id=run.pk, user=reader, now=NOW)
    assert len(waiting(home)) == 3
    assert night_undo(run_id=run.pk, user=reviewer, now=NOW).withdrawn == 3
