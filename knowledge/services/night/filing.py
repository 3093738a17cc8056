"""The one place where drafts become proposals: in one transaction with the stage's line in the report."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

import structlog
from django.db import transaction
from django.db.models import F

from core.errors import DomainError, Invalid
from knowledge.models import ConsolidationRun, Proposal
from knowledge.services.night.lease import LeaseLost, held
from knowledge.services.night.skips import Skip
from knowledge.services.night.stage import Draft, Findings
from knowledge.services.proposals import proposal_file

_log = structlog.get_logger(__name__)


@transaction.atomic
def file_stage(
    *, run: ConsolidationRun, name: str, findings: Findings, seconds: float, now: datetime
) -> None:
    """File what a stage found as part of the night's batch, and write its line. Raises LeaseLost: then nothing is."""
    row = held(run).select_for_update().first()
    if row is None:
        raise LeaseLost("the lease ran out")
    skipped = Counter(findings.skipped)
    filed = 0
    for draft in findings.drafts:
        outcome = _file(draft, run, now)
        if outcome is None:
            filed += 1
        else:
            skipped[outcome] += 1
    line = {
        "name": name,
        "looked_at": findings.looked_at,
        "proposed": filed,
        "skipped": dict(_named(skipped)),
        "tokens": findings.tokens,
        "seconds": round(seconds, 3),
        "used_model": findings.used_model,
        "carry": sorted(str(pk) for pk in findings.carry),
    }
    held(run).update(
        stages=[*row.stages, line],
        looked_at=max(row.looked_at, findings.looked_at),  # the stages look at the same memories
        proposed=F("proposed") + filed,
        skipped=dict(Counter(row.skipped) + _named(skipped)),
        tokens=F("tokens") + findings.tokens,
        used_model=row.used_model or findings.used_model,
    )
    run.refresh_from_db()


def _file(draft: Draft, run: ConsolidationRun, now: datetime) -> Skip | None:
    """None when it is filed, else why not. What changed since the stage read it is no reason to stop the night."""
    try:
        with transaction.atomic():
            result = proposal_file(
                namespace=run.namespace,
                kind=draft.kind,
                payload=draft.payload,
                reason=draft.reason,
                confidence=draft.confidence,
                sources=[source.as_json() for source in draft.sources],
                batch=run.pk,
                now=now,
            )
            if not result.created:
                return Skip.ALREADY_FILED
            if _undone_before(result.proposal):
                raise _Undone
    except _Undone:
        return Skip.REFUSED_BEFORE
    except Invalid as error:
        if error.code == "invalid_payload":
            raise  # a stage's mistake: the report must show it as a failure, not count it
        return Skip.CHANGED_MEANWHILE
    except DomainError as error:
        _log.info("draft_not_filed", kind=draft.kind, code=error.code)
        return Skip.CHANGED_MEANWHILE
    return None


class _Undone(Exception):
    """A person has undone the night in which the very same change was proposed."""


def _undone_before(proposal: Proposal) -> bool:
    same = Proposal.objects.filter(namespace=proposal.namespace_id, fingerprint=proposal.fingerprint)
    nights = ConsolidationRun.objects.filter(namespace=proposal.namespace_id, state="undone")
    return same.filter(state="withdrawn", batch__in=nights.values("pk")).exists()


def _named(skipped: Counter[Skip]) -> Counter[str]:
    return Counter({reason.value: count for reason, count in skipped.items()})
