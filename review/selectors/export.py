"""Everything of one person as plain records, a file each; texts pass the redaction once more (design section 8).

Read with server-side cursors: a million messages take no more memory than five hundred.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.contrib.auth.models import User

from core.models import AgentKey, AuditEvent, Membership, Namespace
from core.services.audit import stream_of
from memory.models import Candidate, Memory, PromptChange, PromptOverride, Request, ReviewPolicy
from review.models import SavedFilter
from review.selectors.export_know import choices, exposures, knowledge, points, proposals, summaries
from review.selectors.export_texts import CHUNK, Record, safe
from review.selectors.person import settings_of
from transcripts.models import AgentSession, Message


def account(user: User) -> Iterator[Record]:
    own = settings_of(user=user)
    names = (
        "language",
        "theme",
        "time_zone",
        "keys_off",
        "key_map",
        "digest",
        "digest_email",
        "digest_webhook",
    )
    yield {
        "user": user.get_username(),
        "email": user.email,
        "joined": user.date_joined,
        "settings": {name: getattr(own, name) for name in names},
        "filters": list(SavedFilter.objects.visible_to(user).values("name", "query")),
    }


def keys(user: User) -> Iterator[Record]:
    """What each key may; its secret is stored nowhere."""
    for key in AgentKey.objects.visible_to(user).prefetch_related("namespaces").order_by("created_at"):
        yield {
            "id": key.pk,
            "name": key.name,
            "prefix": key.prefix,
            "scopes": key.scopes,
            "reach": key.reach,
            "namespaces": [str(each) for each in key.namespaces.all()],
            "speaks_for_person": key.speaks_for_person,
            "created_at": key.created_at,
            "last_used_at": key.last_used_at,
            "expires_at": key.expires_at,
            "revoked_at": key.revoked_at,
        }


def namespaces(user: User) -> Iterator[Record]:
    rows = Membership.objects.filter(user=user).select_related("namespace__owner").order_by("namespace_id")
    for own in rows:
        space = own.namespace
        places = space.fingerprints.values_list("value", flat=True) if own.role == "owner" else []
        yield {
            "id": space.pk,
            "name": space.reference_for(user.pk, space.owner.get_username()),
            "role": own.role,
            "paused_at": space.paused_at,
            "created_at": space.created_at,
            "fingerprints": sorted(places),
        }


def sessions(user: User) -> Iterator[Record]:
    rows = AgentSession.objects.visible_to(user).select_related("persona", "workspace").order_by("pk")
    for row in rows.iterator(CHUNK):
        yield {
            "id": row.pk,
            "key": row.key,
            "client": row.client,
            "persona": str(row.persona),
            "workspace": str(row.workspace) if row.workspace else None,
            "time_zone": row.tz,
            "started_at": row.started_at,
            "ended_at": row.ended_at,
        }


def messages(user: User) -> Iterator[Record]:
    rows = Message.objects.filter(session__user=user).select_related("turn")
    for row in rows.order_by("session_id", "turn_id", "index").iterator(CHUNK):
        yield {
            "session": row.session_id,
            "turn": row.turn.key,
            "key": row.key,
            "role": row.role,
            "origin": row.origin,
            "at": row.at,
            "text": safe(row.text),
        }


def requests(user: User) -> Iterator[Record]:
    """What was asked for in the person's own conversations."""
    for row in Request.objects.filter(session__user=user).order_by("pk").iterator(CHUNK):
        yield {
            "session": row.session_id,
            "namespace": row.namespace_id,
            "intent": row.intent,
            "target": safe(row.target),
            "summary": safe(row.summary),
            "at": row.at,
        }


def candidates(user: User) -> Iterator[Record]:
    """Those that the person may review, with their evidence; a reader of a namespace sees none of them anywhere."""
    rows = Candidate.objects.reviewable_by(user).defer("vector", "blocks").prefetch_related("evidence")
    for row in rows.order_by("pk").iterator(CHUNK):
        yield {
            "id": row.pk,
            "namespace": row.namespace_id,
            "kind": row.kind,
            "status": row.status,
            "text": safe(row.content),
            "proposed_text": safe(row.original),
            "source": row.source,
            "trust": row.trust,
            "confidence": row.confidence,
            "why": row.why,
            "times_seen": row.times_seen,
            "first_seen_at": row.first_seen_at,
            "last_seen_at": row.last_seen_at,
            "decided_at": row.decided_at,
            "reason": row.decision_reason,
            "memory": row.memory_id,
            "evidence": [
                {"role": each.role, "origin": each.origin, "quote": safe(each.quote), "at": each.at}
                for each in row.evidence.all()
            ],
        }


def memories(user: User) -> Iterator[Record]:
    rows = Memory.objects.visible_to(user).exclude(status="deleted").defer("blocks").order_by("pk")
    for row in rows.prefetch_related("history").iterator(CHUNK):
        former: Any = row.history.all()  # type: ignore[attr-defined]
        yield {
            "id": row.pk,
            "external_id": row.external_id,
            "namespace": row.namespace_id,
            "kind": row.kind,
            "status": row.status,
            "text": safe(row.content),
            "aliases": [safe(each) for each in row.aliases],
            "trust": row.trust,
            "let_in_by": row.actor,
            "valid_from": row.valid_from,
            "valid_to": row.valid_to,
            "superseded_by": row.superseded_by_id,
            "approved_at": row.approved_at,
            "former_texts": [
                {"at": each.pgh_created_at, "text": safe(each.content), "status": each.status}
                for each in sorted(former, key=lambda each: each.pgh_id)[:-1]
            ],
        }


def rules(user: User) -> Iterator[Record]:
    """Auto-approve and prompts of the namespaces that the person owns."""
    own = Namespace.objects.owned_by(user)
    for policy in ReviewPolicy.objects.filter(namespace__in=own).order_by("pk"):
        names = ("namespace_id", "enabled", "min_sessions", "min_confidence", "min_age_hours", "kinds")
        yield {"rule": "auto_approve"} | {name: getattr(policy, name) for name in names}
    for prompt in PromptOverride.objects.filter(namespace__in=own).order_by("pk"):
        yield {
            "rule": "prompt",
            "namespace_id": prompt.namespace_id,
            "prompt": prompt.prompt,
            "text": prompt.text,
        }
    for change in PromptChange.objects.filter(namespace__in=own).order_by("pk"):
        yield {
            "rule": "prompt_change",
            "namespace_id": change.namespace_id,
            "prompt": change.prompt,
            "at": change.changed_at,
            "text": change.text,
        }


def audit(user: User) -> Iterator[Record]:
    """What was done in the person's account and in the namespaces they own: ids, states and hashes, no texts."""
    streams = [
        f"user:{user.pk}",
        *(stream_of(pk) for pk in Namespace.objects.owned_by(user).values_list("pk", flat=True)),
    ]
    names = ("stream", "seq", "at", "verb", "actor_type", "actor_label", "object_type", "object_id")
    rows = AuditEvent.objects.filter(stream__in=streams).order_by("stream", "seq")
    yield from rows.values(*names, "from_state", "to_state", "data").iterator(CHUNK)


FILES: dict[str, Callable[[User], Iterator[Record]]] = {
    "account": account,
    "keys": keys,
    "namespaces": namespaces,
    "sessions": sessions,
    "messages": messages,
    "requests": requests,
    "candidates": candidates,
    "memories": memories,
    "knowledge": knowledge,
    "summaries": summaries,
    "choices": choices,
    "decision_points": points,
    "exposures": exposures,
    "proposals": proposals,
    "rules": rules,
    "audit": audit,
}
