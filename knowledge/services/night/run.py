"""Run a night: claim it, go through the stages, file what they found, write the report (design section 6)."""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import structlog

from knowledge.models import ConsolidationRun
from knowledge.services.night import lease
from knowledge.services.night.changed import carried_memories, changed_memories
from knowledge.services.night.filing import file_stage
from knowledge.services.night.stage import Night, Stage
from knowledge.services.night.stages import STAGES

_log = structlog.get_logger(__name__)


class _Clock:
    """``now`` is taken once; how long the night has lasted since then is measured."""

    def __init__(self, now: datetime) -> None:
        self._now, self._start = now, time.monotonic()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start

    @property
    def now(self) -> datetime:
        return self._now + timedelta(seconds=self.seconds)


def night_run(*, run_id: uuid.UUID, now: datetime, stages: Sequence[Stage] = STAGES) -> str:
    """Do one night, or what is left of it; returns its state afterwards, ``busy`` when it was not there to claim.

    A stage that fails does not keep the others from filing; the night then waits for its next attempt, which does
    that stage alone. Stages that are through are not done again.
    """
    run = lease.claim(run_id=run_id, now=now)
    if run is None:
        return "busy"
    clock = _Clock(now)
    night = Night(
        namespace=run.namespace,
        run=run,
        now=now,
        since=run.since_at,
        changed=changed_memories(run),
        keep_alive=lambda: lease.keep(run, now=clock.now),
    )
    failure: Exception | None = None
    try:
        for stage in stages:
            if stage.name in {line["name"] for line in run.stages}:
                continue
            try:
                _through(stage, night, run, clock)
            except lease.LeaseLost:
                raise
            except Exception as error:  # whatever it is, the other stages and the other namespaces go on
                _log.exception("night_stage_failed", stage=stage.name, run=str(run.pk))
                failure = failure or error
        if failure is not None:
            return lease.release(run, error=failure, seconds=clock.seconds, now=clock.now)
        lease.finish(run, carried=_carried(run), seconds=clock.seconds, now=clock.now)
    except lease.LeaseLost:
        _log.warning("night_lost", run=str(run.pk))
        return "lost"
    return run.state


def _through(stage: Stage, night: Night, run: ConsolidationRun, clock: _Clock) -> None:
    night.keep_alive()
    start = time.monotonic()
    again = carried_memories(run, stage.name)
    findings = stage(replace(night, changed=night.changed | again))
    file_stage(
        run=run,
        name=stage.name,
        findings=findings,
        seconds=time.monotonic() - start,
        now=night.now,
    )


def _carried(run: ConsolidationRun) -> dict[str, list[str]]:
    return {line["name"]: line["carry"] for line in run.stages if line["carry"]}
