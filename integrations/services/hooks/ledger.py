"""Each delivered event acts once (design section 7: replayed exactly once, in any order)."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from core.errors import Busy
from core.models import AgentKey
from integrations.hooks import limits
from integrations.hooks.envelope import Envelope
from integrations.hooks.events import Event
from integrations.models import HookEvent


def event_take(*, agent_key: AgentKey, event: Event, envelope: Envelope, now: datetime) -> HookEvent | None:
    """The row of an event that is to be handled now; None when it was handled before.

    Raises Busy while another delivery of the same event is at work: the plugin keeps it and comes again.
    """
    row, new = HookEvent.objects.get_or_create(
        user=agent_key.user,
        event_id=envelope.id,
        defaults={
            "agent_key": agent_key,
            "name": event.name,
            "session_key": event.session,
            "seq": envelope.seq,
            "plugin": envelope.plugin,
            "late": envelope.late,
            "at": envelope.at or now,
            "received_at": now,
            "lease_until": now + limits.LEASE,
        },
    )
    if new:
        return row
    if row.done_at is not None:
        return None
    free = HookEvent.objects.filter(pk=row.pk, done_at=None, lease_until__lte=now)
    if not free.update(lease_until=now + limits.LEASE, agent_key=agent_key, late=envelope.late):
        raise Busy(_("This event is being handled right now. Send it again in a moment."))
    return row


def event_done(*, row: HookEvent, note: str, now: datetime) -> None:
    HookEvent.objects.filter(pk=row.pk).update(done_at=now, note=note[:60])


def event_release(*, row: HookEvent, now: datetime) -> None:
    """It failed for a reason that may pass: the next delivery takes it at once."""
    HookEvent.objects.filter(pk=row.pk, done_at=None).update(lease_until=now)


def events_purge(*, now: datetime) -> int:
    """Forget events that no spool holds any more; returns how many."""
    before = now - timedelta(days=limits.LEDGER_DAYS)
    return HookEvent.objects.filter(received_at__lt=before).delete()[0]
