"""What an operator does in the admin, in a person's stead and with a reason: the services that the person uses."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from core.actor import Operator
from core.errors import Invalid, NotFound
from core.services.repairs import Item, Repaired, each
from decisions.models import DecisionPoint, Joined, Quarantine, Wording
from decisions.services.capture import quarantine_run
from decisions.services.merging import point_merge, point_split
from decisions.services.quarantine import quarantine_dismiss


def points_repair(
    *, operator: Operator, verb: str, items: Sequence[Item], now: datetime, code: str = ""
) -> Repaired:
    """``merge`` makes all of them part of the oldest; they must be one person's, of one workspace.

    ``split`` makes a point of its own of each wording that joined because it reads alike.
    """
    if verb == "split":
        return each(items=items, do=lambda item, _group: _split(item, operator, now))
    target = (
        DecisionPoint.objects.live()
        .filter(pk__in=[i.id for i in items])
        .order_by("first_seen_at", "pk")
        .first()
    )
    others = [item for item in items if target is None or item.id != target.pk]
    return each(items=others, do=lambda item, _group: _merge(item, target, operator, now))


def calls_repair(
    *, operator: Operator, verb: str, items: Sequence[Item], now: datetime, code: str = ""
) -> Repaired:
    """``run`` reads quarantined calls again, ``dismiss`` puts them away."""

    def do(item: Item, _group: uuid.UUID) -> None:
        row = Quarantine.objects.select_related("user").filter(pk=item.id).first()
        if row is None:
            raise NotFound(_("There is no such call."))
        if verb == "dismiss":
            quarantine_dismiss(quarantine_id=row.pk, user=row.user, now=now, by=operator)
            return
        captured = quarantine_run(quarantine_id=row.pk, user=row.user, now=now, by=operator)
        if captured.results and captured.results[0].outcome == "quarantined":
            raise Invalid(
                _("It is still not understood: %(reason)s.") % {"reason": captured.results[0].reason}
            )

    return each(items=items, do=do)


def _point(item: Item) -> DecisionPoint:
    found = DecisionPoint.objects.live().select_related("user").filter(pk=item.id).first()
    if found is None:
        raise NotFound(_("There is no such question."))
    return found


def _merge(item: Item, target: DecisionPoint | None, operator: Operator, now: datetime) -> None:
    source = _point(item)
    if target is None or target.user_id != source.user_id:
        raise Invalid(_("Choose questions of one person."), field="target")
    point_merge(
        source_id=source.pk,
        target_id=target.pk,
        version=item.version,
        user=source.user,
        now=now,
        by=operator,
    )


def _split(item: Item, operator: Operator, now: datetime) -> None:
    point, version = _point(item), item.version
    alike = Wording.objects.filter(point=point, joined=Joined.LIKENESS).order_by("pk")
    ids = list(alike.values_list("pk", flat=True))
    if not ids:
        raise Invalid(_("Nothing joined it by likeness."), field="wordings")
    for pk in ids:
        point_split(
            point_id=point.pk, version=version, user=point.user, wording_ids=[pk], now=now, by=operator
        )
        version += 1
