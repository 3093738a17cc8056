"""One way to change a state: a conditional UPDATE that says "still as you saw it" (design section 1, rule 4)."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.translation import gettext as _

from core.actor import Actor
from core.errors import Conflict, Forbidden, NotFound
from core.locks import lock
from core.models import AuditEvent
from core.services import audit
from core.text import sha256
from memory.models import Candidate, Memory


def candidate_for_review(*, candidate_id: uuid.UUID, user: User) -> Candidate:
    """The candidate, if this person may decide about it. A stranger learns nothing; a reader may only look."""
    found = Candidate.objects.reviewable_by(user).select_related("namespace").filter(pk=candidate_id).first()
    if found is not None:
        return found
    if Candidate.objects.visible_to(user).filter(pk=candidate_id).exists():
        raise Forbidden(_("Readers of a namespace cannot decide. Ask an owner for the reviewer role."))
    raise NotFound(_("There is no such candidate."))


def memory_for_review(*, memory_id: uuid.UUID, user: User) -> Memory:
    """The memory, if this person may change it."""
    found = Memory.objects.reviewable_by(user).select_related("namespace").filter(pk=memory_id).first()
    if found is not None:
        return found
    if Memory.objects.visible_to(user).filter(pk=memory_id).exists():
        raise Forbidden(
            _("Readers of a namespace cannot change memories. Ask an owner for the reviewer role.")
        )
    raise NotFound(_("There is no such memory."))


def gates_lock(candidate_ids: Collection[uuid.UUID], *, also: Collection[uuid.UUID] = ()) -> None:
    """Take the gates of these candidates' namespaces, and those of the namespaces in ``also``, at once.

    A transaction that changes several candidates calls this first. One gate after the other, in the order of a list,
    would let two people who decide in two orders wait for each other.
    """
    homes = Candidate.objects.filter(pk__in=candidate_ids).values_list("namespace_id", flat=True)
    lock(*(f"gate:{namespace_id}" for namespace_id in {*homes, *also}))


def change(
    row: Candidate | Memory,
    *,
    version: int,
    allowed: Sequence[str],
    verb: str,
    actor: Actor,
    now: datetime,
    group: uuid.UUID | None = None,
    data: dict[str, Any] | None = None,
    **fields: Any,
) -> None:
    """Apply ``fields`` if the row still has ``version`` and an allowed status; else raise Conflict.

    Writes the audit event in the same transaction and refreshes ``row``.
    """
    before, text_before = row.status, row.content
    rows = type(row)._default_manager.filter(pk=row.pk, version=version, status__in=allowed)
    try:
        with transaction.atomic():
            changed = rows.update(version=F("version") + 1, **fields)
    except IntegrityError as error:
        raise Conflict(
            _("The same text already waits in this namespace."), code="equal_waits", field="content"
        ) from error
    if not changed:
        raise already_decided(row)
    row.refresh_from_db()
    details = dict(data or {})
    details["sha256"] = sha256(text_before)
    if row.content != text_before:
        details["sha256_after"] = sha256(row.content)
    audit.record(
        stream=audit.stream_of(row.namespace_id),
        verb=verb,
        actor=actor,
        object_type=row._meta.model_name or "",
        object_id=row.pk,
        from_state=before,
        to_state=row.status,
        group=group,
        data=details,
        now=now,
    )


def already_decided(row: Candidate | Memory) -> Conflict:
    """Who did what, when: so that the loser of a race can be told (review-ux line 8)."""
    row.refresh_from_db()
    last = (
        AuditEvent.objects.filter(object_type=row._meta.model_name, object_id=str(row.pk))
        .order_by("-id")
        .first()
    )
    by = last.actor_label if last else ""
    message = _("Somebody else was faster: it is now %(status)s (%(who)s).") % {
        "status": row.get_status_display(),
        "who": by or _("unknown"),
    }
    return Conflict(
        message,
        code="already_decided",
        status=row.status,
        by=by,
        at=last.at.isoformat() if last else None,
        version=row.version,
    )
