"""Scan what happened and file what is worth a look (design section 4, Extraction).

``messages → redact → cut injected → extractor → validate → ground → dedupe → upsert``: the first two happened
when the messages were stored. The extractor and the embeddings run outside the transaction; then one
transaction checks that the lease still stands, and writes.
"""

from __future__ import annotations

import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime

import structlog
from django.db import transaction
from django.utils import timezone, translation

from core import faults
from core.errors import Conflict, Paused
from core.models import Namespace
from memory.embedder import comparable
from memory.extractors.base import Extraction as Result
from memory.extractors.base import RequestNote
from memory.inputs import Proposed, Vector
from memory.models import Extraction, Request, Source
from memory.services import extractors, withdrawals
from memory.services.candidates import candidate_propose, waits_already
from memory.services.homes import Homes
from memory.services.validation import Grounded, ground
from memory.services.windows import window_for
from transcripts.models import AgentSession, Message
from transcripts.selectors.windows import StoredWindow, window_of
from transcripts.services import scans
from transcripts.services.exposures import served_among

_log = structlog.get_logger(__name__)


@dataclass
class Ledger:
    """What one run did; nothing is dropped without a count and a reason."""

    proposed: int = 0
    created: int = 0
    sighted: int = 0
    dropped: Counter[str] = field(default_factory=Counter)


def scan_next(*, now: datetime, session_id: uuid.UUID | None = None) -> bool:
    """Claim and scan the next due turn or compaction batch; False when nothing is due."""
    job = scans.claim(now=now, session_id=session_id)
    if job is None:
        return False
    started = time.monotonic()
    try:
        # What is kept of a refusal is read by people of any language, long after: it stays English.
        with translation.override("en"):
            scan(job=job, now=now)
    except scans.LeaseLost:
        _log.info("lease_lost", kind=job.kind, id=job.id)
    except Exception as error:
        # Whatever broke, the row carries it: back-off, then a dead state that a person sees and can retry.
        # The trace may quote what somebody typed, so it passes the same filter as everything that is kept.
        _log.error("scan_failed", kind=job.kind, id=job.id, exception=faults.trace(error))
        _fail(job, error, started, now)
    return True


@transaction.atomic
def _fail(job: scans.Job, error: Exception, started: float, now: datetime) -> None:
    """Put the job back or let it die, with the run in the ledger; nothing when the lease was lost."""
    said = faults.brief(error)
    if scans.fail(job, error=said, now=timezone.now()) == "lost":
        return
    Extraction.objects.create(
        session_id=job.session_id,
        turn_id=job.id if job.kind == "turn" else None,
        compaction_id=job.id if job.kind == "compaction" else None,
        outcome="failed",
        error=said,
        started_at=now,
        seconds=time.monotonic() - started,
    )


def scan(*, job: scans.Job, now: datetime) -> Ledger:
    """Scan one claimed job. Raises LeaseLost; other errors are the caller's to record."""
    started = time.monotonic()
    stored = window_of(job)
    messages = {str(each.message.pk): each.message for each in stored.messages}
    in_scope = {str(pk) for pk in stored.in_scope_ids}
    window = window_for(session=stored.session, messages=stored.messages, mode=stored.mode)
    home = stored.session.home
    if home.is_paused or not in_scope:
        run = extractors.Run(Result(), "none", "", "paused" if home.is_paused else "")
    else:
        run = extractors.run(window=window, namespace=home, now=now)
    served = served_among(
        sessions=[stored.session],
        agent_key=stored.session.agent_key,
        texts=[proposal.content for proposal in run.result.proposals],
        now=now,
    )
    ledger = Ledger(proposed=len(run.result.proposals))
    grounded: list[Grounded] = []
    for proposal in run.result.proposals:
        checked = ground(proposal, messages=messages, in_scope=in_scope, served=served)
        if isinstance(checked, str):
            ledger.dropped[checked] += 1
        else:
            grounded.append(checked)
    homes = Homes.of(stored.session)
    made = _vectors(grounded, homes)
    with transaction.atomic():
        # First: it takes the session's row and proves the lease. If that ran out, nothing below is written.
        scans.finish(job, message_ids=stored.in_scope_ids, now=now)
        _refuse_moved(stored.session)
        if grounded or run.result.withdrawals:
            homes.lock()
        for item, vector in zip(grounded, made, strict=True):
            _file(item, vector, homes, job, run, ledger, now)
        withdrawals.withdraw(session=stored.session, notes=run.result.withdrawals, now=now)
        _store_requests(run.result.requests, messages, home)
        _record(stored, job, run, ledger, len(in_scope), started, now)
    return ledger


