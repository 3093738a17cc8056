"""The beat schedule, in code so that it is reviewed (design section 6, night shift).

Each entry expires shortly before its next run: a worker that was away finds one run waiting, not a pile.
"""

from __future__ import annotations

from typing import Any

from celery.schedules import crontab


def _every(task: str, seconds: float, queue: str) -> dict[str, Any]:
    return {"task": task, "schedule": seconds, "options": {"queue": queue, "expires": seconds * 0.9}}


def _nightly(task: str, *, hour: int, minute: int) -> dict[str, Any]:
    return {
        "task": task,
        "schedule": crontab(hour=str(hour), minute=str(minute)),
        "options": {"queue": "nightly", "expires": 20 * 3600},
    }


SCHEDULE: dict[str, dict[str, Any]] = {
    # The row is the queue: whatever a lost message left behind is found here within seconds.
    "sweep": _every("memory.sweep", 5.0, "extract"),
    "index": _every("memory.index_due", 60.0, "default"),
    "growth": _every("memory.growth_due", 600.0, "nightly"),
    "archive": _every("memory.archive_due", 3600.0, "default"),
    "policy": _every("memory.policy_due", 3600.0, "default"),
    "drafts": _every("knowledge.drafts_due", 3600.0, "default"),
    "notes": _every("knowledge.index_due", 60.0, "default"),
    "reports": _every("knowledge.reports_due", 300.0, "default"),
    "digests": _every("review.digests_due", 3600.0, "default"),
    "nights_due": _every("knowledge.nights_due", 300.0, "nightly"),
    "proposals": _nightly("knowledge.proposals_tidy", hour=2, minute=40),
    "partitions": _nightly("transcripts.partitions", hour=2, minute=10),
    "close_idle": _nightly("transcripts.close_idle", hour=2, minute=0),
    "choices": _nightly("decisions.archive", hour=2, minute=30),
    "purge": _nightly("transcripts.purge", hour=2, minute=20),
    "hook_events": _nightly("integrations.events_purge", hour=2, minute=25),
    # After what archives, tidies and purges: the night shift looks at what is left (design section 6).
    "nights": _nightly("knowledge.nights_open", hour=3, minute=0),
}
