"""The summary of a namespace: written by a person, or by a proposal that a person accepted (design section 6)."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from core import text
from core.actor import Actor, Decider, account_of
from core.allowed import characters
from core.errors import Conflict, Invalid
from core.locks import lock
from core.redact import redact
from core.services import audit
from knowledge.models import Summary
from knowledge.notes.fields import MAX_SUMMARY
from knowledge.notes.files import read_summary
from knowledge.services.notes import home_for_review


@transaction.atomic
def summary_write(
    *,
    namespace_id: uuid.UUID,
    version: int,
    user: Decider,
    body: str,
    now: datetime,
    group: uuid.UUID | None = None,
) -> Summary:
    """Write it as a whole; an empty body says nothing to sessions. ``version`` is the one seen, 0 for none yet.

    Front matter is left out. Raises Invalid (``body``), Conflict (``changed``), NotFound, Forbidden, Paused.
    """
    home = home_for_review(namespace_id=namespace_id, user=user)
    safe = redact(read_summary(body)).text
    if len(safe) > MAX_SUMMARY:
        raise Invalid(
            _("The summary is too long: it is what every session starts with."),
            code="too_long",
            field="body",
            allowed=characters(0, MAX_SUMMARY),
        )
    lock(f"knowledge:{home.pk}")
    found = Summary.objects.filter(namespace=home).first()
    if (found.version if found else 0) != version:
        raise Conflict(
            _("The summary was changed meanwhile. Look at it again."),
            code="changed",
            version=found.version if found else 0,
        )
    if found is None:
        found = Summary.objects.create(
            namespace=home, body=safe, changed_by=account_of(user).get_username(), changed_at=now
        )
    else:
        Summary.objects.filter(pk=found.pk).update(
            body=safe, version=F("version") + 1, changed_by=account_of(user).get_username(), changed_at=now
        )
        found.refresh_from_db()
    audit.record(
        stream=audit.stream_of(home.pk),
        verb="summary.written",
        actor=Actor.of(user),
        object_type="summary",
        object_id=found.pk,
        group=group,
        data={"version": found.version, "sha256": text.sha256(safe)},
        now=now,
    )
    return found


def summary_lines_set(*, summary: Summary, lines: Sequence[Mapping[str, Any]], undo: bool = False) -> None:
    """Which of its lines came from which memory; inside the transaction that wrote it.

    One that the new text no longer holds is kept on the list: a person took it out, and it must not come back. Not
    so in an ``undo``, which brings the former list back as it was.
    """
    named = {each["id"] for each in lines}
    kept = [] if undo else [each for each in summary.lines if each["id"] not in named]
    Summary.objects.filter(pk=summary.pk).update(lines=[*kept, *lines])
    summary.lines = [*kept, *lines]
