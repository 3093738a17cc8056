"""Find what a new text repeats or contradicts, within its namespace and kind (design section 4, Dedupe)."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, FilteredRelation, FloatField, IntegerField, Q, QuerySet, When
from django.db.models.expressions import RawSQL
from pgvector.django import CosineDistance

from memory import dedupe
from memory.inputs import Vector
from memory.models import KINDS, Candidate, Memory, Tombstone
from memory.services.blocks import lookup_blocks

# Compared one by one under the namespace's lock, at half a millisecond each; a repeat is among the very first.
NEIGHBOURS = 12
VECTOR_NEIGHBOURS = 5


@dataclass(frozen=True)
class Like:
    """A stored text and how the new one relates to it: ``same``, ``conflict`` or ``similar``."""

    item: Candidate | Memory | Tombstone
    relation: str
    score: float
    reasons: tuple[str, ...]


_SHARED = "(SELECT count(*) FROM unnest(blocks) AS shared (block) WHERE shared.block = ANY(%s))"


def _by_words(rows: QuerySet[Any], blocks: list[int]) -> QuerySet[Any]:
    """The texts that share most of these words."""
    if not blocks:
        return rows.none()
    shared = RawSQL(_SHARED, [blocks], output_field=IntegerField())  # noqa: S611 (a constant)
    sharing: QuerySet[Any] = rows.filter(blocks__overlap=blocks).annotate(shared=shared)
    return sharing.order_by("-shared", "pk")[:NEIGHBOURS]


def find(
    *,
    namespace_id: uuid.UUID,
    kind: str,
    content: str,
    vector: Vector | None,
    any_kind: bool = False,
    exclude: uuid.UUID | None = None,
) -> list[Like]:
    """Every likely neighbour that is the same, conflicts or is similar; the surest first.

    Read inside the caller's lock, so that two equal proposals cannot miss each other.
    """
    features = dedupe.features(content)
    kinds = list(KINDS) if any_kind else [kind]
    blocks = [b for k in kinds for b in lookup_blocks(namespace_id=namespace_id, kind=k, features=features)]
    found: list[Like] = []
    for item, text, cosine in _neighbours(namespace_id, kinds, blocks, vector, exclude):
        verdict = dedupe.compare(features, dedupe.features(text), cosine=cosine)
        if verdict.relation != "different":
            found.append(Like(item, verdict.relation, verdict.score, verdict.reasons))
    order = {"same": 0, "conflict": 1, "similar": 2}
    return sorted(found, key=lambda like: (order[like.relation], -like.score))


def _neighbours(
    namespace_id: uuid.UUID,
    kinds: list[str],
    blocks: list[int],
    vector: Vector | None,
    exclude: uuid.UUID | None,
) -> Iterable[tuple[Candidate | Memory | Tombstone, str, float | None]]:
    own = {"namespace_id": namespace_id, "kind__in": kinds}
    candidates = Candidate.objects.filter(**own).defer("vector", "blocks")
    if exclude is not None:
        candidates = candidates.exclude(pk=exclude)
    memories = Memory.objects.filter(**own).exclude(status="deleted").defer("blocks")
    stones = Tombstone.objects.filter(**own, lifted_at=None, reason="rejected").defer("vector", "blocks")
    if vector is None:
        for rows in (candidates, memories, stones):
            for item in _by_words(rows, blocks):
                yield item, _text(item), None
        return
    far = _in_row(vector)
    indexed = FilteredRelation("vectors", condition=Q(vectors__space=vector.space))
    pairs: tuple[tuple[QuerySet[Any], QuerySet[Any]], ...] = (
        # A rejected one speaks through its tombstone.
        (candidates.annotate(far=far), candidates.exclude(status="rejected").filter(space=vector.space)),
        (
            memories.annotate(indexed=indexed, far=CosineDistance("indexed__vector", vector.values)),
            memories.filter(vectors__namespace_id=namespace_id, vectors__space=vector.space),
        ),
        (stones.annotate(far=far), stones.filter(space=vector.space)),
    )
    for rows, meant in pairs:
        by = "vectors__vector" if meant.model is Memory else "vector"
        nearest = meant.annotate(far=CosineDistance(by, vector.values)).order_by("far")[:VECTOR_NEIGHBOURS]
        found = {item.pk: item for item in _by_words(rows, blocks)}
        for item in nearest:
            found.setdefault(item.pk, item)
        for item in found.values():
            cosine = None if item.far is None else dedupe.calibrate(1 - item.far, vector.space)
            yield item, _text(item), cosine


def _in_row(vector: Vector) -> Case:
    """Distance to the vector that stands in the row itself; null where another model made it."""
    return Case(
        When(space=vector.space, then=CosineDistance("vector", vector.values)), output_field=FloatField()
    )


def _text(item: Candidate | Memory | Tombstone) -> str:
    return item.text if isinstance(item, Tombstone) else item.content
