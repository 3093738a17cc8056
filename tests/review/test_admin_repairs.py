"""Data fixes in the admin: through the services, with a reason, named in the audit; refusals are messages."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.errors import Forbidden, Invalid, NotFound
from core.models import AuditEvent, Namespace
from core.services import audit
from core.services.operators import operator_for
from memory.models import Candidate, Memory, MemoryTerm, Tombstone
from memory.services.gate import candidate_approve, candidate_edit
from memory.services.memories import memory_edit, memory_retire
from tests import build
from tests.review.scene import propose, remembered, signed_in

pytestmark = pytest.mark.django_db

CANDIDATES = "/admin/memory/candidate/"
MEMORIES = "/admin/memory/memory/"
WHY = "asked for by its owner"


@pytest.fixture
def boss() -> User:
    return User.objects.create_superuser("boss")


@pytest.fixture
def page(boss: User) -> Client:
    return signed_in(boss)


def act(page: Client, where: str, verb: str, *rows: Candidate | Memory, **more: Any) -> list[str]:
    """Press the button of the page that asks why; returns the messages."""
    data = {
        "action": verb,
        "apply": "1",
        "reason": WHY,
        "_selected_action": [str(row.pk) for row in rows],
        "item": [f"{row.pk}.{row.version}" for row in rows],
        **more,
    }
    answer = page.post(where, data)
    assert answer.status_code == 302, answer.content.decode()
    return [str(each) for each in page.get(where).context["messages"]]


def last(row: Candidate | Memory, verb: str) -> AuditEvent:
    return AuditEvent.objects.filter(object_id=str(row.pk), verb=verb).latest("id")


def status(row: Candidate | Memory) -> str:
    row.refresh_from_db()
    return row.status


def test_an_action_asks_why_before_it_does_anything(page: Client, shop: Namespace) -> None:
    row = propose(shop)
    data = {"action": "approve", "_selected_action": [str(row.pk)]}
    asked = page.post(CANDIDATES, data)
    assert asked.status_code == 200
    assert f'value="{row.pk}.1"' in asked.content.decode()
    for reason in ("", "   ", "x" * 201):
        again = page.post(CANDIDATES, {**data, "apply": "1", "item": f"{row.pk}.1", "reason": reason})
        assert again.status_code == 200
        assert status(row) == "pending"
    # A form whose rows were taken out does nothing either.
    page.post(CANDIDATES, {**data, "apply": "1", "item": ["", "x.1", f"{row.pk}.x"], "reason": WHY})
    assert status(row) == "pending"


def test_candidates_are_approved_rejected_archived_and_reopened_under_the_operators_name(
    page: Client, boss: User, shop: Namespace
) -> None:
    first, second, third = (
        propose(shop, text) for text in ("Use pnpm.", "Write short.", "Answer in French.")
    )
    assert act(page, CANDIDATES, "approve", first) == ["1 row changed."]
    assert act(page, CANDIDATES, "reject", second, code="private") == ["1 row changed."]
    assert act(page, CANDIDATES, "archive", third) == ["1 row changed."]
    assert [status(row) for row in (first, second, third)] == ["approved", "rejected", "archived"]
    assert first.memory is not None
    assert MemoryTerm.objects.filter(memory=first.memory).exists()
    assert Tombstone.objects.get(candidate_id=second.pk).reason == "private"
    for row, verb in ((first, "approved"), (second, "rejected"), (third, "archived")):
        event = last(row, f"candidate.{verb}")
        assert (event.actor_type, event.actor_id, event.actor_label) == ("operator", str(boss.pk), "boss")
        assert event.data["because"] == WHY
        assert row.decided_by == boss
    assert act(page, CANDIDATES, "reopen", first, second, third) == ["3 rows changed."]
    assert [status(row) for row in (first, second, third)] == ["pending"] * 3
    assert Tombstone.objects.get(candidate_id=second.pk).lifted_at is not None
    assert audit.verify() == []


def test_memories_are_retired_and_restored(page: Client, alice: User, shop: Namespace) -> None:
    memory = remembered(alice, shop)
    act(page, MEMORIES, "retire", memory, code="wrong")
    assert (status(memory), memory.status_reason) == ("retracted", "wrong")
    assert not MemoryTerm.objects.filter(memory=memory).exists()
    act(page, MEMORIES, "restore", memory)
    assert status(memory) == "active"
    assert MemoryTerm.objects.filter(memory=memory).exists()
    assert [last(memory, f"memory.{verb}").actor_type for verb in ("retired", "restored")] == ["operator"] * 2
    assert page.get(f"{MEMORIES}{memory.pk}/history/").content.decode().count(WHY) >= 2


def test_who_was_faster_is_not_overruled_and_the_others_are_done(
    page: Client, alice: User, shop: Namespace
) -> None:
    taken, free = propose(shop, "Use pnpm."), propose(shop, "Write short.")
    candidate_approve(candidate_id=taken.pk, version=1, user=alice, now=timezone.now())
    said = act(page, CANDIDATES, "reject", taken, free, code="wrong")
    assert said[0] == "1 row changed."
    assert "alice" in said[1]
    assert [status(row) for row in (taken, free)] == ["approved", "rejected"]


@pytest.mark.parametrize(
    ("where", "verb", "start"),
    [
        (CANDIDATES, "approve", "archived"),
        (CANDIDATES, "archive", "rejected"),
        (CANDIDATES, "reject", "approved"),
        (CANDIDATES, "reopen", "pending"),
        (MEMORIES, "retire", "retracted"),
        (MEMORIES, "restore", "active"),
    ],
)
def test_what_the_services_refuse_becomes_a_message(
    page: Client, alice: User, shop: Namespace, where: str, verb: str, start: str
) -> None:
    row: Candidate | Memory
    if where == CANDIDATES:
        row = propose(shop)
        before = {"archived": "archive", "rejected": "reject", "approved": "approve"}.get(start)
        if before:
            act(page, CANDIDATES, before, row, code="")
    else:
        row = remembered(alice, shop)
        if start == "retracted":
            act(page, MEMORIES, "retire", row, code="wrong")
    assert status(row) == start
    (said,) = act(page, where, verb, row, code="wrong")
    assert said.startswith(str(row.pk))
    assert status(row) == start


def test_too_many_at_once_are_refused(page: Client, shop: Namespace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.admin.repair.MOST", 1)
    rows = [propose(shop, text) for text in ("Use pnpm.", "Write short.")]
    (said,) = act(page, CANDIDATES, "approve", *rows)
    assert "at most 1" in said
    assert [status(row) for row in rows] == ["pending"] * 2


def edit_form(row: Candidate | Memory, **changes: Any) -> dict[str, Any]:
    return {
        "content": row.content,
        "kind": row.kind,
        "namespace": row.namespace_id,
        "version": row.version,
        "reason": WHY,
        **changes,
    }


def test_a_candidates_text_kind_and_namespace_are_edited_with_a_reason(
    page: Client, alice: User, shop: Namespace
) -> None:
    row, work = propose(shop), build.persona(alice, "work")
    where = f"{CANDIDATES}{row.pk}/repair/"
    assert row.content in page.get(where).content.decode()
    answer = page.post(where, edit_form(row, content="Use yarn.", kind="fact", namespace=work.pk))
    assert answer.status_code == 302
    row.refresh_from_db()
    assert (row.content, row.kind, row.namespace, row.version) == ("Use yarn.", "fact", work, 2)
    assert row.original == "Use pnpm, not npm."
    event = last(row, "candidate.edited")
    assert (event.actor_label, event.data["because"]) == ("boss", WHY)
    assert "Use yarn" not in str(event.data)


def test_a_candidate_that_leaves_takes_no_word_of_the_memory_it_disagreed_with(
    alice: User, shop: Namespace
) -> None:
    rival = remembered(alice, shop, "The port is 8080.", kind="fact")
    row = propose(shop, "The port is 9090.", kind="fact")
    assert row.conflicts_with == rival
    work = build.persona(alice, "work")
    moved = candidate_edit(
        candidate_id=row.pk,
        version=row.version,
        user=alice,
        content=row.content,
        kind=row.kind,
        namespace_id=work.pk,
        now=timezone.now(),
    )
    assert (moved.conflicts_with, "conflicts" in moved.flags) == (None, False)


def test_a_memory_is_edited_and_moved_and_found_where_it_is_now(
    page: Client, alice: User, shop: Namespace
) -> None:
    memory, work = remembered(alice, shop), build.persona(alice, "work")
    rival = propose(shop, "Use npm, not pnpm.")
    led = Candidate.objects.get(memory=memory)
    where = f"{MEMORIES}{memory.pk}/repair/"
    assert page.post(where, edit_form(memory, content="Use yarn.", namespace=work.pk)).status_code == 302
    memory.refresh_from_db()
    led.refresh_from_db()
    rival.refresh_from_db()
    assert (memory.content, memory.namespace, led.namespace, memory.status) == (
        "Use yarn.",
        work,
        work,
        "active",
    )
    assert rival.conflicts_with is None
    terms = MemoryTerm.objects.filter(memory=memory)
    assert {row.namespace_id for row in terms} == {work.pk}
    assert "yarn" in {row.term for row in terms}
    event = last(memory, "memory.edited")
    assert (event.data["from"], event.data["to"], event.data["because"]) == (str(shop.pk), str(work.pk), WHY)
    former = memory.history.order_by("pgh_id").first()  # type: ignore[attr-defined]
    assert former.content == "Use pnpm, not npm."
    assert audit.verify() == []


def test_linked_memories_are_not_parted(page: Client, alice: User, shop: Namespace) -> None:
    old, new = (
        remembered(alice, shop, "The port is 8080.", kind="fact"),
        propose(shop, "The port is 9090.", kind="fact"),
    )
    candidate_approve(candidate_id=new.pk, version=1, user=alice, now=timezone.now(), replaces=old.pk)
    old.refresh_from_db()
    work = build.persona(alice, "work")
    answer = page.post(f"{MEMORIES}{old.pk}/repair/", edit_form(old, namespace=work.pk))
    assert answer.status_code == 409
    assert "stay in one namespace" in answer.content.decode()
    old.refresh_from_db()
    assert old.namespace == shop


def test_a_stale_form_keeps_what_was_typed_and_shows_what_stands_there(
    page: Client, alice: User, shop: Namespace
) -> None:
    memory = remembered(alice, shop)
    form = edit_form(memory, content="Use yarn.")
    memory_edit(
        memory_id=memory.pk, version=1, user=alice, content="Use bun.", kind="fact", now=timezone.now()
    )
    answer = page.post(f"{MEMORIES}{memory.pk}/repair/", form)
    shown = answer.content.decode()
    assert answer.status_code == 409
    for each in ("alice", "Use yarn.", "Use bun.", 'name="version" value="2"'):
        assert each in shown
    memory.refresh_from_db()
    assert memory.content == "Use bun."


@pytest.mark.parametrize(
    "changes",
    [
        {"reason": ""},
        {"reason": "x" * 201},
        {"content": ""},
        {"content": "…"},
        {"content": "x" * 8_001},
        {"content": "a\x00b"},
        {"kind": "opinion"},
        {"namespace": "0192d3a0-0000-7000-8000-000000000000"},
        {"namespace": "shop"},
        {"version": "-1"},
        {"version": "99999999999999999999"},
    ],
)
def test_a_wrong_form_changes_nothing(
    page: Client, alice: User, shop: Namespace, changes: dict[str, str]
) -> None:
    for row, where in ((propose(shop, "Write short."), CANDIDATES), (remembered(alice, shop), MEMORIES)):
        answer = page.post(f"{where}{row.pk}/repair/", edit_form(row, content="Use yarn.") | changes)
        assert answer.status_code in (400, 409, 422), answer.status_code
        fresh = type(row)._default_manager.get(pk=row.pk)
        assert (fresh.content, fresh.version) == (row.content, row.version)


def test_a_status_set_by_hand_changes_nothing(page: Client, alice: User, shop: Namespace) -> None:
    row, memory = propose(shop, "Write short."), remembered(alice, shop)
    for each, where in ((row, CANDIDATES), (memory, MEMORIES)):
        before = status(each)
        tried = edit_form(each) | {"status": "approved", "decided_at_0": "2026-01-01", "_save": "Save"}
        assert page.post(f"{where}{each.pk}/change/", tried).status_code == 403
        page.post(f"{where}{each.pk}/repair/", tried | {"status": "retracted"})
        page.post(where, {"form-0-id": str(each.pk), "form-0-status": "approved", "_save": "Save"})
        page.post(where, {"action": "delete_selected", "_selected_action": [str(each.pk)], "post": "yes"})
        assert status(each) == before


def test_staff_who_may_only_look_repair_nothing(alice: User, shop: Namespace) -> None:
    clerk = User.objects.create_user("clerk", is_staff=True)
    page, row = signed_in(clerk), propose(shop)
    data = {"action": "approve", "apply": "1", "reason": WHY, "_selected_action": [str(row.pk)]}
    data["item"] = f"{row.pk}.1"
    assert page.post(CANDIDATES, data).status_code == 403
    clerk.user_permissions.add(Permission.objects.get(codename="view_candidate"))
    page.post(CANDIDATES, data)
    assert page.post(f"{CANDIDATES}{row.pk}/repair/", edit_form(row, content="Use yarn.")).status_code == 403
    assert "repair" not in page.get(f"{CANDIDATES}{row.pk}/change/").content.decode()
    row.refresh_from_db()
    assert (row.status, row.content, row.version) == ("pending", "Use pnpm, not npm.", 1)
    clerk.user_permissions.add(Permission.objects.get(codename="change_candidate"))
    assert act(page, CANDIDATES, "approve", row) == ["1 row changed."]
    assert last(row, "candidate.approved").actor_label == "clerk"


def test_an_account_without_the_right_is_no_operator_and_a_superuser_on_the_pages_is_a_stranger(
    boss: User, alice: User, shop: Namespace
) -> None:
    row = propose(shop)
    for user in (alice, User(username="gone", is_staff=True, is_superuser=True, is_active=False)):
        with pytest.raises(Forbidden):
            operator_for(user=user, permission="memory.change_candidate", reason=WHY)
    with pytest.raises(Invalid):
        operator_for(user=boss, permission="memory.change_candidate", reason=" ")
    with pytest.raises(NotFound):
        candidate_approve(candidate_id=row.pk, version=1, user=boss, now=timezone.now())
    with pytest.raises(NotFound):
        memory_retire(
            memory_id=remembered(alice, shop).pk, version=1, user=boss, reason="wrong", now=timezone.now()
        )


def test_the_member_sees_what_the_operator_did(page: Client, alice: User, shop: Namespace) -> None:
    row = propose(shop)
    act(page, CANDIDATES, "reject", row, code="wrong")
    shown = signed_in(alice).get(reverse("candidate", args=[row.pk])).content.decode()
    assert "boss (operator)" in shown
