"""Merge and split decision points: a person's word on what is the same question (design section 5)."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from core.actor import Operator
from core.errors import Conflict, Invalid
from decisions.models import Choice, DecisionPoint, Joined, Option, Preference, Recommendation, Wording
from decisions.services.arranging import point_change, point_own
from decisions.services.asks import last_choice_refresh
from decisions.services.notes import note
from decisions.services.points import point_show, points_lock


@transaction.atomic
def point_merge(
    *,
    source_id: uuid.UUID,
    target_id: uuid.UUID,
    version: int,
    user: User,
    now: datetime,
    by: Operator | None = None,
) -> DecisionPoint:
    """Make ``source`` (seen at ``version``) part of ``target``, with all it has. A split is the way back.

    ``user`` is whose points they are, ``by`` an operator who does it for them. Raises NotFound, Invalid (``target``:
    another point of the same workspace), Conflict (``changed_since``).
    """
    points_lock(user.pk)
    source = point_own(point_id=source_id, user=user)
    target = point_own(point_id=target_id, user=user)
    if source.pk == target.pk or source.workspace_id != target.workspace_id:
        raise Invalid(_("Choose another question of the same workspace."), field="target")
    if source.version != version:
        raise Conflict(
            _("This question was changed meanwhile. Look again, then repeat what you wanted."),
            code="changed_since",
            version=source.version,
        )
    point_fold(source=source, target=target, joined=Joined.PERSON)
    note(
        user=user,
        verb="choice.merge",
        object_type="point",
        object_id=source.pk,
        now=now,
        from_state="live",
        to_state="merged",
        by=by,
        into=str(target.pk),
    )
    target.refresh_from_db()
    return target


def point_fold(*, source: DecisionPoint, target: DecisionPoint, joined: Joined | None) -> None:
    """The moving itself, inside the caller's transaction and lock."""
    moved = {"joined": joined} if joined else {}
    Wording.objects.filter(point=source).update(point=target, **moved)
    Choice.objects.filter(point=source).update(point=target)
    Recommendation.objects.filter(point=source).update(point=target)
    _options_fold(source, target)
    Preference.objects.filter(point=source, kind="reset").update(point=target)
    DecisionPoint.objects.filter(merged_into=source).update(merged_into=target)
    DecisionPoint.objects.filter(pk=source.pk).update(
        merged_into=target, version=F("version") + 1, last_choice_at=None
    )
    # What a person wants asked stays asked.
    DecisionPoint.objects.filter(pk=target.pk).update(
        version=F("version") + 1, always_ask=target.always_ask or source.always_ask
    )
    last_choice_refresh([target.pk])


def _options_fold(source: DecisionPoint, target: DecisionPoint) -> None:
    """Options the target does not have move; of equal ones its own stays, and other names of the gone one follow it."""
    own = {option.key: option for option in Option.objects.filter(point=target)}
    gone: list[Option] = []
    for option in Option.objects.filter(point=source):
        kept = own.get(option.key)
        if kept is None:
            Option.objects.filter(pk=option.pk).update(point=target)
            continue
        main = kept.alias_of_id or kept.pk
        Option.objects.filter(alias_of=option).exclude(pk=main).update(alias_of=main)
        gone.append(option)
    # The target's preferred option speaks; the source's only where the target has none.
    has = Preference.objects.filter(point=target, kind="preferred", withdrawn_at=None).exists()
    for preference in Preference.objects.filter(point=source, kind="preferred").select_related("option"):
        if has or preference.withdrawn_at or preference.option is None:
            preference.delete()
            continue
        same = own.get(preference.option.key)
        Preference.objects.filter(pk=preference.pk).update(point=target, option=same or preference.option)
    Option.objects.filter(pk__in=[option.pk for option in gone]).delete()


@transaction.atomic
def point_split(
    *,
    point_id: uuid.UUID,
    version: int,
    user: User,
    wording_ids: Collection[int],
    now: datetime,
    by: Operator | None = None,
) -> DecisionPoint:
    """Make a new point of some of a point's wordings, with their choices; equal questions go there from now on.

    ``by``: as in ``point_merge``. At least one wording stays. Raises NotFound, Invalid (``wordings``), Conflict
    (``changed_since``).
    """
    points_lock(user.pk)
    point = point_own(point_id=point_id, user=user)
    wordings = list(Wording.objects.filter(point=point).order_by("pk"))
    moved = [each for each in wordings if each.pk in set(wording_ids)]
    if not moved or len(moved) != len(set(wording_ids)) or len(moved) == len(wordings):
        raise Invalid(
            _("Choose at least one wording of this question, and leave at least one."), field="wordings"
        )
    first = moved[0]
    new = DecisionPoint.objects.create(
        user=user,
        workspace_id=point.workspace_id,
        question=first.question,
        header=point.header,
        template=first.template,
        multi=point.multi,
        category=first.category,
        category_set=point.category_set,
        always_ask=point.always_ask,
        first_seen_at=now,
    )
    _options_copy(point, new, {key for each in moved for key in each.options})
    ids = [each.pk for each in moved]
    Wording.objects.filter(pk__in=ids).update(point=new, joined=Joined.PERSON)
    Choice.objects.filter(wording__in=ids).update(point=new)
    Recommendation.objects.filter(point=point, signature__in=[each.signature for each in moved]).update(
        point=new
    )
    stay = [each for each in wordings if each.pk not in ids]
    if point.question not in {each.question for each in stay}:  # two questions must not look the same
        point_show(point, stay[0])
    data = {"into": str(new.pk), "wordings": ids}
    point_change(point=point, version=version, user=user, verb="choice.split", now=now, data=data, by=by)
    last_choice_refresh([point.pk, new.pk])
    new.refresh_from_db()
    return new


def _options_copy(point: DecisionPoint, new: DecisionPoint, keys: set[str]) -> None:
    """The options of the moved wordings, and what they are other names of."""
    rows = {option.pk: option for option in Option.objects.filter(point=point)}
    wanted = [option for option in rows.values() if option.key in keys]
    targets = [rows[option.alias_of_id] for option in wanted if option.alias_of_id]
    copies: dict[int, Option] = {}
    for option in [*targets, *wanted]:
        if option.pk not in copies:
            copies[option.pk] = Option.objects.create(
                point=new,
                key=option.key,
                label=option.label,
                description=option.description,
                alias_of=copies[option.alias_of_id] if option.alias_of_id else None,
            )
