"""An agent says that a memory is wrong; a person decides (design section 7, ``POST memories/{id}/report/``)."""

from __future__ import annotations

import uuid
from datetime import datetime

from django.db import transaction

from core import text
from core.actor import Actor
from core.locks import lock
from core.models import AgentKey
from core.nudge import nudge
from core.redact import redact
from core.services import audit
from memory.models import MemoryReport
from memory.selectors.memories import memory_for_key
from memory.selectors.reach import session_of_key


@transaction.atomic
def memory_report(
    *,
    agent_key: AgentKey,
    memory_id: uuid.UUID,
    reason: str,
    now: datetime,
    text_wanted: str = "",
    session: str = "",
) -> MemoryReport:
    """File the report; recall goes on returning the memory. The same report sent again is the one that waits.

    ``text_wanted``: what the memory should say instead, if the agent knows. Raises NotFound, Paused.
    """
    memory = memory_for_key(key=agent_key, memory_id=memory_id)
    held = session_of_key(key=agent_key, name=session)
    reason, wanted = redact(reason).text.strip(), redact(text_wanted).text.strip()
    digest = text.sha256(f"{memory.version}\n{reason}\n{wanted}")
    lock(f"report:{memory.pk}")
    waiting = MemoryReport.objects.filter(
        memory=memory, agent_key=agent_key, sha256=digest, state="open"
    ).first()
    if waiting:
        return waiting
    report = MemoryReport.objects.create(
        memory=memory,
        agent_key=agent_key,
        session=held,
        version=memory.version,
        reason=reason[:500],
        text=wanted,
        sha256=digest,
        created_at=now,
    )
    audit.record(
        stream=audit.stream_of(memory.namespace_id),
        verb="memory.reported",
        actor=Actor.key(agent_key),
        object_type="memory",
        object_id=memory.pk,
        data={"report": str(report.pk), "sha256": digest},
        now=now,
    )
    # By name: the room above puts it into the review queue; without a worker its sweep does so later.
    nudge("knowledge.reports_due", queue="default")
    return report


def report_close(*, report_id: uuid.UUID, now: datetime) -> None:
    """A person decided about it; inside that decision's transaction."""
    MemoryReport.objects.filter(pk=report_id, state="open").update(state="done", done_at=now)


def report_reopen(*, report_id: uuid.UUID) -> None:
    """The decision was taken back. Where the agent reported the same again meanwhile, that one waits in its place."""
    report = MemoryReport.objects.filter(pk=report_id, state="done").first()
    if report is None:
        return
    twins = MemoryReport.objects.filter(
        memory_id=report.memory_id, agent_key=report.agent_key, sha256=report.sha256, state="open"
    )
    if report.agent_key is None or not twins.exists():
        MemoryReport.objects.filter(pk=report.pk).update(state="open", done_at=None)
