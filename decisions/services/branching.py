"""Choices follow the sessions that a new workspace takes along (design section 2)."""

from __future__ import annotations

import uuid
from collections.abc import Collection

from core.ids import new_id
from core.models import Namespace
from decisions.models import Choice, DecisionPoint, Option, Preference, Recommendation, Wording
from decisions.services.asks import last_choice_refresh
from decisions.services.points import points_lock


def choices_branch(*, session_ids: Collection[uuid.UUID], source: Namespace, target: Namespace) -> int:
    """What was chosen in these sessions, every person's own, moves to ``target``. Inside the caller's transaction.

    A question that was asked in them alone moves as it is; one that the source keeps too is begun there with the same
    name, category, options and wish. How many choices moved.
    """
    moved = Choice.objects.filter(session__in=session_ids, point__workspace=source)
    touched = DecisionPoint.objects.filter(workspace=source, choices__in=moved)
    points = list(touched.select_related("user").distinct().order_by("pk"))
    for user_id in sorted({point.user_id for point in points}):
        points_lock(user_id)
    count = 0
    for point in points:
        going = Choice.objects.filter(point=point, session__in=session_ids)
        count += going.count()
        if Choice.objects.filter(point=point).exclude(pk__in=going.values("pk")).exists():
            _begin(point, session_ids, target)
        else:
            DecisionPoint.objects.filter(pk=point.pk).update(workspace=target)
            DecisionPoint.objects.filter(merged_into=point).update(workspace=target)
            Wording.objects.filter(point=point).update(workspace=target)
    return count


def _begin(point: DecisionPoint, session_ids: Collection[uuid.UUID], target: Namespace) -> None:
    """The same question in ``target``, with the choices of these sessions."""
    going = Choice.objects.filter(point=point, session__in=session_ids)
    wordings = list(Wording.objects.filter(pk__in=going.values("wording")).order_by("pk"))
    old, new = point.pk, point
    new.pk, new.workspace, new.last_choice_at, new.version = new_id(), target, None, 1
    new.save(force_insert=True)
    copies = options_copy(old, new)
    for wish in Preference.objects.filter(point=old, kind="preferred", withdrawn_at=None):
        Preference.objects.create(
            user_id=wish.user_id, kind="preferred", point=new, option=copies[wish.option_id or 0], at=wish.at
        )
    for wording in wordings:
        was = wording.pk
        wording.pk, wording.point, wording.workspace = None, new, target
        wording.save(force_insert=True)
        Choice.objects.filter(wording=was, session__in=session_ids).update(point=new, wording=wording)
    Recommendation.objects.filter(point=old, session__in=session_ids).update(point=new)
    last_choice_refresh([old, new.pk])


def options_copy(source: uuid.UUID, target: DecisionPoint) -> dict[int, Option]:
    """Every option of a point for another one, other names of theirs too; by the id of the original."""
    rows = list(Option.objects.filter(point=source).order_by("pk"))
    copies: dict[int, Option] = {}
    for option in sorted(
        rows, key=lambda each: each.alias_of_id is not None
    ):  # what they are names of comes first
        copies[option.pk] = Option.objects.create(
            point=target,
            key=option.key,
            label=option.label,
            description=option.description,
            alias_of=copies[option.alias_of_id] if option.alias_of_id else None,
        )
    return copies
