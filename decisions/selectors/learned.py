"""What was learned about a person, question by question, for whoever acts on it (design section 7, ``preferences``)."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.models import AgentKey, Namespace
from core.text import sha256
from decisions.learning import OTHER, predict
from decisions.learning.types import OptionIn, Prediction, Question
from decisions.models import DecisionPoint, LearningSetting, Option
from decisions.models.point import PointQuerySet
from decisions.numbers import numbers
from decisions.selectors.aliases import aliases_of
from decisions.selectors.known import preferred_of
from decisions.selectors.points import in_category
from decisions.selectors.tables import Counted, counted_elsewhere, counted_here

MOST = 200  # points in one answer, the latest choice first


@dataclass(frozen=True)
class Learned:
    """One recurring question: what is usually chosen. ``preferred``: the option key set by hand."""

    point: DecisionPoint
    prediction: Prediction
    options: tuple[Option, ...]
    preferred: str | None

    def label(self, key: str | None) -> str | None:
        labels = {OTHER: OTHER} | {option.key: option.label for option in self.options}
        return labels.get(key, key) if key else None


def learned_for(*, key: AgentKey, category: str, now: datetime) -> tuple[list[Learned], int]:
    """Of the key's person, in what the key reaches and what is not paused; and how many points were left out.

    ``category`` empty: all of them.
    """
    points = _reached(DecisionPoint.objects.visible_to(key.user).live(), key)
    if category:
        points = in_category(points, category)
    points = points.exclude(last_choice_at=None).select_related("workspace__owner")
    found = list(points.order_by("-last_choice_at", "-pk")[:MOST])
    left_out = points.count() - len(found) if len(found) == MOST else 0
    reach = None
    if key.reach == AgentKey.REACH_LIST:
        reach = list(Namespace.objects.reachable_by(key).values_list("pk", flat=True))
    return learned(user_id=key.user_id, points=found, now=now, reach=reach), left_out


def learned(
    *,
    user_id: int,
    points: Sequence[DecisionPoint],
    now: datetime,
    reach: Collection[uuid.UUID] | None = None,
) -> list[Learned]:
    """What all sessions say about these points of the person, in six queries however many there are.

    ``reach``: as in ``counted_elsewhere``.
    """
    own = LearningSetting.objects.filter(user_id=user_id, workspace=None).values_list("decay_rate", flat=True)
    settings = numbers(own.first())
    ids = [point.pk for point in points]
    counted = counted_here(user_id=user_id, point_ids=ids, now=now, numbers=settings)
    elsewhere = counted_elsewhere(
        user_id=user_id,
        wanted={str(point.pk): (sha256(point.template), point.workspace_id) for point in points},
        reach=reach,
        now=now,
        numbers=settings,
    )
    nothing = Counted(now, settings)
    aliases, preferred = aliases_of(ids), preferred_of(user_id=user_id, point_ids=ids)
    options: dict[uuid.UUID, list[Option]] = {pk: [] for pk in ids}
    for option in Option.objects.filter(point_id__in=ids, alias_of=None).order_by("pk"):
        options[option.point_id].append(option)
    return [
        Learned(
            point=point,
            prediction=predict(
                _question(point, options[point.pk]),
                counted.get(point.pk, nothing).table(aliases.get(point.pk, _NONE)),
                now=now,
                elsewhere=elsewhere.get(str(point.pk), nothing).table(aliases.get(point.pk, _NONE)),
                settings=settings,
            ),
            options=tuple(options[point.pk]),
            # What was set may have become another name since.
            preferred=aliases.get(point.pk, _NONE).get(preferred.get(point.pk, ""), preferred.get(point.pk)),
        )
        for point in points
    ]


_NONE: Mapping[str, str] = {}


def _question(point: DecisionPoint, options: Sequence[Option]) -> Question:
    """With every option that was ever offered there."""
    return Question(
        text=point.question,
        options=tuple(OptionIn(option.label, option.description) for option in options),
        header=point.header,
        multi=point.multi,
        category=point.effective_category,
    )


def _reached(points: PointQuerySet, key: AgentKey) -> PointQuerySet:
    """A key with a list reads what was chosen in those workspaces; outside of any, only with a persona in its list."""
    points = points.filter(workspace__paused_at=None)
    if key.reach != AgentKey.REACH_LIST:
        return points
    reached = Namespace.objects.reachable_by(key)
    inside = points.filter(workspace__in=reached)
    return (
        inside | points.filter(workspace=None) if reached.filter(type=Namespace.PERSONA).exists() else inside
    )
