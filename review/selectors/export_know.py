"""What was chosen, what is known, what would change, and what agents were shown, as plain records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Q

from decisions.models import Choice, DecisionPoint
from knowledge.models import Knowledge, Proposal, Summary
from review.selectors.export_texts import CHUNK, Record, safe, safe_all
from transcripts.models import Exposure


def choices(user: User) -> Iterator[Record]:
    """What the person picked when agents asked, skipped and reset ones too."""
    names = ("id", "session_id", "point_id", "outcome", "source", "followed", "at", "archived_at")
    for row in Choice.objects.visible_to(user).order_by("at", "pk").iterator(CHUNK):
        yield {name: getattr(row, name) for name in names} | {
            "question": safe(row.question),
            "offered": safe_all(row.offered),
            "chosen": safe_all(row.chosen),
            "other_text": safe(row.other_text),
            "note": safe(row.note),
        }


def points(user: User) -> Iterator[Record]:
    """The recurring questions behind the choices, with the titles that the person gave them."""
    names = (
        "id",
        "category",
        "category_set",
        "always_ask",
        "merged_into_id",
        "first_seen_at",
        "last_choice_at",
    )
    for row in DecisionPoint.objects.visible_to(user).order_by("pk").iterator(CHUNK):
        yield {name: getattr(row, name) for name in names} | {
            "namespace": row.workspace_id,
            "name": safe(row.name),
            "question": safe(row.question),
        }


def knowledge(user: User) -> Iterator[Record]:
    names = (
        "id",
        "slug",
        "status",
        "model_invocation",
        "user_invocable",
        "replaced_by_id",
        "created_at",
        "changed_at",
    )
    rows = Knowledge.objects.visible_to(user).order_by("namespace_id", "slug")
    for row in rows.iterator(CHUNK):
        yield {name: getattr(row, name) for name in names} | {
            "namespace": row.namespace_id,
            "title": safe(row.title),
            "description": safe(row.description),
            "text": safe(row.body),
        }


def proposals(user: User) -> Iterator[Record]:
    names = ("id", "namespace_id", "kind", "state", "payload", "reason", "created_at", "decided_at")
    for row in Proposal.objects.reviewable_by(user).order_by("pk").iterator(CHUNK):
        record = {name: getattr(row, name) for name in names}
        yield record | {"payload": safe_all(row.payload), "reason": safe(row.reason)}


def summaries(user: User) -> Iterator[Record]:
    """What sessions start with, and what they started with before."""
    rows = Summary.objects.visible_to(user).order_by("namespace_id").prefetch_related("history")
    for row in rows.iterator(CHUNK):
        former: Any = row.history.all()  # type: ignore[attr-defined]
        yield {
            "namespace": row.namespace_id,
            "text": safe(row.body),
            "changed_at": row.changed_at,
            "changed_by": row.changed_by,
            "former_texts": [
                {"at": each.pgh_created_at, "text": safe(each.body), "by": each.changed_by}
                for each in sorted(former, key=lambda each: each.pgh_id)[:-1]
            ],
        }


def exposures(user: User) -> Iterator[Record]:
    """What agents were shown in the person's sessions and through their keys: which record when, not its text."""
    own = Q(session__user=user) | Q(session=None, agent_key__user=user)
    names = ("at", "session_id", "agent_key_id", "path", "record_type", "record_id", "version", "tokens")
    yield from Exposure.objects.filter(own).order_by("at", "pk").values(*names).iterator(CHUNK)
