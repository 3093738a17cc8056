"""Notes for a task, by what they are called and when they say to be read: words and meaning (design sections 4, 6).

The order and what the floor weighs are recall's (``memory.recall.fusion``): both halves say how surprising the nearness
would be by chance, and they add up. Namespaces hold tens of notes, at most thousands: all descriptions are read, no
index is kept.
"""

from __future__ import annotations

import statistics
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from pgvector.django import MaxInnerProduct

from core.scope import Scope
from knowledge.models import Knowledge, KnowledgeVector
from knowledge.notes.ranking import shared_words
from memory.embedder import embed
from memory.recall.fusion import Sign, floor_of
from memory.recall.spaces import space_of

MOST = 50
# Descriptions are written to be found by tasks, so that an answer needs less than a memory does (measured).
EASIER = 4.0
# A note this far below the best one is about something else. Further than for a memory: one reads titles.
REACH = 3.0


@dataclass(frozen=True)
class Found:
    """Notes, best first. ``degraded``: words alone decided, for all or for some of those that could have been meant."""

    notes: list[Knowledge]
    degraded: bool = False


def found(*, scope: Scope, q: str) -> Found:
    """Active notes of the scope that have to do with the task, at most ``MOST``; for an empty ``q`` all, by slug."""
    notes = list(
        Knowledge.objects.active()
        .in_namespaces(scope)
        .select_related("namespace__owner")
        .defer("body")
        .order_by("slug", "pk")
    )
    if not q.strip() or not notes:
        return Found(notes[:MOST])
    standings, floor = _standings(scope, q, len(notes))
    words = shared_words(
        q, [f"{note.title} {note.slug.replace('-', ' ')} {note.description}" for note in notes]
    )
    signs = {
        note.pk: Sign(note.pk, bm25=word.score, coverage=word.coverage, standing=standings.get(note.pk))
        for note, word in zip(notes, words, strict=True)
        if word.score > 0 or note.pk in standings
    }
    # A note without a vector yet is known by its words alone: any of them may be the one that was meant.
    blind = [sign for sign in signs.values() if sign.standing is None]
    seen = [sign for sign in signs.values() if sign.standing is not None]
    best = max((sign.relevance for sign in seen), default=0.0)
    above = [sign for sign in seen if sign.relevance >= max(floor, best - REACH)]
    # With words alone the words' own score orders: nothing has to be weighed against a standing.
    kept = {sign.id: sign.score if standings else sign.bm25 for sign in [*above, *blind]}
    answers = [note for note in notes if note.pk in kept]
    answers.sort(key=lambda note: -round(kept[note.pk], 6))
    return Found(answers[:MOST], degraded=len(standings) < len(notes))


def _standings(scope: Scope, q: str, count: int) -> tuple[dict[uuid.UUID, float], float]:
    """By how many deviations each note that has a vector stands out, and the floor; nothing without a model."""
    made = embed([q], query=True)
    if made is None:
        return {}, 0.0
    name, question = made[0], made[1][0]
    space = space_of(name)
    turned = space.turned(question, centroid=[], count=0)
    near = _likeness(scope, name, turned)
    mean = statistics.fmean(near.values()) if near else 0.0
    deviation = statistics.pstdev(near.values()) if near else 0.0
    standings = {
        pk: space.standing(value, mean=mean, deviation=deviation, count=len(near))
        for pk, value in near.items()
    }
    floor = floor_of(base=space.floor, count=count, own_work=space.own_work(question))
    return standings, floor - EASIER


def _likeness(scope: Scope, space: str, vector: Sequence[float]) -> dict[uuid.UUID, float]:
    rows = KnowledgeVector.objects.current(space).in_namespaces(scope)
    near = rows.annotate(distance=MaxInnerProduct("vector", list(vector)))
    return {pk: -distance for pk, distance in near.values_list("knowledge_id", "distance")}
