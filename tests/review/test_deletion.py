"""Delete is final: after it no column of any table holds the text, whatever was done with it before."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.contrib.auth.models import User

from memory.models import Memory
from memory.services.memories import memory_delete, memory_edit
from review.models import Act
from review.services import acts
from tests import build
from tests.review.scene import propose
from tests.review.test_account import tables_with

pytestmark = pytest.mark.django_db
WORD = "Quetzalcoatl"


def approved_by_an_act(user: User, now: datetime) -> tuple[Memory, Act]:
    """Moved, approved, undone and approved again: every act leaves its row."""
    api, web = build.workspace(user, "api"), build.workspace(user, "web")
    waiting = propose(api, f"{WORD} is the code name.", kind="fact")
    acts.act_move(user=user, items=[acts.ItemRef(waiting.pk, 1)], namespace_id=web.pk, now=now)
    acts.act_approve(user=user, items=[acts.ItemRef(waiting.pk, 2)], now=now)
    acts.act_undo_last(user=user, now=now)
    again = acts.act_approve(user=user, items=[acts.ItemRef(waiting.pk, 4)], now=now)
    assert again.act is not None
    return Memory.objects.get(status="active"), again.act


def test_a_deleted_memory_leaves_its_text_in_no_table(alice: User, now: datetime) -> None:
    memory, _act = approved_by_an_act(alice, now)
    edited = memory_edit(
        memory_id=memory.pk, version=1, user=alice, content=f"{WORD} it is.", kind="fact", now=now
    )
    assert {"memory_memory", "memory_candidate", "memory_memoryhistory"} <= set(tables_with(WORD))
    memory_delete(memory_id=memory.pk, version=edited.version, user=alice, now=now)
    assert tables_with(WORD) == []


def test_an_act_names_its_candidate_as_it_reads_now_and_nothing_once_that_is_gone(
    alice: User, now: datetime
) -> None:
    memory, act = approved_by_an_act(alice, now)
    assert act.label == f"{WORD} is the code name."
    memory_delete(memory_id=memory.pk, version=1, user=alice, now=now)
    assert Act.objects.get(pk=act.pk).label == ""


def test_an_act_over_many_names_none_of_them(alice: User, now: datetime) -> None:
    api = build.workspace(alice, "api")
    rows = [propose(api, f"{WORD} is number {number}.", kind="fact") for number in (1, 2)]
    result = acts.act_reject(user=alice, items=[acts.ItemRef(row.pk, 1) for row in rows], now=now)
    assert result.act is not None
    assert result.act.label == ""


def test_who_left_the_namespace_no_longer_reads_the_text_in_the_own_act(alice: User, now: datetime) -> None:
    _memory, act = approved_by_an_act(alice, now)
    act.user = build.person("charlie")
    assert act.label == ""
