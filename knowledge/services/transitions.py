"""One way to change a proposal's state: "still as you saw it", with its audit event (design section 1, rule 4)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.translation import gettext as _

from core.actor import Actor
from core.errors import Conflict, Forbidden, NotFound
from core.models import AuditEvent
from core.services import audit
from knowledge.models import Proposal


def proposal_for_review(*, proposal_id: uuid.UUID, user: User) -> Proposal:
    """The proposal, if this person may decide about it. A stranger learns nothing; a reader may only look."""
    found = Proposal.objects.reviewable_by(user).select_related("namespace").filter(pk=proposal_id).first()
    if found is not None:
        return found
    if Proposal.objects.visible_to(user).filter(pk=proposal_id).exists():
        raise Forbidden(_("Readers of a namespace cannot decide. Ask an owner for the reviewer role."))
    raise NotFound(_("There is no such proposal."))


def change(
    proposal: Proposal,
    *,
    version: int,
    allowed: Sequence[str],
    verb: str,
    actor: Actor,
    now: datetime,
    group: uuid.UUID | None = None,
    **fields: Any,
) -> None:
    """Apply ``fields`` if the row still has ``version`` and an allowed state; else raise Conflict."""
    before = proposal.state
    rows = Proposal.objects.filter(pk=proposal.pk, version=version, state__in=allowed)
    try:
        with transaction.atomic():
            changed = rows.update(version=F("version") + 1, **fields)
    except IntegrityError as error:
        raise Conflict(_("The same change is proposed already."), code="equal_waits") from error
    proposal.refresh_from_db()
    if not changed:
        raise _already_decided(proposal)
    audit.record(
        stream=audit.stream_of(proposal.namespace_id),
        verb=verb,
        actor=actor,
        object_type="proposal",
        object_id=proposal.pk,
        from_state=before,
        to_state=proposal.state,
        group=group,
        data={"kind": proposal.kind, "fingerprint": proposal.fingerprint},
        now=now,
    )


def _already_decided(proposal: Proposal) -> Conflict:
    events = AuditEvent.objects.filter(object_type="proposal", object_id=str(proposal.pk))
    last = events.order_by("-id").first()
    message = _("Somebody else was faster: it is now %(status)s (%(who)s).") % {
        "status": proposal.get_state_display(),
        "who": last.actor_label if last else _("unknown"),
    }
    return Conflict(
        message,
        code="already_decided",
        status=proposal.state,
        by=last.actor_label if last else "",
        at=last.at.isoformat() if last else None,
        version=proposal.version,
    )
