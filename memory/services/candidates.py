"""The one way into the queue (design section 4): validate, compare, then create, sight, reopen or suppress."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from core import text
from core.actor import Actor
from core.allowed import between, characters
from core.errors import Conflict, Invalid, Paused
from core.locks import lock
from core.models import Namespace
from core.services import audit
from memory.inputs import MAX_CONTENT_CHARS, Outcome, Proposed, SpanIn
from memory.models import KINDS, Candidate, Evidence, Memory, Sighting, Source, Tombstone, TrustTier
from memory.services import flags, likeness
from memory.services.blocks import blocks_of
from memory.services.tombstones import standing_tombstone
from transcripts.services.pins import turn_pin

_ORDER = list(TrustTier.values)


def validate(*, kind: str, content: str, confidence: float) -> None:
    """Raise Invalid with the field and what is allowed."""
    if kind not in KINDS:
        raise Invalid(_("Unknown kind."), code="unknown_kind", field="kind", allowed=list(KINDS))
    if not text.normal_form(content):
        raise Invalid(
            _("The text is empty."), code="empty", field="content", allowed=characters(1, MAX_CONTENT_CHARS)
        )
    if len(content) > MAX_CONTENT_CHARS:
        raise Invalid(
            _("The text is too long: a memory is a sentence or two, not a document."),
            code="too_long",
            field="content",
            allowed=characters(1, MAX_CONTENT_CHARS),
        )
    if not 0 <= confidence <= 1:
        raise Invalid(_("Confidence lies between 0 and 1."), field="confidence", allowed=between(0, 1))


@transaction.atomic
def candidate_propose(*, proposal: Proposed, now: datetime) -> Outcome:
    """File a proposal. The caller has grounded it; texts are redacted already.

    Manual proposals are never suppressed or merged: they show what they resemble. Raises Invalid, Paused
    and Conflict (``key_reused``: the same idempotency key with another content).
    """
    validate(kind=proposal.kind, content=proposal.content, confidence=proposal.confidence)
    lock(f"gate:{proposal.namespace.pk}")
    # Asked anew: an owner may have paused it while the model was computing.
    if Namespace.objects.filter(pk=proposal.namespace.pk, paused_at__isnull=False).exists():
        raise Paused(
            _("%(name)s is paused: nothing is stored there.") % {"name": proposal.namespace},
            field="namespace",
        )
    replayed = replay_of(proposal)
    if replayed:
        return replayed
    if proposal.source != Source.MANUAL:
        waiting = waits_already(namespace=proposal.namespace, kind=proposal.kind, content=proposal.content)
        if waiting is not None:  # word for word: no need to compare meanings
            return _sight(waiting, proposal, now)
    likes = likeness.find(
        namespace_id=proposal.namespace.pk,
        kind=proposal.kind,
        content=proposal.content,
        vector=proposal.vector,
    )
    resembles = tuple(str(like.item.pk) for like in likes)
    if proposal.source == Source.MANUAL:
        return Outcome("created", _create(proposal, likes, now), resembles=resembles)
    same = [_stands_for(like.item) for like in likes if like.relation == "same"]
    for item in same:
        if isinstance(item, Candidate) and item.status in ("pending", "needs_attention"):
            return _sight(item, proposal, now)
    if any(_memory_behind(item) for item in same):
        return _known(same, proposal, now)
    stone = standing_tombstone(
        namespace_id=proposal.namespace.pk,
        kind=proposal.kind,
        content=proposal.content,
        same=[item for item in same if isinstance(item, Tombstone)],
    )
    if stone is not None:
        return _suppress(stone, now)
    if any(isinstance(item, Memory) and item.status == "retracted" for item in same):
        return Outcome("suppressed", None, _("A person has said that this was wrong."))
    for item in same:
        if isinstance(item, Candidate) and item.status == "archived":
            return _reopen(item, proposal, now)
    return Outcome("created", _create(proposal, likes, now), resembles=resembles)


def waits_already(*, namespace: Namespace, kind: str, content: str) -> Candidate | None:
    """The open candidate with the same normal form, if there is one: the cheap, certain half of dedupe."""
    rows = Candidate.objects.open().filter(
        namespace=namespace, kind=kind, normal_hash=text.normal_hash(content)
    )
    # At most one by its constraint; what dedupe alone reads (kilobytes) stays where it is.
    return next(iter(rows.exclude(source=Source.MANUAL).defer("vector", "blocks")[:1]), None)


def replay_of(proposal: Proposed) -> Outcome | None:
    """The outcome for a proposal that this key has sent before; Conflict when it then had another content."""
    if not (proposal.agent_key and proposal.idempotency_key):
        return None
    found = Candidate.objects.filter(
        agent_key=proposal.agent_key, idempotency_key=proposal.idempotency_key
    ).first()
    if found is None:
        return None
    if (found.namespace_id, found.kind, found.original) != (
        proposal.namespace.pk,
        proposal.kind,
        proposal.content,
    ):
        raise Conflict(
            _("This key was used before with another content."),
            code="key_reused",
            field="key",
            id=str(found.pk),
        )
    return Outcome("replayed", found)


def _create(proposal: Proposed, likes: list[likeness.Like], now: datetime) -> Candidate:
    seen_at = max((span.at for span in proposal.spans), default=now)
    marks = set(proposal.flags) | flags.flags_of(proposal.content)
    conflict = next((m for x in likes if x.relation == "conflict" and (m := _memory_behind(x.item))), None)
    if conflict:
        marks.add("conflicts")
    if any(
        x.relation == "same" and isinstance(x.item, Memory) and x.item.status == "superseded" for x in likes
    ):
        marks.add("was_true_before")
    if proposal.source == Source.MANUAL and any(
        x.relation == "same" and isinstance(x.item, Tombstone) for x in likes
    ):
        marks.add("duplicate_of_rejected")
    candidate = Candidate.objects.create(
        namespace=proposal.namespace,
        kind=proposal.kind,
        content=proposal.content,
        original=proposal.content,
        language=text.language(proposal.content),
        confidence=proposal.confidence,
        source=proposal.source,
        trust=proposal.trust,
        why=proposal.why[:300],
        extractor=proposal.extractor,
        flags=sorted(marks),
        normal_hash=text.normal_hash(proposal.content),
        blocks=blocks_of(namespace_id=proposal.namespace.pk, kind=proposal.kind, content=proposal.content),
        space=proposal.vector.space if proposal.vector else "",
        vector=proposal.vector.values if proposal.vector else None,
        session=proposal.session,
        agent_key=proposal.agent_key,
        idempotency_key=proposal.idempotency_key,
        conflicts_with=conflict,
        first_seen_at=seen_at,
        last_seen_at=seen_at,
        touched_at=now,
    )
    _attach(candidate, proposal, now, is_new=True)
    audit.record(
        stream=audit.stream_of(candidate.namespace_id),
        verb="candidate.created",
        actor=Actor.key(proposal.agent_key) if proposal.agent_key else Actor.system(),
        object_type="candidate",
        object_id=candidate.pk,
        to_state=candidate.status,
        data={"source": candidate.source, "trust": candidate.trust, "sha256": text.sha256(candidate.content)},
        now=now,
    )
    return candidate


def _attach(candidate: Candidate, proposal: Proposed, now: datetime, *, is_new: bool = False) -> bool:
    """Add evidence, pins and the sighting of this session; True when the session is a further one."""
    Evidence.objects.bulk_create(
        [_evidence(candidate, proposal, span) for span in proposal.spans], ignore_conflicts=True
    )
    turn_ids = {span.message.turn_id for span in proposal.spans if span.message is not None}
    if turn_ids:
        turn_pin(turn_ids=sorted(turn_ids), holder=f"candidate:{candidate.pk}")
    if proposal.session is None:
        return False
    seen = {"session": proposal.session, "at": max((s.at for s in proposal.spans), default=now)}
    key = proposal.session.key
    if is_new:  # nobody else can have seen it: one statement instead of four, under the namespace's lock
        Sighting.objects.create(candidate=candidate, session_key=key, **seen)
        return True
    return Sighting.objects.get_or_create(candidate=candidate, session_key=key, defaults=seen)[1]


def _evidence(candidate: Candidate, proposal: Proposed, span: SpanIn) -> Evidence:
    return Evidence(
        candidate=candidate,
        message=span.message,
        session=proposal.session,
        role=span.role,
        origin=span.origin,
        quote=span.quote,
        sha256=text.sha256(span.quote),
        start=span.start,
        end=span.end,
        at=span.at,
    )


def _sight(item: Candidate, proposal: Proposed, now: datetime) -> Outcome:
    """A further session on independent evidence counts once; repeats within a session do not."""
    if not _attach(item, proposal, now):
        return Outcome("sighted", item)
    seen_at = max((span.at for span in proposal.spans), default=now)
    fields = {
        "times_seen": F("times_seen") + 1,
        "confidence": max(item.confidence, proposal.confidence),
        "last_seen_at": max(item.last_seen_at, seen_at),
        "trust": min(item.trust, proposal.trust, key=_ORDER.index),
    }
    if item.status == "pending":
        fields["touched_at"] = now
    Candidate.objects.filter(pk=item.pk).update(**fields)
    item.refresh_from_db(fields=list(fields))
    return Outcome("sighted", item)


def _stands_for(item: Candidate | Memory | Tombstone) -> Candidate | Memory | Tombstone:
    """A duplicate that a person merged stands for what it was merged into, however often that went on."""
    while (
        isinstance(item, Candidate)
        and item.status == "rejected"
        and (into := item.merged_into or item.memory)
    ):
        item = into
    return item


def _memory_behind(item: Candidate | Memory | Tombstone) -> Memory | None:
    """The active memory that an item is, or that an approved candidate became and that still says the same.

    A memory's vector is made by a job after its approval; until then only its candidate is found by meaning.
    """
    memory = item
    if isinstance(item, Candidate):
        if item.status != "approved" or item.memory is None or item.memory.normal_hash != item.normal_hash:
            return None
        memory = item.memory
    return memory if isinstance(memory, Memory) and memory.status == "active" else None


def _known(same: list[Candidate | Memory | Tombstone], proposal: Proposed, now: datetime) -> Outcome:
    """It is approved already: count the sighting on the candidate it came from, if there is one."""
    for item in same:
        if isinstance(item, Candidate) and item.status == "approved":
            outcome = _sight(item, proposal, now)
            return Outcome("sighted", outcome.candidate, _("This is already an approved memory."))
    return Outcome("sighted", None, _("This is already an approved memory."))


def _suppress(stone: Tombstone, now: datetime) -> Outcome:
    Tombstone.objects.filter(pk=stone.pk).update(hits=F("hits") + 1)
    if stone.candidate_id:
        Candidate.objects.filter(pk=stone.candidate_id).update(suppressed=F("suppressed") + 1)
    reason = (
        _("A person deleted this before.")
        if stone.reason == "deleted"
        else _("A person rejected this before.")
    )
    return Outcome("suppressed", None, reason)


def _reopen(item: Candidate, proposal: Proposed, now: datetime) -> Outcome:
    fresh = _attach(item, proposal, now)
    reopened = Candidate.objects.filter(pk=item.pk, status="archived").update(
        status="pending",
        version=F("version") + 1,
        touched_at=now,
        decided_at=None,
        decided_by=None,
        last_seen_at=now,
        times_seen=F("times_seen") + (1 if fresh else 0),
    )
    if not reopened:  # a person did so a moment ago
        item.refresh_from_db()
        return Outcome("sighted", item)
    audit.record(
        stream=audit.stream_of(item.namespace_id),
        verb="candidate.reopened",
        actor=Actor.key(proposal.agent_key) if proposal.agent_key else Actor.system(),
        object_type="candidate",
        object_id=item.pk,
        from_state="archived",
        to_state="pending",
        data={"because": "seen again"},
        now=now,
    )
    item.refresh_from_db()
    return Outcome("reopened", item)


def repin(candidate: Candidate) -> None:
    """Hold the cited turns again after a rejection was taken back."""
    turn_ids = Evidence.objects.filter(candidate=candidate, message__isnull=False).values_list(
        "message__turn_id", flat=True
    )
    if ids := sorted(set(turn_ids)):
        turn_pin(turn_ids=ids, holder=f"candidate:{candidate.pk}")
