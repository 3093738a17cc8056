"""PreCompact, PostCompact: what a window holds is stored before it is summarised away (design section 4)."""

from __future__ import annotations

from typing import Any

from integrations.hooks.events import Event
from integrations.services.hooks.desk import Desk
from integrations.services.hooks.saying import slice_store
from integrations.services.hooks.starting import window_begins
from transcripts.services.compactions import compaction_accept

_TRIGGERS = ("manual", "auto")


def before_compaction(desk: Desk) -> dict[str, Any]:
    """The slice becomes turns as at any other time; the compaction covers all that nobody has scanned yet.

    The answer is always empty: a client takes what this hook prints for instructions to its summary.
    """
    if not desk.may("ingest"):
        return {}
    session = desk.session()
    slice_store(desk, session=session)
    accepted = compaction_accept(
        agent_key=desk.agent_key,
        session=session.key,
        key=f"hook:{desk.envelope.id}" if desk.envelope.id else None,
        trigger=_trigger(desk.event),
        through=None,
        messages=(),
        now=desk.now,
        happened=desk.at if desk.envelope.late else None,
    )
    if accepted.compaction.scan_state != "done":
        desk.scan.add(session.pk)
    return {}


def after_compaction(desk: Desk) -> dict[str, Any]:
    """A new window begins. The client's summary is not read: it is nobody's words."""
    if not desk.may("ingest"):
        return {}
    session = desk.session()
    slice_store(desk, session=session)
    window_begins(desk, session)
    return {}


def _trigger(event: Event) -> str:
    given = event.text("trigger")
    return given if given in _TRIGGERS else "unknown"
