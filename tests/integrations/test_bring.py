"""Memories of other stores come in by a plan first, then whole or not at all (design section 4)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from core.errors import Forbidden, Invalid, NotFound, Paused
from core.models import AuditEvent, Namespace
from core.services.members import member_set
from core.services.namespaces import namespace_pause
from decisions.models import Choice
from integrations.importers import read
from integrations.importers.base import FileIn, Found
from integrations.services.bring import Brought, bring_apply, bring_plan
from integrations.services.bring_hold import bring_forget, bring_keep, bring_kept
from integrations.services.bring_judge import Plan
from integrations.services.bring_read import bring_read
from memory.models import Candidate, Memory
from memory.services.gate import candidate_reject
from tests import build
from tests.contract.routes import rows
from tests.memory.recalling import ask, remember
from transcripts.models import AgentSession, Message
from transcripts.services.imports import ImportReport, transcript_import

pytestmark = pytest.mark.django_db

DATA = Path(__file__).resolve().parents[1] / "data" / "imports"
TOKEN = "ghp_EXAMPLEa1b2c3d4e5f6g7h8i9j0k1l2m3n4o"


def found(name: str) -> Found:
    path = DATA / name
    held = sorted(path.iterdir()) if path.is_dir() else [path]
    return read([FileIn(each.name, each.read_bytes()) for each in held])


def plan(user: User, home: Namespace, name: str) -> Plan:
    return bring_plan(user=user, namespace_id=home.pk, found=found(name), now=timezone.now())


def bring(user: User, home: Namespace, name: str, *, reviewed: bool = False) -> Brought:
    held = plan(user, home, name).found
    return bring_apply(user=user, namespace_id=home.pk, found=held, reviewed=reviewed, now=timezone.now())


def test_a_plan_judges_every_entry_and_stores_nothing() -> None:
    alice = build.person()
    home = build.workspace(alice)
    remember(home, "Works on the billing service with Python")
    before = rows()
    judged = plan(alice, home, "mem0.json")
    assert rows() == before
    assert {row.item.ref: row.verdict for row in judged.rows} == {
        "m1": "new",
        "m2": "known",
        "m3": "duplicate",
        "m4": "boot",
        "m5": "scrap",
        "m6": "new",
    }
    assert judged.counts["new"] == 2
    assert judged.junk_percent == 50
    assert judged.secrets == 1


def test_what_was_refused_here_is_not_brought_again() -> None:
    alice = build.person()
    home = build.workspace(alice)
    brought = bring(alice, home, "mem0.json")
    assert brought.proposed == 4 - 1  # m2 and m3 say the same
    for candidate in Candidate.objects.filter(namespace=home):
        candidate_reject(
            candidate_id=candidate.pk, version=1, user=alice, reason="private", now=timezone.now()
        )
    assert {row.verdict for row in plan(alice, home, "mem0.json").rows if row.item.ref == "m1"} == {"refused"}
    assert bring(alice, home, "mem0.json").proposed == 0


def test_everything_waits_for_a_person_with_where_it_came_from() -> None:
    alice = build.person()
    home = build.workspace(alice)
    bring(alice, home, "mem0.json")
    waiting = Candidate.objects.filter(namespace=home)
    assert {candidate.status for candidate in waiting} == {"pending"}
    assert {candidate.source for candidate in waiting} == {"import"}
    assert {candidate.trust for candidate in waiting} == {"unknown"}
    assert "mem0.json, entry 1, written 2025-10-01" in waiting.get(content__startswith="Prefers").why
    assert not Memory.objects.exists()
    event = AuditEvent.objects.get(verb="memory.imported")
    assert event.data["reviewed"] is False


def test_bringing_it_twice_adds_nothing() -> None:
    alice = build.person()
    home = build.workspace(alice)
    for name in ("mem0.json", "decisions.jsonl", "conversations.json"):
        build.key(alice, name=name)
        bring(alice, home, name)
        before = {k: v for k, v in rows().items() if "audit" not in k}
        again = bring(alice, home, name)
        assert again.proposed == 0
        assert {k: v for k, v in rows().items() if "audit" not in k} == before


def test_who_owns_the_namespace_may_vouch_for_all_of_it() -> None:
    alice = build.person()
    home = build.workspace(alice)
    brought = bring(alice, home, "mem0.json", reviewed=True)
    assert brought.memories == 3
    memory = Memory.objects.get(external_id="mem0:m1")
    assert memory.actor == "import"
    assert f"{memory.valid_from:%Y-%m-%d}" == "2025-10-01"
    assert ask("dark mode in editors", home).hits[0].id == memory.pk
    assert not Candidate.objects.exists()


def test_a_reviewer_brings_but_cannot_vouch_and_a_stranger_does_nothing() -> None:
    alice, bob, eve = build.person(), build.person("bob"), build.person("eve")
    home = build.workspace(alice)
    member_set(namespace=home, user=bob, role="reviewer", by=alice, now=timezone.now())
    assert not plan(bob, home, "mem0.json").can_review
    with pytest.raises(Forbidden):
        bring(bob, home, "mem0.json", reviewed=True)
    assert not Candidate.objects.exists()
    assert bring(bob, home, "mem0.json").proposed == 3
    with pytest.raises(NotFound):
        plan(eve, home, "mem0.json")
    with pytest.raises(NotFound):
        bring_apply(
            user=eve, namespace_id=home.pk, found=found("mem0.json"), reviewed=False, now=timezone.now()
        )


def test_a_reader_cannot_bring() -> None:
    alice, bob = build.person(), build.person("bob")
    home = build.workspace(alice)
    member_set(namespace=home, user=bob, role="reader", by=alice, now=timezone.now())
    with pytest.raises(NotFound):
        plan(bob, home, "mem0.json")


def test_a_paused_namespace_takes_nothing() -> None:
    alice = build.person()
    home = build.workspace(alice)
    namespace_pause(namespace=home, user=alice, paused=True, now=timezone.now())
    with pytest.raises(Paused):
        plan(alice, home, "mem0.json")


def test_choices_with_options_count_and_others_wait_as_decisions() -> None:
    alice = build.person()
    home = build.workspace(alice)
    with pytest.raises(Invalid, match="key"):
        bring(alice, home, "decisions.jsonl")
    assert not Candidate.objects.exists()
    build.key(alice)
    planned = plan(alice, home, "decisions.jsonl")
    assert planned.choices is not None
    assert (planned.choices.created, planned.choices.known) == (1, 0)
    assert not Choice.objects.exists()
    brought = bring(alice, home, "decisions.jsonl")
    assert brought.choices is not None
    assert brought.choices.created == 1
    assert Choice.objects.get().decision_id == "d1"
    assert set(Candidate.objects.values_list("kind", "content")) == {
        ("decision", "Branch or worktree? → Worktree"),
        ("decision", "Which editor? → None of them"),
    }
    again = plan(alice, home, "decisions.jsonl")
    assert again.choices is not None
    assert (again.choices.created, again.choices.known) == (0, 1)
    assert again.is_empty


def test_conversations_are_stored_without_secrets_and_wait_for_their_scan() -> None:
    alice = build.person()
    home = build.workspace(alice)
    assert plan(alice, home, "conversations.json").known_conversations == 0
    brought = bring(alice, home, "conversations.json")
    assert brought.conversations is not None
    assert brought.conversations.sessions_new == 2
    assert plan(alice, home, "conversations.json").known_conversations == 2
    eve = build.person("eve")
    assert plan(eve, build.workspace(eve), "conversations.json").known_conversations == 0
    session = AgentSession.objects.get(key="chatgpt-c1")
    assert (session.client, session.workspace) == ("chatgpt", home)
    said = list(Message.objects.filter(session=session).values_list("origin", flat=True))
    assert said.count("human") == 2
    assert not Message.objects.filter(text__contains=TOKEN).exists()


def test_many_conversations_come_in_parts_and_in_one_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    from integrations.services import bring as service

    alice = build.person()
    home = build.workspace(alice)
    monkeypatch.setattr(service, "CONVERSATIONS_AT_ONCE", 1)
    before = rows()
    with monkeypatch.context() as broken:
        told: list[str] = []

        def fails_at_the_second(**given: Any) -> ImportReport:
            told.append(given["filename"])
            if len(told) == 2:
                raise Invalid("broken")
            return transcript_import(**given)

        broken.setattr(service, "transcript_import", fails_at_the_second)
        with pytest.raises(Invalid, match="broken"):
            bring(alice, home, "conversations.json")
    assert rows() == before
    brought = bring(alice, home, "conversations.json").conversations
    assert brought is not None
    assert (brought.sessions_new, brought.sessions_known) == (2, 0)
    assert len(set(brought.session_ids)) == AgentSession.objects.count() == 2
    assert brought.messages_new == Message.objects.count()
    again = bring(alice, home, "conversations.json").conversations
    assert again is not None
    assert (again.sessions_new, again.sessions_known, again.messages_new) == (0, 2, 0)


def test_no_secret_reaches_the_plan_or_what_is_kept_for_it() -> None:
    alice = build.person()
    home = build.workspace(alice)
    for name in ("mem0.json", "conversations.json"):
        held = plan(alice, home, name)
        assert TOKEN not in repr(held.found)
        assert TOKEN not in repr(held.rows)
        assert held.secrets == 1


def test_what_is_kept_is_the_same_afterwards_and_one_persons_alone() -> None:
    alice, eve = build.person(), build.person("eve")
    home = build.workspace(alice)
    build.key(alice)
    for name in ("mem0.json", "decisions.jsonl", "conversations.json"):
        held = plan(alice, home, name).found
        token = bring_keep(user=alice, found=held)
        kept = bring_kept(user=alice, token=token)
        assert (kept.items, kept.choices, kept.conversations) == (
            held.items,
            held.choices,
            held.conversations,
        )
        assert kept.unsupported == held.unsupported
        with pytest.raises(Invalid):
            bring_kept(user=eve, token=token)
        bring_forget(user=alice, token=token)
        with pytest.raises(Invalid, match="gone"):
            bring_kept(user=alice, token=token)


def test_a_failure_in_the_middle_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from integrations.services import bring as service

    alice = build.person()
    home = build.workspace(alice)
    build.key(alice)
    held = plan(alice, home, "decisions.jsonl").found
    before = rows()

    def broken(**_kwargs: Any) -> None:
        raise Invalid("broken")

    monkeypatch.setattr(service, "choices_import", broken)
    with pytest.raises(Invalid, match="broken"):
        bring_apply(user=alice, namespace_id=home.pk, found=held, reviewed=False, now=timezone.now())
    assert rows() == before


@pytest.mark.parametrize(
    ("file", "code"),
    [
        (FileIn("a.jsonl", b'{"type": "user", "message": {"content": "hi"}}'), "transcript"),
        (FileIn("a.bin", b"\x01\x02"), "unreadable"),
    ],
)
def test_what_belongs_elsewhere_is_sent_there(file: FileIn, code: str) -> None:
    with pytest.raises(Invalid) as refused:
        bring_read(files=[file], format="auto")
    assert refused.value.code == code
