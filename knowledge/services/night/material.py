"""What the notes and the summary of a night are drafted from, read within one namespace (design section 6)."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta

from django.db.models import Q

from core.text import language
from decisions.learning import OTHER
from decisions.learning.sensitive import is_sensitive
from decisions.learning.types import OptionIn, Question
from decisions.models import DecisionPoint
from decisions.selectors.learned import Learned, learned
from knowledge.models import ConsolidationRun, Knowledge, Proposal
from knowledge.models.proposal import ProposalQuerySet
from knowledge.night import phrases
from knowledge.night.material import WORTH, Asked, Held, Piece, one_line
from knowledge.night.reusing import reusable
from knowledge.services.night.settled import held
from knowledge.services.night.stage import Night
from memory.models import Memory, Request

REQUEST_DAYS = 90
MOST_REQUESTS = 2_000  # the latest
MOST_POINTS = 100
HABIT_CHOICES = 5  # counted choices, and so large a share of them: a habit
HABIT_SHARE = 0.8


@dataclass
class Material:
    """``free``: pieces that stand in no note and no draft. ``notes`` are active ones, ``waiting`` drafts of new ones
    (ids of proposals); ``refused`` maps a note to the sources of changes of it that a person refused.
    """

    pieces: list[Piece]
    asked: list[Asked]
    free: frozenset[str]
    notes: list[Held]
    waiting: list[Held]
    refused: dict[str, frozenset[str]] = field(default_factory=dict)
    taken: frozenset[str] = frozenset()

    @property
    def bilingual(self) -> bool:
        """Whether people there use both languages, so that a note should be found in either."""
        spoken = [piece.language for piece in self.pieces] + [each.language for each in self.asked]
        return min(spoken.count("ja"), spoken.count("en")) >= max(2, len(spoken) // 20)


def memories_of(night: Night) -> list[Piece]:
    """The active memories that hold for later, without those that a proposal would take away."""
    leaving = held(night.namespace).leaving
    rows = Memory.objects.active().filter(namespace=night.namespace, kind__in=WORTH)
    columns = rows.order_by("pk").values_list("pk", "version", "kind", "content", "language", "valid_from")
    return [
        Piece("memory", str(pk), version, kind, reusable(content), spoken, at, pk in night.changed)
        for pk, version, kind, content, spoken, at in columns.iterator(chunk_size=1_000)
        if pk not in leaving
    ]


def material_of(night: Night) -> Material:
    """Everything, in some ten queries."""
    pieces = [*memories_of(night), *_habits(night)]
    night.keep_alive()
    rows = list(Knowledge.objects.filter(namespace=night.namespace).defer("language"))
    notes = [_held(row) for row in rows if row.status == "active"]
    in_notes = {source for row in rows for source in _ids(row.last_sources)}
    drafts = list(_settled(night).values_list("pk", "kind", "state", "payload", "sources"))
    in_drafts = {
        source for _pk, kind, _state, _p, sources in drafts if kind == "create" for source in _ids(sources)
    }
    waiting = [
        Held(str(pk), 1, p["title"], p["slug"], p["description"], p["body"], frozenset(_ids(sources)))
        for pk, kind, state, p, sources in drafts
        if kind == "create" and state == "open"
    ]
    refused: dict[str, set[str]] = {}
    for _pk, kind, state, payload, sources in drafts:
        if kind == "update" and state in ("refused", "withdrawn"):
            refused.setdefault(payload["note"]["id"], set()).update(_ids(sources))
    slugs = {row.slug for row in rows} | {each.slug for each in waiting}
    return Material(
        pieces=pieces,
        asked=_asked(night),
        free=frozenset(piece.id for piece in pieces if piece.id not in in_notes | in_drafts),
        notes=notes,
        waiting=waiting,
        refused={note: frozenset(ids) for note, ids in refused.items()},
        taken=frozenset(slugs),
    )


def outdated_lines(night: Night, note: Held) -> dict[str, str]:
    """Texts of a note's sources that are no longer true, with what is true now; "" for what was wrong."""
    ids = [uuid.UUID(source) for source in note.sources if _is_uuid(source)]
    rows = Memory.objects.filter(namespace=night.namespace, pk__in=ids)
    rows = rows.filter(status__in=("superseded", "retracted")).select_related("superseded_by")
    found: dict[str, str] = {}
    for row in rows:
        successor = row.superseded_by
        here = successor is not None and successor.namespace_id == row.namespace_id
        alive = here and successor is not None and successor.status == "active"
        found[reusable(row.content)] = reusable(successor.content) if alive and successor else ""
    return found


def _settled(night: Night) -> ProposalQuerySet:
    """Drafts that a person has before them or has decided about, or whose night a person has undone."""
    undone = ConsolidationRun.objects.filter(namespace=night.namespace, state="undone").values("pk")
    rows = Proposal.objects.filter(namespace=night.namespace, kind__in=("create", "update"))
    return rows.filter(Q(state__in=("open", "refused", "accepted")) | Q(state="withdrawn", batch__in=undone))


def _held(row: Knowledge) -> Held:
    return Held(
        str(row.pk),
        row.version,
        row.title,
        row.slug,
        row.description,
        row.body,
        frozenset(_ids(row.last_sources)),
    )


def _ids(sources: Iterable[dict[str, str]]) -> list[str]:
    return [str(each.get("id")) for each in sources if each.get("type") in ("memory", "point")]


def _asked(night: Night) -> list[Asked]:
    since = night.now - timedelta(days=REQUEST_DAYS)
    rows = Request.objects.filter(namespace=night.namespace, at__gte=since).order_by("-at", "-pk")
    columns = rows.values_list("pk", "session_id", "summary", "at")[:MOST_REQUESTS]
    return [
        Asked(str(pk), str(session), summary, language(summary), at, night.since is None or at > night.since)
        for pk, session, summary, at in columns
    ]


def _habits(night: Night) -> list[Piece]:
    """Repeated decisions, where they are nobody else's to see: choices belong to one person (design section 5)."""
    members = list(night.namespace.memberships.values_list("user_id", flat=True)[:2])
    if members != [night.namespace.owner_id]:
        return []
    points = DecisionPoint.objects.live().filter(
        workspace=night.namespace, user_id=members[0], multi=False, always_ask=False
    )
    latest = list(points.exclude(last_choice_at=None).order_by("-last_choice_at")[:MOST_POINTS])
    found = []
    for each in learned(user_id=members[0], points=latest, now=night.now):
        habit = _habit(each, night)
        if habit is not None:
            found.append(habit)
    return found


def _habit(each: Learned, night: Night) -> Piece | None:
    """A clear habit of a question that may be settled by habit; None else."""
    point, guess = each.point, each.prediction
    options = tuple(OptionIn(option.label, option.description) for option in each.options)
    if guess.leader in (None, OTHER) or not guess.clear or guess.n_own < HABIT_CHOICES:
        return None
    if guess.share < HABIT_SHARE or is_sensitive(Question(point.question, options, point.header)):
        return None
    spoken = "ja" if language(point.question) == "ja" else "en"
    text = phrases.habit(one_line(point.title), each.label(guess.leader) or "", spoken)
    at = point.last_choice_at or night.now
    fresh = night.since is None or at > night.since
    return Piece("point", str(point.pk), 1, "habit", text, spoken, at, fresh)


def _is_uuid(value: str) -> bool:
    try:
        uuid.UUID(value)
    except ValueError:
        return False
    return True
