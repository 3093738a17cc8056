"""Find what a new text repeats or contradicts, within its namespace and kind (design section 4, Dedupe)."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import IntegerField, QuerySet
from django.db.models.expressions import RawSQL
from pgvector.django import CosineDistance

from memory import dedupe
from memory.inputs import Vector
from memory.models import KINDS, Candidate, Memory, MemoryVector, Tombstone
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


def _by_words(rows: QuerySet[Any], blocks: list[int]) -> list[uuid.UUID]:
    """Ids of the texts that share most of these words."""
    if not blocks:
        return []
    shared = RawSQL(_SHARED, [blocks], output_field=IntegerField())  # noqa: S611 (a constant)
    ranked = rows.filter(blocks__overlap=blocks).annotate(shared=shared).order_by("-shared", "pk")
    return list(ranked.values_list("pk", flat=True)[:NEIGHBOURS])


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
    candidates = Candidate.objects.filter(namespace_id=namespace_id, kind__in=kinds)
    if exclude is not None:
        candidates = candidates.exclude(pk=exclude)
    memories = Memory.objects.filter(namespace_id=namespace_id, kind__in=kinds).exclude(status="deleted")
    tombstones = Tombstone.objects.filter(
        namespace_id=namespace_id, kind__in=kinds, lifted_at=None, reason="rejected"
    )
    near: dict[uuid.UUID, float] = {}
    ids = {
        "candidate": _by_words(candidates, blocks),
        "memory": _by_words(memories, blocks),
        "tombstone": _by_words(tombstones, blocks),
    }
    if vector is not None:
        distance = CosineDistance("vector", vector.values)
        for name, rows, key in (
            # A rejected one speaks through its tombstone.
            ("candidate", candidates.filter(space=vector.space).exclude(status="rejected"), "pk"),
            (
                "memory",
                MemoryVector.objects.filter(
                    namespace_id=namespace_id, space=vector.space, memory__kind__in=kinds
                ),
                "memory_id",
            ),
            ("tombstone", tombstones.filter(space=vector.space), "pk"),
        ):
            wanted = ids[name]
            ranked = rows.annotate(distance=distance)
            for pk, far in ranked.order_by("distance").values_list(key, "distance")[:VECTOR_NEIGHBOURS]:
                near[pk] = 1.0 - far
                wanted.append(pk)
            missing = [pk for pk in wanted if pk not in near]
            if missing:
                for pk, far in ranked.filter(**{f"{key}__in": missing}).values_list(key, "distance"):
                    near[pk] = 1.0 - far
    space = vector.space if vector else ""
    for item in [
        *candidates.filter(pk__in=ids["candidate"]).defer("vector", "blocks"),
        *memories.filter(pk__in=ids["memory"]).defer("blocks"),
        *tombstones.filter(pk__in=ids["tombstone"]).defer("vector", "blocks"),
    ]:
        cosine = near.get(item.pk)
        text = item.text if isinstance(item, Tombstone) else item.content
        yield item, text, None if cosine is None else dedupe.calibrate(cosine, space)
