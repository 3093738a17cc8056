"""What a person asks of the queue, as the address bar and saved filters spell it (review-ux lines 23 to 25)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from urllib.parse import parse_qsl, urlencode

from django.db.models import Exists, OuterRef, Q

from core.ids import parse_id
from memory.models import KINDS, Evidence, Source

# Confidence as people read it; the words of a row use the same borders.
CONFIDENCE: dict[str, tuple[float, float]] = {"low": (0.0, 0.5), "medium": (0.5, 0.8), "high": (0.8, 2.0)}
# What asks for care: a rival memory, an order or link, words that no person typed, a failed promotion, an old refusal.
FLAGS: dict[str, Q] = {
    "conflicts": Q(conflicts_with__isnull=False),
    "risky": Q(flags__overlap=["imperative", "url"]),
    "untyped": ~Q(trust__in=["human", "confirmed"]),
    "again": Q(flags__overlap=["was_true_before", "duplicate_of_rejected"]),
    "attention": Q(status="needs_attention"),
}
SORTS = ("", "newest", "seen", "confidence")
MAX_TEXT = 200
MAX_QUERY = 4_000  # characters: a percent-encoded Japanese text takes nine for each of its own


@dataclass(frozen=True)
class QueueFilter:
    """An empty field does not narrow.

    ``namespace`` is an id; ``confidence`` low, medium or high; ``seen`` at least so many sessions; ``age`` first seen
    at least so many days ago; ``flag`` one of FLAGS; ``aside`` "1" shows what was set aside, and nothing else; ``sort``
    one of SORTS (empty: what expires first).
    """

    kind: str = ""
    namespace: str = ""
    source: str = ""
    text: str = ""
    confidence: str = ""
    seen: int = 0
    age: int = 0
    flag: str = ""
    aside: str = ""
    sort: str = ""

    def __bool__(self) -> bool:
        return any(
            (
                self.kind,
                self.namespace,
                self.source,
                self.text,
                self.confidence,
                self.seen,
                self.age,
                self.flag,
                self.aside,
            )
        )


def parse(query: str) -> QueueFilter:
    """A query string as a filter. What cannot be understood is ignored, not punished; ``q`` is the text."""
    asked = dict(parse_qsl(query.removeprefix("?")[:MAX_QUERY]))

    def one(name: str) -> str:
        return asked.get(name, "").replace("\x00", "").strip()

    def among(name: str, allowed: Collection[str]) -> str:
        return one(name) if one(name) in allowed else ""

    def number(name: str) -> int:
        return int(one(name)) if one(name).isdecimal() and len(one(name)) <= 4 else 0

    return QueueFilter(
        kind=among("kind", KINDS),
        namespace=str(parse_id(one("namespace")) or ""),
        source=among("source", Source.values),
        text=one("q")[:MAX_TEXT],
        confidence=among("confidence", CONFIDENCE),
        seen=number("seen"),
        age=number("age"),
        flag=among("flag", FLAGS),
        aside=among("aside", ("1",)),
        sort=among("sort", SORTS),
    )


def spell(wanted: QueueFilter) -> str:
    """The filter as a query string, in one order: ``parse(spell(x)) == x``."""
    values = {each.name: getattr(wanted, each.name) for each in fields(QueueFilter)}
    return urlencode({"q" if name == "text" else name: value for name, value in values.items() if value})


def condition(wanted: QueueFilter, *, now: datetime) -> Q:
    """The filter over open candidates. Text looks into the content and the quoted evidence."""
    asked = (
        Q(set_aside_until__gt=now) if wanted.aside else Q(set_aside_until=None) | Q(set_aside_until__lte=now)
    )
    return asked & narrowing(wanted, now=now)


def narrowing(wanted: QueueFilter, *, now: datetime) -> Q:
    """The same without a word about what was set aside: for decided candidates."""
    asked = Q()
    if wanted.kind:
        asked &= Q(kind=wanted.kind)
    if wanted.namespace:
        asked &= Q(namespace_id=wanted.namespace)
    if wanted.source:
        asked &= Q(source=wanted.source)
    if wanted.confidence:
        low, below = CONFIDENCE[wanted.confidence]
        asked &= Q(confidence__gte=low, confidence__lt=below)
    if wanted.seen:
        asked &= Q(times_seen__gte=wanted.seen)
    if wanted.age:
        asked &= Q(first_seen_at__lte=now - timedelta(days=wanted.age))
    if wanted.flag:
        asked &= FLAGS[wanted.flag]
    if wanted.text:
        quoted = Evidence.objects.filter(candidate=OuterRef("pk"), quote__icontains=wanted.text)
        asked &= Q(content__icontains=wanted.text) | Q(Exists(quoted))
    return asked
