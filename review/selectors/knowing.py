"""The log of a question as ``decisions.learning`` reads it, for many questions in a few queries."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from core.text import sha256
from decisions.learning.advise import advise
from decisions.learning.predict import predict
from decisions.learning.table import Table
from decisions.learning.types import (
    OTHER,
    Advice,
    Lang,
    OptionIn,
    Policy,
    Prediction,
    Question,
    Settings,
)
from decisions.models import Choice, DecisionPoint, LearningSetting, Option, Preference, Recommendation
from decisions.numbers import numbers
from decisions.selectors.tables import Counted, counted_elsewhere, counted_here
from transcripts.models import AgentSession, Message


@dataclass(frozen=True)
class Log:
    """What counts of one question, here and (the person prior) elsewhere. ``preferred`` is the option set by hand."""

    point: DecisionPoint
    now: datetime
    numbers: Settings
    here: Counted
    elsewhere: Counted
    options: Sequence[Option] = ()
    preferred: str | None = None
    alias: dict[str, str] = field(default_factory=dict)

    @cached_property
    def labels(self) -> dict[str, str]:
        return {option.key: option.label for option in self.options} | {OTHER: _("something else")}

    @property
    def question(self) -> Question:
        """As an agent would ask it, with every option it was ever offered with and no other names of them."""
        return Question(
            text=self.point.question,
            options=tuple(
                OptionIn(option.label, option.description)
                for option in self.options
                if option.alias_of_id is None
            ),
            header=self.point.header,
            multi=self.point.multi,
            category=self.point.effective_category,
        )

    def key(self, key: str) -> str:
        """The option that this one counts as."""
        return self.alias.get(key, key)

    def label(self, key: str | None) -> str:
        return self.labels.get(key, key) if key else ""

    def chosen(self, choice: Choice) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.key(key) for key in choice.chosen))

    @cached_property
    def table(self) -> Table:
        """What counts here, the oldest first."""
        return self.here.table(self.alias)

    def last(self, most: int) -> list[tuple[str, ...]]:
        """What was chosen by the latest choices, the oldest of them first."""
        return [self.table.sets[code] for code in self.table.single().code[-most:]]

    def known(self) -> Prediction:
        """What all sessions say: a page belongs to none."""
        return predict(
            self.question,
            self.table,
            now=self.now,
            elsewhere=self.elsewhere.table(self.alias),
            settings=self.numbers,
        )

    def usual(self, known: Prediction) -> tuple[str | None, float]:
        """What is picked most and its share, also while there are too few choices to recommend anything."""
        if known.state != "static":
            return known.leader, known.share
        wide = next(view for view in known.layers if view.layer == "L2")
        return wide.leader, wide.share


def numbers_of(*, user: User) -> Settings:
    """The numbers of this installation with the person's own rate."""
    own = LearningSetting.objects.visible_to(user).filter(workspace=None).first()
    return numbers(own.decay_rate if own else None)


def logs_of(
    *, user: User, points: Sequence[DecisionPoint], numbers: Settings, now: datetime
) -> dict[uuid.UUID, Log]:
    """A log for each of these questions of the person."""
    ids = [point.pk for point in points]
    options: dict[uuid.UUID, list[Option]] = {pk: [] for pk in ids}
    for option in Option.objects.filter(point__in=ids).select_related("alias_of").order_by("pk"):
        options[option.point_id].append(option)
    here = counted_here(user_id=user.pk, point_ids=ids, now=now, numbers=numbers)
    elsewhere = counted_elsewhere(
        user_id=user.pk,
        wanted={str(point.pk): (sha256(point.template), point.workspace_id) for point in points},
        reach=None,
        now=now,
        numbers=numbers,
    )
    nothing = Counted(now, numbers)
    wishes = Preference.objects.visible_to(user).live().filter(kind="preferred", point__in=ids)
    # What was set may have become another name of an option since: that one is meant.
    preferred = {
        wish.point_id: (wish.option.alias_of or wish.option).key
        for wish in wishes.select_related("option__alias_of")
        if wish.option
    }
    return {
        point.pk: Log(
            point=point,
            now=now,
            numbers=numbers,
            here=here.get(point.pk, nothing),
            elsewhere=elsewhere.get(str(point.pk), nothing),
            options=options[point.pk],
            preferred=preferred.get(point.pk),
            alias={each.key: each.alias_of.key for each in options[point.pk] if each.alias_of},
        )
        for point in points
    }


def advice_of(*, user: User, log: Log, known: Prediction, lang: Lang) -> Advice | None:
    """What an agent would be told if it asked now, in a new session; None for a question that has lost its options."""
    if not log.question.options:
        return None
    point = log.point
    asked = Recommendation.objects.visible_to(user).filter(point=point)
    policy = Policy(
        sessions=sessions_of(user=user),
        labelled_before=asked.filter(Q(labelled=True) | Q(probe=True)).count(),
        resolve_allowed=resolve_allowed(user=user, workspace_id=point.workspace_id),
        always_ask=point.always_ask,
        preferred=log.preferred,
    )
    return advise(log.question, known, policy=policy, lang=lang, settings=log.numbers)


def sessions_of(*, user: User) -> int:
    """The person's sessions, in all workspaces, in which a person spoke; those that were purged since, too."""
    spoken = Message.objects.filter(session=OuterRef("pk"), origin="human")
    own = LearningSetting.objects.visible_to(user).filter(workspace=None)
    once = own.values_list("human_sessions", flat=True).first()
    return max(AgentSession.objects.visible_to(user).filter(Exists(spoken)).count(), once or 0)


def resolve_allowed(*, user: User, workspace_id: uuid.UUID | None) -> bool:
    """The workspace's own word goes before that of everywhere; without any it is allowed."""
    rows = LearningSetting.objects.visible_to(user).filter(Q(workspace=None) | Q(workspace=workspace_id))
    found = {row.workspace_id: row.resolve_allowed for row in rows}
    return found.get(workspace_id, found.get(None, True))
