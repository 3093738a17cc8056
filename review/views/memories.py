"""The Memories page, and one memory with its history."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.models import Namespace
from memory.models import Memory
from memory.recall import RecallQuery, trial
from review.diff import Piece, pieces
from review.forms.filters import AskForm, MemoriesForm
from review.forms.texts import RetireForm
from review.selectors import memories as approved
from review.selectors.candidate import source_of, timeline
from review.selectors.paging import Cursor
from review.views.door import page, person


@require_safe
@page
def memories(request: HttpRequest) -> HttpResponse:
    """Grouped by namespace; with a namespace chosen, all of it page by page."""
    user = person(request)
    namespaces = approved.member_namespaces(user=user)
    form = MemoriesForm(request.GET, namespaces=namespaces, user_id=user.pk)
    wanted = form.wanted()
    context = {"form": form, "filtered": bool(wanted), "chosen": None}
    if wanted.namespace:
        after = Cursor.parse(request.GET.get("after"))
        found = approved.memories_of(user=user, wanted=wanted, after=after)
        chosen = next(item for item in namespaces if str(item.pk) == wanted.namespace)
        context |= {"rows": found.rows, "next": found.next, "paged": after is not None, "chosen": chosen}
    else:
        context["groups"] = approved.groups(user=user, wanted=wanted)
    return render(request, "memories/list.html", context)


@require_safe
@page
def search(request: HttpRequest) -> HttpResponse:
    """Try recall: how both halves rank, the fused order and the floor, or only what an agent would see.

    The same search as an agent's; nothing is recorded.
    """
    user = person(request)
    form = AskForm(request.GET, namespaces=approved.member_namespaces(user=user), user_id=user.pk)
    question, chosen = form.value("q"), form.value("namespace")
    spaces = Namespace.objects.visible_to(user).filter(paused_at=None)
    scope = (spaces.filter(pk=chosen) if chosen else spaces).scope()
    found = trial(RecallQuery(question, scope)) if question else None
    context = {"form": form, "question": question, "found": found, "agent": bool(form.value("agent"))}
    return render(request, "memories/search.html", context)


@require_safe
@page
def memory(request: HttpRequest, memory_id: uuid.UUID) -> HttpResponse:
    """Text, where it came from, former texts, and what its reader may do with it."""
    user = person(request)
    found = approved.memory_for(user=user, memory_id=memory_id)
    may_change = approved.may_change(user=user, memory=found)
    led = approved.candidate_of(found) if may_change else None
    context = {
        "memory": found,
        "history": former_texts(found),
        "events": timeline(found),
        "may_change": may_change,
        "candidate": led,
        "panel": source_of(user=user, candidate=led) if led else None,
        "retire": RetireForm(),
    }
    return render(request, "memories/detail.html", context)


def former_texts(memory: Memory) -> list[tuple[Any, list[Piece]]]:
    """Each version with what it changed in the one before; the latest first. The first text changed nothing."""
    rows = approved.history_of(memory)
    older = [*(row.content for row in rows[1:]), None][: len(rows)]
    return [
        (row, pieces(before, row.content) if before not in (None, row.content) else [])
        for row, before in zip(rows, older, strict=True)
    ]