def _refuse_moved(session: AgentSession) -> None:
    """A session that was moved while the extractor was thinking is scanned again, from where it is now.

    Its namespaces may have been merged or split, or its client has only now named the workspace: what was found
    must not land in the other one. The session's row is held, so that it cannot move from here on.
    """
    rows = AgentSession.objects.filter(pk=session.pk)
    if rows.values_list("persona_id", "workspace_id").get() != (session.persona_id, session.workspace_id):
        raise Conflict("the session has moved to another namespace meanwhile", code="session_moved")


def _vectors(grounded: list[Grounded], homes: Homes) -> list[Vector | None]:
    """A vector for each proposal that is not a word-for-word repeat; those are recognised without one."""
    fresh = [
        (home := homes.home(item.proposal.scope)) is not None
        and not waits_already(namespace=home, kind=item.proposal.kind, content=item.proposal.content)
        for item in grounded
    ]
    made = iter(comparable([g.proposal.content for g, is_new in zip(grounded, fresh, strict=True) if is_new]))
    return [next(made) if is_new else None for is_new in fresh]


def _file(
    item: Grounded,
    vector: Vector | None,
    homes: Homes,
    job: scans.Job,
    run: extractors.Run,
    ledger: Ledger,
    now: datetime,
) -> None:
    home = homes.home(item.proposal.scope)
    if home is None:
        ledger.dropped["out_of_reach"] += 1
        return
    proposal = Proposed(
        namespace=home,
        kind=item.proposal.kind,
        content=item.proposal.content,
        source=_source(job),
        trust=item.trust,
        confidence=item.proposal.confidence,
        why=item.proposal.why,
        extractor=run.extractor,
        spans=item.spans,
        session=homes.session,
        agent_key=homes.session.agent_key,
        vector=vector,
    )
    try:
        outcome = candidate_propose(proposal=proposal, now=now)
    except Paused:
        ledger.dropped["paused"] += 1
        return
    if outcome.result == "created":
        ledger.created += 1
    elif outcome.result in ("sighted", "reopened"):
        ledger.sighted += 1
    else:
        ledger.dropped[outcome.result] += 1


def _source(job: scans.Job) -> Source:
    if job.backlog:
        return Source.IMPORT
    return Source.COMPACTION if job.kind == "compaction" else Source.TURN


def _store_requests(notes: tuple[RequestNote, ...], messages: dict[str, Message], home: Namespace) -> None:
    Request.objects.bulk_create(
        [
            Request(
                session_id=messages[note.ref].session_id,
                message=messages[note.ref],
                namespace=home,
                intent=note.intent[:40],
                target=note.target[:200],
                summary=note.summary[:300],
                at=messages[note.ref].at,
            )
            for note in notes
            if note.ref in messages and not home.is_paused
        ],
        ignore_conflicts=True,
    )


def _record(
    stored: StoredWindow,
    job: scans.Job,
    run: extractors.Run,
    ledger: Ledger,
    scanned: int,
    started: float,
    now: datetime,
) -> None:
    usage = run.result.usage
    Extraction.objects.create(
        session=stored.session,
        turn_id=job.id if job.kind == "turn" else None,
        compaction_id=job.id if job.kind == "compaction" else None,
        extractor=run.extractor,
        prompt_version=run.prompt_version,
        outcome="done",
        messages=scanned,
        proposed=ledger.proposed,
        created=ledger.created,
        sighted=ledger.sighted,
        dropped=dict(ledger.dropped),
        fell_back=run.fell_back,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        calls=usage.calls,
        started_at=now,
        seconds=time.monotonic() - started,
    )
