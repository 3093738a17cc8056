"""What a person says about what was learned, by hand (design section 5, "Recovery")."""

from __future__ import annotations

import uuid
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from core.errors import Conflict, Invalid
from decisions.learning.labels import option_key
from decisions.models import DecisionPoint, Mute, Preference, Recommendation
from decisions.selectors.own import point_of, recommendation_of, session_of
from decisions.services.notes import note


@transaction.atomic
def preferred_set(
    *, user: User, point_id: uuid.UUID, option: str, now: datetime, version: int | None = None
) -> Preference:
    """Recommend this option whatever was learned, until it is taken back; it replaces an earlier one.

    ``option`` is a label or key of the point; another name of an option stands for that option. ``version``: as the
    person saw the point. Raises NotFound, Invalid (``unknown_option``), Conflict (``changed_since``).
    """
    point = _touched(user, point_id, version)
    options = {each.key: each for each in point.options.select_related("alias_of")}
    found = options.get(option_key(option))
    if found is None:
        raise Invalid(
            _("This question has no such option."),
            code="unknown_option",
            field="option",
            allowed=[each.label for each in options.values() if each.alias_of is None],
        )
    _withdraw(point, now)
    preference = Preference.objects.create(
        user=user, kind="preferred", point=point, option=found.alias_of or found, at=now
    )
    note(user=user, verb="choice.prefer", object_type="point", object_id=point.pk, now=now, option=found.pk)
    return preference


@transaction.atomic
def preferred_clear(*, user: User, point_id: uuid.UUID, now: datetime, version: int | None = None) -> bool:
    """Let the choices speak again. False: no option was preferred. Raises NotFound, Conflict."""
    point = _touched(user, point_id, version)
    if not _withdraw(point, now):
        return False
    note(user=user, verb="choice.prefer_none", object_type="point", object_id=point.pk, now=now)
    return True


@transaction.atomic
def always_ask_set(
    *, user: User, point_id: uuid.UUID, on: bool, now: datetime, version: int | None = None
) -> DecisionPoint:
    """Never settle this question without asking, or let it be settled again. Raises NotFound, Conflict."""
    point = _touched(user, point_id, version)
    if point.always_ask != on:
        point.always_ask = on
        point.save(update_fields=["always_ask"])
        state = ("may_resolve", "always_ask")
        note(
            user=user,
            verb="choice.always_ask",
            object_type="point",
            object_id=point.pk,
            now=now,
            from_state=state[not on],
            to_state=state[on],
        )
    return point


@transaction.atomic
def ask_next_time(*, user: User, recommendation_id: uuid.UUID, now: datetime) -> Recommendation:
    """What was settled without asking is to be asked from now on. Repeating it changes nothing. Raises NotFound.

    Raises Invalid (``not_resolved``) for a question that was asked anyway.
    """
    found = recommendation_of(user=user, recommendation_id=recommendation_id)
    if found.action != "resolve":
        raise Invalid(_("This question was not settled without asking."), code="not_resolved")
    rows = Recommendation.objects.visible_to(user).filter(pk=found.pk, contested_at=None)
    if rows.update(contested_at=now) and found.point_id is not None:
        always_ask_set(user=user, point_id=found.point_id, on=True, now=now)
    found.refresh_from_db(fields=["contested_at"])
    return found


@transaction.atomic
def session_mute(*, user: User, session_id: uuid.UUID, now: datetime) -> bool:
    """No recommendations in this session. False: it was muted already. Raises NotFound."""
    session = session_of(user=user, session_id=session_id)
    _row, created = Mute.objects.visible_to(user).get_or_create(
        session=session, defaults={"user": user, "at": now}
    )
    if created:
        note(user=user, verb="choice.mute", object_type="session", object_id=session.pk, now=now)
    return created


@transaction.atomic
def session_unmute(*, user: User, session_id: uuid.UUID, now: datetime) -> bool:
    """Recommendations again. False: it was not muted. Raises NotFound."""
    session = session_of(user=user, session_id=session_id)
    gone, _rows = Mute.objects.visible_to(user).filter(session=session).delete()
    if gone:
        note(user=user, verb="choice.unmute", object_type="session", object_id=session.pk, now=now)
    return bool(gone)


def _touched(user: User, point_id: uuid.UUID, version: int | None) -> DecisionPoint:
    """The point, locked, one version on. Raises NotFound, Conflict when it is not as the person saw it."""
    point = point_of(user=user, point_id=point_id, lock=True)
    if version is not None and point.version != version:
        raise Conflict(
            _("This choice was changed meanwhile. Look at it again."),
            code="changed_since",
            version=point.version,
        )
    DecisionPoint.objects.visible_to(user).filter(pk=point.pk).update(version=F("version") + 1)
    point.version += 1
    return point


def _withdraw(point: DecisionPoint, now: datetime) -> int:
    live = Preference.objects.visible_to(point.user).live()
    return live.filter(point=point, kind="preferred").update(withdrawn_at=now)
