"""``bin/up --demo`` fills the page with something of everything, through the services alone."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import transaction

from core.errors import NotFound
from core.models import AgentKey, AuditEvent, Namespace
from core.services.audit import verify
from core.services.bootstrap import owner_bootstrap
from knowledge.models import Knowledge, Summary
from knowledge.selectors.proposals import shown
from knowledge.selectors.proposals import waiting as waiting_proposals
from memory.models import KINDS, Candidate, Memory
from review.demo.load import Loaded, demo_load
from review.selectors.note_candidates import recalled_often
from review.selectors.note_usage import paid_by_sessions, usage_of_notes
from transcripts.models import AgentSession, Compaction, Message, Turn

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 5, 20, 3, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def loaded(django_db_setup: None, django_db_blocker: Any) -> Iterator[Loaded]:
    """Loaded once for this file and rolled back after it: the story takes seconds to tell."""
    with django_db_blocker.unblock(), transaction.atomic():
        owner_bootstrap(password="", want_key=False, now=NOW)
        User.objects.create_user("stranger")
        yield demo_load(username="owner", now=NOW)
        transaction.set_rollback(True)


def waiting() -> list[Candidate]:
    return list(Candidate.objects.visible_to(User.objects.get(username="owner")).open())


def test_every_kind_waits_in_both_languages(loaded: Loaded) -> None:
    assert {candidate.kind for candidate in waiting()} == set(KINDS)
    assert {candidate.language for candidate in waiting()} == {"ja", "en"}
    assert loaded.waiting == len(waiting()) >= 15


def test_all_three_automatic_ways_in_are_seen(loaded: Loaded) -> None:
    assert {candidate.source for candidate in waiting()} == {"turn", "compaction", "remember"}
    assert "confirmed" in {candidate.trust for candidate in waiting()}


def test_the_rule_that_a_readme_planted_waits_as_tool_derived(loaded: Loaded) -> None:
    planted = [candidate for candidate in waiting() if "skip-checks" in candidate.content]
    assert [candidate.trust for candidate in planted] == ["tool"]


def test_a_waiting_decision_conflicts_with_an_approved_memory(loaded: Loaded) -> None:
    conflicts = [candidate for candidate in waiting() if candidate.conflicts_with]
    assert "decision" in {candidate.kind for candidate in conflicts}
    assert all(c.conflicts_with and c.conflicts_with.status == "active" for c in conflicts)


def test_a_wish_repeated_in_three_sessions_was_seen_in_each(loaded: Loaded) -> None:
    # A fourth session said it in English, which a model that reads both languages counts too.
    assert max(candidate.times_seen for candidate in waiting()) in (3, 4)


def test_some_candidates_are_about_to_be_archived_and_none_is_yet(loaded: Loaded) -> None:
    left = sorted(candidate.touched_at + timedelta(days=30) - NOW for candidate in waiting())
    assert timedelta(0) < left[0] <= timedelta(days=2)
    assert any(timedelta(days=2) < each <= timedelta(days=7) for each in left)
    assert left[-1] > timedelta(days=25)


def test_memories_were_approved_edited_and_superseded_by_the_person(loaded: Loaded) -> None:
    memories = Memory.objects.visible_to(User.objects.get(username="owner"))
    assert memories.filter(status="active").count() == loaded.approved - 1 >= 5
    old = memories.get(status="superseded")
    assert old.valid_to is not None
    assert any(c.content != c.original for c in Candidate.objects.filter(status="approved"))
    approvals = AuditEvent.objects.filter(verb="candidate.approved")
    assert {event.actor_label for event in approvals} == {"owner"}
    assert all(event.at < NOW for event in approvals)


def test_agents_have_reported_memories_in_both_languages(loaded: Loaded) -> None:
    owner = User.objects.get(username="owner")
    found = shown(list(waiting_proposals(user=owner)))
    assert {each.memories[0].language for each in found} == {"ja", "en"}
    assert not any(each.outdated for each in found)


def test_a_note_stands_in_each_workspace_and_one_is_resident(loaded: Loaded) -> None:
    notes = Knowledge.objects.visible_to(User.objects.get(username="owner"))
    assert {note.namespace.name for note in notes} == {"storefront", "billing-batch"}
    assert [note.slug for note in notes if note.model_invocation] == ["release-checklist"]
    assert Summary.objects.count() == 1


def test_notes_were_called_read_and_shown_and_some_never_used(loaded: Loaded) -> None:
    owner = User.objects.get(username="owner")
    rows = usage_of_notes(notes=list(Knowledge.objects.visible_to(owner)))
    uses = {row.note.slug: (row.called, row.read) for row in rows}
    assert uses["release-checklist"] == (5, 1)
    assert uses["customer-replies"] == (2, 1)
    assert {slug for slug, used in uses.items() if used == (0, 0)} == {"product-photos", "bank-return-codes"}
    storefront = Namespace.objects.get(name="storefront")
    costs = [paid.tokens for paid in paid_by_sessions(namespace=storefront, now=NOW)]
    assert len(costs) >= 20
    assert costs[0] < costs[-1]


def test_the_report_of_missing_notes_has_something_in_both_workspaces(loaded: Loaded) -> None:
    for name, word in (("storefront", "images"), ("billing-batch", "接続")):
        found = recalled_often(namespace=Namespace.objects.get(name=name), now=NOW)
        assert any(word in each.text for each in found), [each.text for each in found]


def test_one_joke_was_rejected(loaded: Loaded) -> None:
    refused = Candidate.objects.get(status="rejected")
    assert "COBOL" in refused.content
    assert loaded.rejected == 1


def test_every_turn_and_compaction_was_scanned_by_the_clock_of_the_story(loaded: Loaded) -> None:
    assert set(Turn.objects.values_list("scan_state", flat=True)) == {"done"}
    assert list(Compaction.objects.values_list("scan_state", flat=True)) == ["done"] * 3
    assert not Message.objects.filter(scanned_at=None).exists()
    assert not Message.objects.filter(scanned_at__gte=NOW).exists()


def test_the_example_secret_never_reached_the_database(loaded: Loaded) -> None:
    assert not Message.objects.filter(text__contains="xoxb-").exists()
    assert Message.objects.filter(text__contains="[redacted:").count() == 1


def test_the_audit_chain_holds_and_the_key_is_closed(loaded: Loaded) -> None:
    assert verify() == []
    assert AgentKey.objects.get(name="demo").revoked_at is not None


def test_a_stranger_sees_nothing_of_it(loaded: Loaded) -> None:
    stranger = User.objects.get(username="stranger")
    assert not Candidate.objects.visible_to(stranger).exists()
    assert not Memory.objects.visible_to(stranger).exists()
    assert not AgentSession.objects.visible_to(stranger).exists()
    assert not Namespace.objects.visible_to(stranger).exists()
    assert not Knowledge.objects.visible_to(stranger).exists()


def test_a_second_call_changes_nothing_even_days_later(loaded: Loaded) -> None:
    def counts() -> list[int]:
        tables = (Namespace, AgentSession, Turn, Message, Candidate, Memory, AuditEvent, AgentKey)
        return [table._default_manager.count() for table in tables]

    before = counts()
    assert demo_load(username="owner", now=NOW + timedelta(days=3)) == Loaded(fresh=False)
    printed = io.StringIO()
    call_command("load_demo", stdout=printed)
    assert "nothing was changed" in printed.getvalue()
    assert counts() == before


def test_an_unknown_person_is_named(loaded: Loaded) -> None:
    with pytest.raises(NotFound, match="nobody"):
        demo_load(username="nobody", now=NOW)
    with pytest.raises(CommandError, match="nobody"):
        call_command("load_demo", user="nobody")
