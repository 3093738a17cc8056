"""Find notes by what they are for, and read one (design sections 6 and 7)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import NotFound
from core.models import AgentKey
from core.redact import redact
from core.text import is_weak_term, terms, tokens
from knowledge.models import Knowledge, KnowledgeUse
from knowledge.services.expand import successor_of
from memory.selectors.reach import reach_of_key
from transcripts.inputs import Shown
from transcripts.services.exposures import exposure_record

MOST = 50


@dataclass(frozen=True)
class Read:
    """A note as served; ``slug`` is what was asked for."""

    slug: str
    note: Knowledge
    body: str


def knowledge_find(
    *, agent_key: AgentKey, q: str, references: Sequence[str], session: str
) -> list[Knowledge]:
    """Active notes in scope, best first by title, slug and description; all of them for an empty question.

    At most `MOST`. A note that shares no word with the question is left out. Raises NotFound, Forbidden.
    """
    reach = reach_of_key(key=agent_key, references=references, session=session)
    notes = list(
        Knowledge.objects.active()
        .in_namespaces(reach.scope)
        .select_related("namespace__owner")
        .defer("body")
        .order_by("slug", "pk")
    )
    wanted = [term for term in dict.fromkeys(terms(q)) if not is_weak_term(term)]
    if not q.strip():
        return notes[:MOST]
    held = [
        Counter(terms(f"{note.title} {note.slug.replace('-', ' ')} {note.description}")) for note in notes
    ]
    frequency = Counter(term for counts in held for term in counts)
    average = sum(sum(counts.values()) for counts in held) / max(1, len(held))
    scored = [
        (_bm25(wanted, counts, frequency, len(notes), average), note)
        for counts, note in zip(held, notes, strict=True)
    ]
    scored = [(score, note) for score, note in scored if score > 0]
    scored.sort(key=lambda each: -each[0])
    return [note for _score, note in scored[:MOST]]


def _bm25(
    wanted: Sequence[str], held: Counter[str], frequency: Counter[str], notes: int, average: float
) -> float:
    """Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009), with k1 1.2 and b 0.75."""
    length = sum(held.values()) / average if average else 1.0
    score = 0.0
    for term in wanted:
        count = held[term]
        if count:
            rarity = math.log(1 + (notes - frequency[term] + 0.5) / (frequency[term] + 0.5))
            score += rarity * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length))
    return score


@transaction.atomic
def knowledge_read(
    *, agent_key: AgentKey, slug: str, references: Sequence[str], session: str, now: datetime
) -> Read:
    """The body of a note, counted as a use and as an exposure. A replaced slug gives the living note.

    Workspace before persona. Raises NotFound, Forbidden.
    """
    reach = reach_of_key(key=agent_key, references=references, session=session)
    order = {home.pk: home.type != "workspace" for home in reach.namespaces if not home.is_paused}
    rows = Knowledge.objects.filter(namespace__in=order, slug=slug).select_related("namespace__owner")
    living = [
        note
        for row in sorted(rows, key=lambda each: order[each.namespace_id])
        if (note := successor_of(row)) is not None
    ]
    if not living:
        raise NotFound(
            _("There is no note “%(slug)s” in reach.") % {"slug": slug}, code="note_not_found", field="slug"
        )
    note = living[0]
    body = redact(note.body).text
    exposure_record(
        session=reach.session,
        agent_key=agent_key,
        path="get",
        items=[Shown("knowledge", str(note.pk), note.version, body)],
        now=now,
    )
    KnowledgeUse.objects.create(
        knowledge=note,
        namespace_id=note.namespace_id,
        user=agent_key.user,
        session=reach.session,
        path="read",
        version=note.version,
        tokens=tokens(body),
        at=now,
    )
    return Read(slug, note, body)
