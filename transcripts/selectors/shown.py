"""What a session was shown."""

from __future__ import annotations

from datetime import datetime

from transcripts.models import AgentSession, Exposure


def shown_since(*, session: AgentSession, record_type: str, since: datetime) -> set[tuple[str, int]]:
    """(id, version) of the records of that type that the session was shown from ``since`` on."""
    rows = Exposure.objects.filter(session=session, record_type=record_type, at__gte=since)
    return set(rows.values_list("record_id", "version"))
