"""Nights for tests: memories with dates, the night through its services, and what waits afterwards."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from django.contrib.auth.models import User

from core.actor import Actor
from core.models import Namespace
from knowledge.models import ConsolidationRun, Proposal
from knowledge.services.night.compare import Compare
from knowledge.services.night.lease import night_open
from knowledge.services.night.retire import Retire
from knowledge.services.night.run import night_run
from knowledge.services.night.stage import Stage
from memory.models import Memory
from memory.services.loading import memories_load
from transcripts.inputs import Shown
from transcripts.services.exposures import exposure_record

DAWN = datetime(2026, 3, 1, 3, tzinfo=UTC)
CORE: tuple[Stage, ...] = (Compare(), Retire())


def said(
    home: Namespace, user: User, *texts: str, at: datetime = DAWN, now: datetime = DAWN, kind: str = "fact"
) -> list[Memory]:
    """Approved memories: words and index as an operator's load makes them; evidence of ``at``, approved at ``now``."""
    start = Memory.objects.filter(namespace=home).count()
    lines = [
        json.dumps(
            {
                "external_id": f"m{start + number}",
                "namespace": str(home),
                "kind": kind,
                "content": content,
                "at": at.isoformat(),
            },
            ensure_ascii=False,
        )
        for number, content in enumerate(texts)
    ]
    report = memories_load(user=user, lines=lines, actor=Actor.operator("test"), now=now)
    assert not report.problems
    made = {row.external_id: row for row in Memory.objects.filter(namespace=home)}
    return [
        made[f"m{start + number}"] for number in range(len(texts))
    ]  # ids of one millisecond have no order


def night(home: Namespace, now: datetime, stages: Sequence[Stage] = CORE) -> ConsolidationRun:
    """One whole night."""
    run = night_open(namespace=home, now=now)
    night_run(run_id=run.pk, now=now, stages=stages)
    run.refresh_from_db()
    return run


def waiting(home: Namespace) -> list[Proposal]:
    return list(Proposal.objects.filter(namespace=home, state="open").order_by("created_at", "pk"))


def shown(memory: Memory, agent_key: object, *, path: str = "recall", at: datetime) -> None:
    """Put before an agent (``recall``), or asked for by one (``get``)."""
    exposure_record(
        session=None,
        agent_key=agent_key,  # type: ignore[arg-type]
        path=path,
        items=[Shown("memory", str(memory.pk), memory.version, memory.content)],
        now=at,
    )


def days(number: float) -> timedelta:
    return timedelta(days=number)
