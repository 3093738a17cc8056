"""What the night reads of memories: words, meaning and traces of use, each in a few statements, within a namespace."""

from __future__ import annotations

import uuid
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from django.db import connection

from core.models import Namespace
from knowledge.night.facts import Fact
from memory import dedupe
from memory.embedder import current_space
from memory.models import Memory

_FEW = 500  # up to so many changed memories only their own surroundings are read, not the whole namespace
_BATCH = 1_000
_REMEMBERED = 20_000  # compiled texts kept at a time, some 5 KB each


def blocks(namespace: Namespace, changed: Collection[uuid.UUID]) -> dict[uuid.UUID, list[int]]:
    """The hashed words of the active memories that may lie near the changed ones, the oldest first."""
    rows = Memory.objects.active().filter(namespace=namespace)
    if len(changed) <= _FEW:
        own = rows.filter(pk__in=changed).values_list("blocks", flat=True)
        rows = rows.filter(blocks__overlap=sorted({block for each in own for block in each}))
    found = rows.order_by("pk").values_list("pk", "blocks")
    return dict(found.iterator(chunk_size=_BATCH))


class Facts:
    """Memories as the pure part takes them. Texts are compiled when first asked for; the latest ones are kept."""

    def __init__(self, namespace: Namespace) -> None:
        self._namespace = namespace
        self._known: OrderedDict[uuid.UUID, Fact] = OrderedDict()

    def get(self, ids: Iterable[uuid.UUID]) -> dict[uuid.UUID, Fact]:
        """Those that are still active."""
        wanted = list(dict.fromkeys(ids))
        missing = [pk for pk in wanted if pk not in self._known]
        for batch in _batches(missing):
            traces = last_traces(batch)
            for row in (
                Memory.objects.active().filter(namespace=self._namespace, pk__in=batch).defer("blocks")
            ):
                self._known[row.pk] = _fact(row, *traces.get(row.pk, (None, None)))
        found = {pk: self._known[pk] for pk in wanted if pk in self._known}
        for pk in found:
            self._known.move_to_end(pk)
        while len(self._known) > max(_REMEMBERED, len(wanted)):
            self._known.popitem(last=False)
        return found


def _fact(row: Memory, used_at: datetime | None, shown_at: datetime | None) -> Fact:
    return Fact(
        id=row.pk,
        version=row.version,
        kind=row.kind,
        text=row.content,
        language=row.language,
        trust=row.trust,
        said_at=row.valid_from,
        since=row.changed_at,
        used_at=used_at,
        shown_at=shown_at,
        features=dedupe.features(row.content),
    )


# Explicit use: an agent asked for this very memory. Recall puts what matches before it: an exposure (design section 6).
_TRACES = """
SELECT record_id, max(at) FILTER (WHERE path = 'get'), max(at) FILTER (WHERE path <> 'get')
FROM transcripts_exposure WHERE record_type = 'memory' AND record_id = ANY(%s) GROUP BY record_id
"""


def last_traces(ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, tuple[datetime | None, datetime | None]]:
    """(last explicit use, last exposure) of each memory that has any."""
    with connection.cursor() as cursor:
        cursor.execute(_TRACES, [[str(pk) for pk in ids]])
        return {uuid.UUID(pk): (used, shown) for pk, used, shown in cursor.fetchall()}


_COSINES = """
SELECT pair.a, pair.b, 1 - (one.vector <=> other.vector)
FROM unnest(%s::uuid[], %s::uuid[]) AS pair (a, b)
JOIN memory_memoryvector one ON one.memory_id = pair.a AND one.space = %s
JOIN memory_memoryvector other ON other.memory_id = pair.b AND other.space = one.space
"""


def cosines(
    pairs: Sequence[tuple[uuid.UUID, uuid.UUID]],
) -> Mapping[tuple[uuid.UUID, uuid.UUID], float]:
    """Calibrated similarity of the pairs of which both have a vector in the current space; the database computes it."""
    space = current_space()
    if not space or not pairs:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_COSINES, [[a for a, _ in pairs], [b for _, b in pairs], space])
        return {(a, b): dedupe.calibrate(cosine, space) for a, b, cosine in cursor.fetchall()}


def _batches(ids: Sequence[uuid.UUID]) -> Iterator[Sequence[uuid.UUID]]:
    for start in range(0, len(ids), _BATCH):
        yield ids[start : start + _BATCH]
