"""What has had its time: outdated, superseded, noisy and unused memories, at most twenty a night (design section 6)."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from django.db import connection

from core.models import Namespace
from core.text import sha256
from knowledge.night.facts import Fact
from knowledge.night.fading import ORDER, Faded, Standing, faded
from knowledge.night.limits import RETIRE_A_NIGHT, UNUSED_AFTER
from knowledge.night.protection import is_protected
from knowledge.services.night import sentences
from knowledge.services.night.compare import sources
from knowledge.services.night.reading import Facts, last_traces
from knowledge.services.night.settled import held, refused
from knowledge.services.night.skips import Skip
from knowledge.services.night.stage import Draft, Findings, Night
from memory.models import Memory

_BATCH = 1_000


class Retire:
    """Looks at every active memory: time alone makes one outdated or unused. What waits open counts to the twenty."""

    name = "retire"

    def __call__(self, night: Night) -> Findings:
        found = Findings()
        waiting = held(night.namespace)
        room = max(0, RETIRE_A_NIGHT - waiting.retiring)
        taken = waiting.leaving | waiting.staying
        settled = refused(night.namespace)
        had_their_time: list[tuple[int, datetime, uuid.UUID, Faded]] = []
        lively = is_lively(night.namespace, night.now)
        for pk, standing in _standings(night):
            found.looked_at += 1
            why = faded(standing, now=night.now, lively=lively)
            if why is None:
                found.skipped[Skip.PROTECTED] += is_protected(standing.used_at, night.now)
            elif pk in taken:
                found.skipped[Skip.BUSY] += 1
            elif frozenset((sha256(standing.text),)) in settled:
                found.skipped[Skip.REFUSED_BEFORE] += 1
            else:
                had_their_time.append((ORDER.index(why.category), standing.since, pk, why))
        had_their_time.sort(key=lambda each: each[:3])
        found.skipped[Skip.ENOUGH] += max(0, len(had_their_time) - room)
        chosen = {pk: why for *_, pk, why in had_their_time[:room]}
        facts = Facts(night.namespace).get(chosen)
        found.drafts = [_draft(facts[pk], why) for pk, why in chosen.items() if pk in facts]
        found.skipped = +found.skipped
        return found


def _draft(fact: Fact, why: Faded) -> Draft:
    ref: dict[str, Any] = {"id": str(fact.id), "version": fact.version}
    return Draft(
        kind="retire",
        payload={"memory": ref, "as": "outdated", "content": "", "category": why.category},
        reason=sentences.of_faded(fact, why),
        confidence=why.confidence,
        sources=sources([fact]),
    )


def _standings(night: Night) -> Iterator[tuple[uuid.UUID, Standing]]:
    rows = Memory.objects.active().filter(namespace=night.namespace).order_by("pk")
    after = uuid.UUID(int=0)
    while batch := list(rows.filter(pk__gt=after).only("content", "valid_from", "changed_at")[:_BATCH]):
        after = batch[-1].pk
        night.keep_alive()
        ids = [row.pk for row in batch]
        traces, twins = last_traces(ids), _replaced(night.namespace, ids)
        for row in batch:
            used_at, shown_at = traces.get(row.pk, (None, None))
            yield (
                row.pk,
                Standing(
                    row.content, row.valid_from, row.changed_at, used_at, shown_at, replaced=row.pk in twins
                ),
            )


# A person who approves the words again after they were replaced knows better: only an older one is left over.
_REPLACED = """
SELECT mine.id FROM memory_memory mine
JOIN memory_memory gone ON gone.namespace_id = mine.namespace_id AND gone.kind = mine.kind
    AND gone.normal_hash = mine.normal_hash AND gone.status IN ('superseded', 'retracted')
WHERE mine.namespace_id = %s AND mine.id = ANY(%s) AND mine.normal_hash <> '' AND gone.changed_at > mine.changed_at
    AND (gone.superseded_by_id IS NULL OR gone.superseded_by_id <> mine.id)
"""


def _replaced(namespace: Namespace, ids: Sequence[uuid.UUID]) -> set[uuid.UUID]:
    """Those whose very words were superseded or retired elsewhere after they were last touched.

    Not those that replaced their twin themselves: a merge leaves the same words behind.
    """
    with connection.cursor() as cursor:
        cursor.execute(_REPLACED, [namespace.pk, list(ids)])
        return {row[0] for row in cursor.fetchall()}


_LIVELY = """
SELECT EXISTS (
    SELECT 1 FROM memory_memory m JOIN transcripts_exposure e
    ON e.record_type = 'memory' AND e.record_id = m.id::text AND e.at > %s
    WHERE m.namespace_id = %s AND m.status = 'active'
)
"""


def is_lively(namespace: Namespace, now: datetime) -> bool:
    """Whether recall showed anything from here within the last 90 days: else nothing had an occasion to be used."""
    with connection.cursor() as cursor:
        cursor.execute(_LIVELY, [now - UNUSED_AFTER, namespace.pk])
        return bool(cursor.fetchone()[0])
