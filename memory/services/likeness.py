"""Find what a new text repeats or contradicts, within its namespace and kind (design section 4, Dedupe)."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from memory import dedupe
from memory.inputs import Vector
from memory.models import KINDS, Candidate, Memory, Tombstone
from memory.selectors.neighbours import neighbours
from memory.services.blocks import lookup_blocks


@dataclass(frozen=True)
class Like:
    """A stored text and how the new one relates to it: ``same``, ``conflict`` or ``similar``."""

    item: Candidate | Memory | Tombstone
    relation: str
    score: float
    reasons: tuple[str, ...]


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
    told = neighbours(namespace_id=namespace_id, kinds=kinds, blocks=blocks, vector=vector, exclude=exclude)
    space = vector.space if vector else ""
    stored: tuple[tuple[str, QuerySet[Any]], ...] = (
        ("candidate", Candidate.objects.defer("vector", "blocks")),
        ("memory", Memory.objects.defer("blocks")),
        ("tombstone", Tombstone.objects.defer("vector", "blocks")),
    )
    for table, rows in stored:
        cosines = told.get(table, {})
        for item in rows.filter(pk__in=list(cosines)) if cosines else ():
            cosine = cosines[item.pk]
            yield item, _text(item), None if cosine is None else dedupe.calibrate(cosine, space)


def _text(item: Candidate | Memory | Tombstone) -> str:
    return item.text if isinstance(item, Tombstone) else item.content
