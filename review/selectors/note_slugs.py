"""Slugs for somebody who is typing ``#``: the person's own notes, the nearest namespace first."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Q

from core.models import Namespace
from knowledge.models import Knowledge

MOST = 8
LONGEST = 64


@dataclass(frozen=True)
class Offer:
    slug: str
    title: str
    namespace: str


def offers(*, user: User, typed: str, home: uuid.UUID | None = None) -> list[Offer]:
    """Active notes that can be called and whose slug or title holds what was typed; at most ``MOST``.

    Those of ``home`` come first, then other workspaces, then personas; slugs that begin with it before the rest. Of
    two notes with one slug the first is offered: that is the one that ``#slug`` brings.
    """
    text = typed.strip().lstrip("#").lower()[:LONGEST]
    rows = Knowledge.objects.active().visible_to(user).filter(user_invocable=True)
    if text:
        rows = rows.filter(Q(slug__contains=text) | Q(title__icontains=text))
    found = rows.select_related("namespace__owner").defer("body").order_by("slug", "pk")[:200]
    ordered = sorted(
        found,
        key=lambda note: (
            note.namespace_id != home,
            note.namespace.type != Namespace.WORKSPACE,
            not note.slug.startswith(text),
            note.slug,
        ),
    )
    unique = {note.slug: note for note in reversed(ordered)}
    return [
        Offer(
            note.slug,
            note.title,
            note.namespace.reference_for(user.pk, note.namespace.owner.get_username()),
        )
        for note in ordered
        if unique[note.slug] is note
    ][:MOST]
