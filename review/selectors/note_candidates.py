"""The Knowledge candidate report: what is recalled or asked for often and has no note yet (design section 6)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Count, Max, Q

from core.ids import parse_id
from core.models import Namespace
from core.redact import redact
from core.text import normal_form
from knowledge.models import Knowledge
from knowledge.night.asking import names_work
from knowledge.notes.ranking import shared_words
from memory.models import Memory, Request
from transcripts.models import Exposure

WINDOW = timedelta(days=90)
LEAST = 3  # sessions: what two sessions needed may be chance
MOST = 15  # of each kind on the page
READ = 3_000  # requests that are looked through, the latest
COVERED = 0.6  # of a text's rare words: then a note speaks of it already


@dataclass(frozen=True)
class Recalled:
    """A memory that was put before agents in ``sessions`` sessions, ``times`` in all."""

    memory: Memory
    text: str
    sessions: int
    times: int
    last: datetime


@dataclass(frozen=True)
class Asked:
    """Something the person asked for in their own conversations, as they put it the last time."""

    text: str
    sessions: int
    times: int
    last: datetime


def recalled_often(*, namespace: Namespace, now: datetime) -> list[Recalled]:
    """Active memories of the namespace that no note was made from or speaks of, the most needed first."""
    there = Q(session__workspace=namespace) | Q(session__persona=namespace)
    rows = Exposure.objects.filter(
        there, record_type="memory", path__in=["recall", "get"], at__gt=now - WINDOW
    )
    counted = rows.values("record_id").annotate(
        n=Count("pk"), s=Count("session", distinct=True), at=Max("at")
    )
    often = {
        pk: row
        for row in counted.filter(s__gte=LEAST).order_by("-s", "-n")[:200]
        if (pk := parse_id(row["record_id"]))
    }
    memories = Memory.objects.active().filter(namespace=namespace, pk__in=often).defer("blocks")
    notes = _living(namespace)
    made_from = {str(each.get("id")) for note in notes for each in note.last_sources}
    left = [memory for memory in memories if str(memory.pk) not in made_from]
    found = [
        Recalled(memory, text, often[memory.pk]["s"], often[memory.pk]["n"], often[memory.pk]["at"])
        for memory in left
        if not _spoken_of(text := redact(memory.content).text, notes)
    ]
    return sorted(found, key=lambda each: (-each.sessions, -each.times, str(each.memory.pk)))[:MOST]


def asked_often(*, user: User, namespace: Namespace, now: datetime) -> list[Asked]:
    """What this person asked for in several sessions; other members' conversations are theirs.

    Not what keeps any talk going ("yes, please go on"): no note would help there.
    """
    rows = Request.objects.filter(namespace=namespace, session__user=user, at__gt=now - WINDOW)
    groups: dict[tuple[str, str], list[Request]] = defaultdict(list)
    for row in rows.order_by("-at", "-pk")[:READ]:
        groups[(row.intent, normal_form(row.target or row.summary))].append(row)
    notes = _living(namespace)
    found = []
    for (_intent, about), asks in groups.items():
        sessions = {ask.session_id for ask in asks}
        text = redact(asks[0].summary).text
        if about and len(sessions) >= LEAST and names_work(text) and not _spoken_of(text, notes):
            found.append(Asked(text, len(sessions), len(asks), asks[0].at))
    return sorted(found, key=lambda each: (-each.sessions, -each.times, each.text))[:MOST]


def _living(namespace: Namespace) -> list[Knowledge]:
    return list(Knowledge.objects.active().filter(namespace=namespace).order_by("slug"))


def _spoken_of(text: str, notes: Sequence[Knowledge]) -> bool:
    said = [f"{note.slug.replace('-', ' ')} {note.title} {note.description} {note.body}" for note in notes]
    return any(shared.coverage >= COVERED for shared in shared_words(text, said))
