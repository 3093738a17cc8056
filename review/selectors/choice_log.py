"""One question's past: what was observed, what was recommended, where it was said."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import exp

from django.contrib.auth.models import User
from django.db.models import Count, OuterRef, Q, Subquery
from django.urls import reverse
from django.utils.translation import gettext as _

from decisions.models import Choice, DecisionPoint, Mute, Preference, Recommendation
from decisions.models.choice import ChoiceQuerySet
from review.selectors.knowing import Log
from review.selectors.paging import Cursor, Page, page
from transcripts.models import AgentSession, Turn

PAGE = 25
DAY = timedelta(days=1)
DRAWN = 400  # choices in the picture, the latest
GIVEN = 20
EVIDENCE = 5
SESSIONS = 3


@dataclass(frozen=True)
class Observed:
    """A choice as its row shows it. ``gone`` says why it is out of the sums ("" : it counts); ``address`` leads to
    the turn in which it was made, "" when that turn is unknown or purged.
    """

    choice: Choice
    labels: Sequence[str]
    marked: str
    context: Sequence[tuple[str, str]]
    weight: float
    gone: str
    address: str

    @property
    def label(self) -> bool:
        """Was there anything to say about labels?"""
        choice = self.choice
        return choice.labelled or choice.probe or choice.marked_by == "asker"


def of_point(*, user: User, point: DecisionPoint) -> ChoiceQuerySet:
    return Choice.objects.visible_to(user).observed().filter(point=point)


def _told(rows: ChoiceQuerySet) -> ChoiceQuerySet:
    """With the turn that was open when the choice was made."""
    turns = Turn.objects.filter(session=OuterRef("session"), opened_at__lte=OuterRef("at"))
    return rows.annotate(turn=Subquery(turns.order_by("-opened_at").values("pk")[:1]))


def observations(
    *, user: User, log: Log, after: Cursor | None, size: int = PAGE
) -> tuple[list[Observed], str]:
    """All that was ever observed here, the latest first, and where the next page starts.

    Archived and forgotten ones too.
    """
    rows = _told(of_point(user=user, point=log.point))
    found = page(rows, field="at", after=after, size=size, at=lambda row: row.at, down=True)
    return [observed(log, choice) for choice in found.rows], found.next


def evidence(*, user: User, log: Log, ids: Sequence[str]) -> list[Observed]:
    """The newest choices that a recommendation rests on, with the way to where they were made."""
    rows = _told(of_point(user=user, point=log.point)).filter(pk__in=ids[:EVIDENCE])
    return [observed(log, choice) for choice in rows.order_by("-at")]


def drawn(*, user: User, point: DecisionPoint) -> list[Choice]:
    """What the picture shows, the oldest first."""
    return list(of_point(user=user, point=point).order_by("-at", "-pk")[:DRAWN])[::-1]


def observed(log: Log, choice: Choice) -> Observed:
    turn = vars(choice).get("turn")
    address = ""
    if choice.session_id and turn:
        address = f"{reverse('session', args=[choice.session_id])}?start={turn}"
    return Observed(
        choice=choice,
        labels=[log.label(key) for key in log.chosen(choice)],
        marked=log.label(choice.marked),
        context=[(str(name), str(value)) for name, value in choice.context.items()],
        weight=weight_of(log, choice),
        gone=gone(log, choice),
        address=address,
    )


def weight_of(log: Log, choice: Choice) -> float:
    """What it is worth today in p (design section 5)."""
    days = max((log.now - choice.at) / DAY, 0.0)
    return exp(-log.numbers.decay_rate * days) * factor_of(log, choice)


def factor_of(log: Log, choice: Choice) -> float:
    return log.numbers.follow_weight if choice.followed else 1.0


def is_archived(log: Log, choice: Choice) -> bool:
    """The nightly mark may be late: the age decides."""
    return choice.archived_at is not None or choice.at <= log.now - log.numbers.archive_after


def gone(log: Log, choice: Choice) -> str:
    if choice.reset_id is not None:
        return _("forgotten")
    if is_archived(log, choice):
        return _("archived: older than %(days)s days") % {"days": log.numbers.archive_days}
    return ""


def given(*, user: User, point: DecisionPoint) -> list[Recommendation]:
    return list(Recommendation.objects.visible_to(user).filter(point=point).order_by("-issued_at")[:GIVEN])


def fates(*, user: User, point: DecisionPoint) -> dict[str, int]:
    """How many were followed, overridden, and settled without asking."""
    rows = Recommendation.objects.visible_to(user).filter(point=point)
    return rows.aggregate(
        followed=Count("pk", filter=Q(fate="followed")),
        overridden=Count("pk", filter=Q(fate="overridden")),
        resolved=Count("pk", filter=Q(action="resolve")),
    )


def settled(*, user: User, after: Cursor | None, size: int = PAGE) -> Page[Recommendation]:
    """What was settled without asking, anywhere, the latest first."""
    rows = Recommendation.objects.visible_to(user).resolved()
    return page(rows, field="issued_at", after=after, size=size, at=lambda row: row.issued_at, down=True)


def recent_sessions(*, user: User, point: DecisionPoint) -> list[AgentSession]:
    """Where the question may come again soon: the latest open sessions of its workspace."""
    rows = AgentSession.objects.visible_to(user).filter(ended_at=None, workspace=point.workspace)
    return list(rows.order_by("-started_at")[:SESSIONS])


def muted(*, user: User, sessions: Sequence[AgentSession]) -> set[uuid.UUID]:
    return set(
        Mute.objects.visible_to(user).filter(session__in=sessions).values_list("session_id", flat=True)
    )


def resets(*, user: User, point: DecisionPoint) -> list[Preference]:
    """Live resets that took choices of this question out of the sums."""
    rows = Preference.objects.visible_to(user).live().filter(kind="reset", choices__point=point)
    return list(rows.distinct().order_by("-at"))


def other_points(*, user: User, point: DecisionPoint, most: int = 100) -> list[DecisionPoint]:
    """What it could be merged into: questions of the same workspace."""
    rows = (
        DecisionPoint.objects.visible_to(user).live().filter(workspace=point.workspace).exclude(pk=point.pk)
    )
    return list(rows.order_by("-last_choice_at")[:most])


@dataclass(frozen=True)
class Reach:
    """How far forgetting would reach: how many choices that count today, of how many questions."""

    reach: str
    choices: int
    points: int
    point: DecisionPoint | None = None
    category: str = ""


def reaches(*, user: User, point: DecisionPoint | None, now: datetime) -> list[Reach]:
    """One question and its category when one is named, and everything."""
    counted = Choice.objects.visible_to(user).counted(now).exclude(point=None)

    def reach(rows: ChoiceQuerySet, word: str, **more: object) -> Reach:
        sums = rows.aggregate(choices=Count("pk"), points=Count("point", distinct=True))
        return Reach(word, sums["choices"], sums["points"], **more)  # type: ignore[arg-type]

    found = [reach(counted, "all")]
    if point is not None:
        category = point.effective_category
        same = Q(point__category_set=category) | Q(point__category_set="", point__category=category)
        found.insert(0, reach(counted.filter(same), "category", category=category))
        found.insert(0, reach(counted.filter(point=point), "point", point=point))
    return found
