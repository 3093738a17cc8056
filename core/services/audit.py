"""Write audit events, chained (design section 4, "Who may decide")."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from core.actor import Actor
from core.hashing import keyed
from core.locks import lock
from core.models import AuditEvent

GENESIS = "0" * 64


def mac_of(event: AuditEvent, previous: str) -> str:
    """The chain value of a row: HMAC over its fields and the value before it."""
    fields = [
        previous,
        event.stream,
        event.seq,
        event.at.astimezone(UTC).isoformat(timespec="microseconds"),
        event.verb,
        event.actor_type,
        event.actor_id,
        event.actor_label,
        event.object_type,
        event.object_id,
        event.from_state,
        event.to_state,
        str(event.group or ""),
        event.data,
    ]
    return keyed("audit", json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":")))


def record(
    *,
    stream: str,
    verb: str,
    actor: Actor,
    object_type: str,
    object_id: object,
    now: datetime,
    from_state: str = "",
    to_state: str = "",
    group: uuid.UUID | None = None,
    data: Mapping[str, Any] | None = None,
) -> AuditEvent:
    """Append one event inside the caller's transaction.

    ``stream`` is ``ns:<namespace id>`` or ``user:<user id>``; ``data`` holds ids, names and hashes only, and
    ``because``, what an operator gave as the reason.
    """
    lock(f"audit:{stream}")
    last = AuditEvent.objects.filter(stream=stream).order_by("-seq").values_list("seq", "mac").first()
    seq, previous = last or (0, GENESIS)
    event = AuditEvent(
        stream=stream,
        seq=seq + 1,
        at=now,
        verb=verb,
        actor_type=actor.type,
        actor_id=actor.id,
        actor_label=actor.label[:200],
        object_type=object_type,
        object_id=str(object_id),
        from_state=from_state,
        to_state=to_state,
        group=group,
        data={**(data or {}), **({"because": actor.reason} if actor.reason else {})},
    )
    event.mac = mac_of(event, previous)
    event.save(force_insert=True)
    return event


def stream_of(namespace_id: uuid.UUID) -> str:
    return f"ns:{namespace_id}"


@dataclass(frozen=True)
class Head:
    """Where a chain ended at some moment; kept elsewhere it proves later that nothing up to there was cut off."""

    stream: str
    seq: int
    mac: str


def heads() -> list[Head]:
    """The last event of every chain."""
    last = AuditEvent.objects.order_by("stream", "-seq").distinct("stream")
    return [Head(*row) for row in last.values_list("stream", "seq", "mac")]


def verify(*, expected: Iterable[Head] = ()) -> list[str]:
    """Check every chain; returns one sentence for each row that does not fit (empty: all is well).

    A chain alone cannot show that its end was cut off: ``expected`` are heads that somebody has kept.
    """
    problems = _broken_links()
    for head in expected:
        found = (
            AuditEvent.objects.filter(stream=head.stream, seq=head.seq).values_list("mac", flat=True).first()
        )
        if found is None:
            problems.append(
                f"{head.stream}: event {head.seq}, which was there, is missing: the end was cut off"
            )
        elif found != head.mac:
            problems.append(f"{head.stream}: event {head.seq} is another one than was there")
    return problems


def _broken_links() -> list[str]:
    problems: list[str] = []
    stream, seq, previous = "", 0, GENESIS
    for event in AuditEvent.objects.order_by("stream", "seq").iterator(chunk_size=2000):
        if event.stream != stream:
            stream, seq, previous = event.stream, 0, GENESIS
        if event.seq != seq + 1:
            problems.append(f"{stream}: events {seq + 1} to {event.seq - 1} are missing")
        elif mac_of(event, previous) != event.mac:
            problems.append(f"{stream}: event {event.seq} ({event.verb}) was changed")
        seq, previous = event.seq, event.mac
    return problems
