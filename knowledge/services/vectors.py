"""Fill in the vectors by which notes are found for a task (design section 6)."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from core.locks import only_one
from core.scope import Scope
from knowledge.models import Knowledge, KnowledgeVector
from memory.embedder import current_space, embed

BATCH = 32


def notes_fill_due(*, limit: int = 2_000) -> int:
    """Embed up to ``limit`` active notes whose present text has no vector in the current space; returns how many.

    One filler at a time; who finds it taken may go, because the filler looks once more after each batch. A text that
    the model refuses does not keep the others waiting: it is passed over until the next call.
    """
    space = current_space()
    if not space:
        return 0
    filled = 0
    with only_one("knowledge.vectors") as mine:
        if mine:
            for batch in _batches(space, limit):
                filled += _fill(space, batch)
    return filled


def note_vectors_forget(*, scope: Scope) -> int:
    """Ask for new vectors of all notes in the scope; until they are there words alone find them."""
    return KnowledgeVector.objects.in_namespaces(scope).delete()[0]


def meaning_of(note: Knowledge) -> str:
    """What is compared with a task: what the note is called, and when to read it."""
    return f"{note.title}\n{note.description}"


def _due(space: str) -> QuerySet[Knowledge]:
    there = KnowledgeVector.objects.filter(knowledge=OuterRef("pk"), space=space, version=OuterRef("version"))
    return Knowledge.objects.active().filter(~Exists(there)).order_by("pk")


def _batches(space: str, limit: int) -> Iterator[list[Knowledge]]:
    tried: set[uuid.UUID] = set()
    while len(tried) < limit:
        batch = list(_due(space).exclude(pk__in=tried).defer("body")[: min(BATCH, limit - len(tried))])
        if not batch:
            return
        tried.update(note.pk for note in batch)
        yield batch


def _fill(space: str, batch: Sequence[Knowledge]) -> int:
    """The model runs outside transactions. One text at a time where the batch is refused."""
    made = embed([meaning_of(note) for note in batch])
    if made is not None:
        return _store(space, list(zip(batch, made[1], strict=True))) if made[0] == space else 0
    found = []
    for note in batch if len(batch) > 1 else ():
        alone = embed([meaning_of(note)])
        if alone is not None and alone[0] == space:
            found.append((note, alone[1][0]))
    return _store(space, found)


@transaction.atomic
def _store(space: str, made: Sequence[tuple[Knowledge, list[float]]]) -> int:
    """Vectors of notes that are still as they were read; a former model's can answer no question of this one."""
    rows = Knowledge.objects.select_for_update(of=("self",), no_key=True).active().order_by("pk")
    versions = dict(rows.filter(pk__in=[note.pk for note, _v in made]).values_list("pk", "version"))
    kept = [(note, vector) for note, vector in made if versions.get(note.pk) == note.version]
    KnowledgeVector.objects.filter(knowledge__in=[note.pk for note, _v in kept]).delete()
    KnowledgeVector.objects.bulk_create(
        KnowledgeVector(
            knowledge=note,
            namespace_id=note.namespace_id,
            space=space,
            version=note.version,
            vector=vector,
        )
        for note, vector in kept
    )
    return len(kept)
