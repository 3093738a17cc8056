"""Keep the proposals in step with what they are about: reports come in, deleted memories leave no text behind."""

from __future__ import annotations

from datetime import datetime

import structlog
from django.db import transaction

from core.actor import Actor
from core.errors import Conflict, DomainError
from core.models import Namespace
from knowledge.models import Proposal
from knowledge.note_payloads import KINDS
from knowledge.services.following import proposals_follow
from knowledge.services.forgetting import words_forget
from knowledge.services.proposals import proposal_file, proposal_withdraw
from memory.models import MemoryReport

BATCH = 500
# What of a payload holds words. A draft must stay one that can be read: it shows that its text is gone.
_TEXTS = frozenset({"content", "title", "slug", "description", "body"})
_ERASED = {"title": "…", "slug": "erased", "description": "…", "body": "…"}
_log = structlog.get_logger(__name__)


def reports_file(*, now: datetime) -> int:
    """Put every open report into the review queue, once; returns how many are new.

    Reports about memories that are no longer active wait for those to come back; paused namespaces are passed over.
    """
    rows = MemoryReport.objects.filter(
        state="open", proposal=None, memory__status="active", memory__namespace__paused_at=None
    )
    filed = 0
    for report in rows.select_related("memory__namespace", "agent_key").order_by("created_at", "pk")[:BATCH]:
        memory = report.memory
        payload = {
            "memory": {"id": str(memory.pk), "version": report.version},
            "as": "wrong",
            "content": report.text,
        }
        try:
            filed += proposal_file(
                namespace=memory.namespace,
                kind="report",
                payload=payload,
                reason=report.reason,
                actor=Actor.key(report.agent_key) if report.agent_key else Actor.system(),
                report=report,
                now=now,
            ).created
        except DomainError as error:  # retired, paused or gone since the rows were read
            _log.info("report_not_filed", report=str(report.pk), code=error.code)
    return filed


def proposals_tidy(*, now: datetime) -> int:
    """Withdraw open proposals whose memories went, take along those whose memories moved, and erase the texts of all
    that name a deleted one.

    Returns how many rows changed. Safe to repeat: an erased row is not found again.
    """
    changed = 0
    # A draft may be made of what was asked for and chosen alone: it has no memories to lose.
    about = Proposal.objects.filter(state="open").exclude(kind__in=KINDS)
    gone = about.exclude(memories__status="active")
    torn = Proposal.objects.filter(state="open", memories__status__in=["superseded", "retracted", "deleted"])
    for proposal in (gone | torn).distinct()[:BATCH]:
        try:
            proposal_withdraw(proposal=proposal, now=now)
            changed += 1
        except Conflict:
            continue  # somebody decided meanwhile
    texts = Proposal.objects.filter(memories__status="deleted").exclude(state="open").distinct()
    for proposal in texts[:BATCH]:
        changed += proposal_erase(proposal=proposal)
    return changed + words_forget(now=now) + proposals_follow(now=now)


def proposal_erase(*, proposal: Proposal) -> int:
    """Remove what it says, keep what it is; 1 when there was anything to remove."""
    payload = {
        name: _ERASED.get(name, "") if name in _TEXTS else value for name, value in proposal.payload.items()
    }
    if payload == proposal.payload and not proposal.reason:
        return 0
    return Proposal.objects.filter(pk=proposal.pk).update(payload=payload, reason="")


@transaction.atomic
def proposals_rehouse(*, source: Namespace, target: Namespace) -> int:
    """A merge of namespaces takes them along; inside its transaction. Returns how many."""
    return Proposal.objects.filter(namespace=source).update(namespace=target)


def proposals_branch(*, source: Namespace, target: Namespace, now: datetime) -> int:
    """After a split: those whose memories have all moved follow; an open one about both places is withdrawn."""
    here, there = Proposal.objects.filter(namespace=source), 0
    for proposal in here.filter(memories__namespace=target).distinct():
        if proposal.memories.exclude(namespace=target).exists():
            if proposal.state == "open":
                proposal_withdraw(proposal=proposal, now=now)
            continue
        there += Proposal.objects.filter(pk=proposal.pk).update(namespace=target)
    return there
