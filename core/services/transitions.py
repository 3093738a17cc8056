"""One way to change a state: a conditional UPDATE that says "still as you saw it" (design section 1, rule 4)."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from django.db import IntegrityError, models, transaction
from django.db.models import F
from django.utils.translation import gettext as _

from core.actor import Actor, Decider
from core.errors import Conflict, Forbidden, NotFound
from core.models import AuditEvent
from core.models.housed import HousedQuerySet
from core.services import audit

Row = TypeVar("Row", bound=models.Model)


def row_for_review(
    *, rows: HousedQuerySet[Row], pk: uuid.UUID, who: Decider, missing: str, reader: str
) -> Row:
    """The row, if this person may decide about it. A stranger hears that it is ``missing``, a reader why not."""
    found = rows.reviewable_by(who).select_related("namespace").filter(pk=pk).first()
    if found is not None:
        return found
    if rows.visible_to(who).filter(pk=pk).exists():
        raise Forbidden(reader)
    raise NotFound(missing)


def transition(
    row: Any,
    *,
    column: str,
    version: int,
    allowed: Sequence[str],
    verb: str,
    actor: Actor,
    now: datetime,
    group: uuid.UUID | None,
    equal: str,
    data: Callable[[], Mapping[str, Any]],
    fields: Mapping[str, Any],
) -> None:
    """Apply ``fields`` if the row still has ``version`` and an allowed state in ``column``.

    Refreshes ``row`` and writes the audit event, with the ``data`` that are right after the change, in the same
    transaction. Raises Conflict: ``already_decided``, or ``equal_waits`` with the sentence ``equal`` where the change
    would make it a second one of something that the database holds to be one.
    """
    before = getattr(row, column)
    rows = type(row)._default_manager.filter(pk=row.pk, version=version, **{f"{column}__in": allowed})
    try:
        with transaction.atomic():
            changed = rows.update(version=F("version") + 1, **fields)
    except IntegrityError as error:
        raise Conflict(equal, code="equal_waits", field="content") from error
    row.refresh_from_db()
    if not changed:
        raise _already_decided(row, column)
    audit.record(
        stream=audit.stream_of(row.namespace_id),
        verb=verb,
        actor=actor,
        object_type=row._meta.model_name or "",
        object_id=row.pk,
        from_state=before,
        to_state=getattr(row, column),
        group=group,
        data=data(),
        now=now,
    )


def _already_decided(row: Any, column: str) -> Conflict:
    """Who did what, when: so that the loser of a race can be told (review-ux line 8)."""
    events = AuditEvent.objects.filter(object_type=row._meta.model_name, object_id=str(row.pk))
    last = events.order_by("-id").first()
    by = last.actor_label if last else ""
    message = _("Somebody else was faster: it is now %(status)s (%(who)s).") % {
        "status": getattr(row, f"get_{column}_display")(),
        "who": by or _("unknown"),
    }
    return Conflict(
        message,
        code="already_decided",
        status=getattr(row, column),
        by=by,
        at=last.at.isoformat() if last else None,
        version=row.version,
    )
