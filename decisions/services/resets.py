"""Forget what was learned, at one point, in a category or everywhere, and take it back (design section 5, "Recovery").

Nothing is deleted: the choices stay visible, but out of the sums.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Invalid, NotFound
from decisions.learning.types import CATEGORIES
from decisions.models import Choice, DecisionPoint, Preference
from decisions.selectors.own import point_of
from decisions.selectors.points import in_category
from decisions.services.notes import note


@dataclass(frozen=True)
class Reset:
    """The reset, and how many choices it took out of the sums."""

    preference: Preference
    choices: int


@transaction.atomic
def reset_point(*, user: User, point_id: uuid.UUID, now: datetime) -> Reset:
    """Start again with one question. Raises NotFound."""
    return _reset(user, now, point=point_of(user=user, point_id=point_id, lock=True))


@transaction.atomic
def reset_category(*, user: User, category: str, now: datetime) -> Reset:
    """Start again with all questions of a category, as a person sees it. Raises Invalid."""
    if category not in CATEGORIES:
        raise Invalid(
            _("There is no such category."), code="unknown_category", field="category", allowed=[*CATEGORIES]
        )
    return _reset(user, now, category=category)


@transaction.atomic
def reset_all(*, user: User, now: datetime) -> Reset:
    """Start again with everything."""
    return _reset(user, now)


@transaction.atomic
def reset_undo(*, user: User, preference_id: uuid.UUID, now: datetime) -> int:
    """Count again what a reset took out; returns how many choices. Raises NotFound, also when it was undone already."""
    resets = Preference.objects.visible_to(user).live().filter(pk=preference_id, kind="reset")
    if not resets.update(withdrawn_at=now):
        raise NotFound(_("There is no such reset to take back."), code="reset_not_found")
    back = Choice.objects.visible_to(user).filter(reset_id=preference_id).update(reset=None)
    note(
        user=user,
        verb="choice.reset_undo",
        object_type="reset",
        object_id=preference_id,
        now=now,
        choices=back,
    )
    return back


def _reset(user: User, now: datetime, point: DecisionPoint | None = None, category: str = "") -> Reset:
    made = Preference.objects.create(user=user, kind="reset", point=point, category=category, at=now)
    choices = Choice.objects.visible_to(user).observed().filter(reset=None, at__lte=now)
    if point is not None:
        choices = choices.filter(point=point)
    elif category:
        points = in_category(DecisionPoint.objects.visible_to(user), category)
        choices = choices.filter(point__in=points.values("pk"))
    gone = choices.update(reset=made)
    note(
        user=user,
        verb="choice.reset",
        object_type="point" if point else "person",
        object_id=point.pk if point else user.pk,
        now=now,
        reset=str(made.pk),
        category=category,
        choices=gone,
    )
    return Reset(made, gone)
