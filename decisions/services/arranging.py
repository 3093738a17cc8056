"""What a person says about a decision point: its name, its category, its options (design section 5)."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from core.actor import Operator
from core.errors import Conflict, Invalid, NotFound
from core.text import sha256
from decisions.learning.types import CATEGORIES
from decisions.models import DecisionPoint, Option
from decisions.services.notes import note
from decisions.services.points import points_lock

MAX_NAME_CHARS = 200


def point_own(*, point_id: uuid.UUID, user: User) -> DecisionPoint:
    """The person's own live point. Raises NotFound for another's, and for one that was merged away."""
    point = DecisionPoint.objects.visible_to(user).live().filter(pk=point_id).first()
    if point is None:
        raise NotFound(_("There is no such question."))
    return point


def point_change(
    *,
    point: DecisionPoint,
    version: int,
    user: User,
    verb: str,
    now: datetime,
    data: dict[str, Any],
    by: Operator | None = None,
    **fields: Any,
) -> DecisionPoint:
    """One conditional UPDATE with its audit event. Raises Conflict (``changed_since``) with the version there is."""
    rows = DecisionPoint.objects.visible_to(user).live().filter(pk=point.pk, version=version)
    if not rows.update(version=F("version") + 1, **fields):
        point.refresh_from_db()
        raise Conflict(
            _("This question was changed meanwhile. Look again, then repeat what you wanted."),
            code="changed_since",
            version=point.version,
        )
    note(user=user, verb=verb, object_type="point", object_id=point.pk, now=now, by=by, **data)
    point.refresh_from_db()
    return point


@transaction.atomic
def point_rename(*, point_id: uuid.UUID, version: int, user: User, name: str, now: datetime) -> DecisionPoint:
    """Give it a name of one's own; an empty one shows the question again. Raises NotFound, Invalid, Conflict."""
    point = point_own(point_id=point_id, user=user)
    name = " ".join(name.split())
    if len(name) > MAX_NAME_CHARS:
        raise Invalid(
            _("A name has at most %(most)d characters.") % {"most": MAX_NAME_CHARS},
            field="name",
            allowed={"max": MAX_NAME_CHARS},
        )
    data = {"sha256": sha256(point.name), "sha256_after": sha256(name)}
    return point_change(
        point=point, version=version, user=user, verb="choice.rename", now=now, data=data, name=name
    )


@transaction.atomic
def point_categorise(
    *, point_id: uuid.UUID, version: int, user: User, category: str, now: datetime
) -> DecisionPoint:
    """Correct the category; an empty one goes back to what the rules found. Raises NotFound, Invalid, Conflict."""
    point = point_own(point_id=point_id, user=user)
    if category not in ("", *CATEGORIES):
        raise Invalid(
            _("Unknown category. Choose one of %(all)s.") % {"all": ", ".join(CATEGORIES)},
            field="category",
            allowed=list(CATEGORIES),
        )
    data = {"before": point.effective_category, "after": category or point.category}
    return point_change(
        point=point,
        version=version,
        user=user,
        verb="choice.categorise",
        now=now,
        data=data,
        category_set=category,
    )


@transaction.atomic
def option_alias(
    *, point_id: uuid.UUID, version: int, user: User, option_id: int, alias_of_id: int | None, now: datetime
) -> DecisionPoint:
    """Let an option count as another one of its point; None takes that back. Nothing stored is rewritten.

    Names of the option become names of the target too. Raises NotFound, Invalid (``alias_of``), Conflict.
    """
    points_lock(user.pk)
    point = point_own(point_id=point_id, user=user)
    options = {option.pk: option for option in Option.objects.filter(point=point)}
    option, target = options.get(option_id), options.get(alias_of_id or 0)
    if option is None or (alias_of_id is not None and target is None):
        raise NotFound(_("There is no such option."))
    if target is not None and (target.pk == option.pk or target.alias_of_id is not None):
        raise Invalid(_("Choose another option that is no other name itself."), field="alias_of")
    data = {"option": option.pk, "alias_of": alias_of_id, "before": option.alias_of_id}
    changed = point_change(
        point=point, version=version, user=user, verb="choice.option_alias", now=now, data=data
    )
    Option.objects.filter(pk=option.pk).update(alias_of=target)
    if target is not None:
        Option.objects.filter(alias_of=option).update(alias_of=target)
    return changed
