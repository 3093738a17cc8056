"""The draft policy: sure drafts, made from approved memories alone, become findable without a click (design 6).

Off by default, per namespace, switched by owners. What it lets in never stands before a session, carries a badge, and
is undone like a person's own decision; what a person has touched stays that person's to decide.
"""

from __future__ import annotations

import uuid
from datetime import datetime

import structlog
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from core.actor import Actor
from core.errors import Conflict, DomainError, Invalid
from core.locks import lock
from core.models import Namespace
from core.selectors.access import namespace_owned
from core.services import audit
from knowledge.models import DraftPolicy, Knowledge, Proposal
from knowledge.note_payloads import Create, read
from knowledge.notes import slugs
from knowledge.notes.fields import Note
from knowledge.services.notes import note_insert, sources_set
from knowledge.services.transitions import change
from memory.models import Memory

TRUSTED = ("human", "confirmed")
BATCH = 100
_log = structlog.get_logger(__name__)


@transaction.atomic
def draft_policy_set(
    *, namespace: Namespace, user: User, enabled: bool, now: datetime, typed_name: str = ""
) -> DraftPolicy:
    """Switch it. Switching on needs the namespace's name, typed. Raises NotFound, Forbidden, Invalid."""
    namespace = namespace_owned(user=user, namespace_id=namespace.pk)
    if enabled and typed_name.strip() not in (namespace.name, str(namespace)):
        raise Invalid(
            _("Type %(name)s to confirm that notes may be found there before a person has read them.")
            % {"name": namespace},
            code="name_mismatch",
            field="typed_name",
            allowed=str(namespace),
        )
    lock(f"gate:{namespace.pk}")
    policy, _made = DraftPolicy.objects.get_or_create(namespace=namespace, defaults={"changed_at": now})
    was = policy.enabled
    policy.enabled, policy.changed_by, policy.changed_at = enabled, user, now
    if enabled and not was:
        policy.enabled_at, policy.disabled_at = now, None
    if was and not enabled:
        policy.disabled_at = now
    policy.save()
    audit.record(
        stream=audit.stream_of(namespace.pk),
        verb="draft_policy.enabled" if enabled else "draft_policy.disabled",
        actor=Actor.person(user),
        object_type="draft_policy",
        object_id=policy.pk,
        from_state="on" if was else "off",
        to_state="on" if enabled else "off",
        now=now,
    )
    return policy


def drafts_publish(*, now: datetime) -> int:
    """Let in what qualifies in every namespace whose policy is on; returns how many notes were made.

    Paused namespaces are passed over. Each note is a transaction of its own.
    """
    made = 0
    for policy in DraftPolicy.objects.filter(enabled=True, namespace__paused_at=None).order_by("pk"):
        rows = Proposal.objects.filter(
            namespace=policy.namespace_id,
            kind="create",
            state="open",
            version=1,
            confidence__gte=policy.min_confidence,
        )
        for pk in rows.order_by("created_at", "pk").values_list("pk", flat=True)[:BATCH]:
            try:
                made += draft_publish(policy_id=policy.pk, proposal_id=pk, now=now) is not None
            except DomainError as error:
                _log.info("draft_not_published", proposal=str(pk), code=error.code)
    return made


@transaction.atomic
def draft_publish(*, policy_id: int, proposal_id: uuid.UUID, now: datetime) -> Knowledge | None:
    """Make one note as the policy; None when the policy or the proposal no longer agrees, looked at under the lock."""
    known = DraftPolicy.objects.filter(pk=policy_id).values_list("namespace_id", flat=True).first()
    if known is None:
        return None
    lock(f"gate:{known}")
    policy = (
        DraftPolicy.objects.select_for_update(of=("self",))
        .select_related("namespace__owner")
        .filter(pk=policy_id, enabled=True, namespace__paused_at=None)
        .first()
    )
    if policy is None:
        return None
    # Version 1: nobody has accepted, refused or undone it. What a person touched stays a person's.
    proposal = (
        Proposal.objects.select_related("namespace__owner")
        .filter(
            pk=proposal_id,
            namespace=policy.namespace_id,
            kind="create",
            state="open",
            version=1,
            confidence__gte=policy.min_confidence,
        )
        .first()
    )
    if proposal is None or not _from_approved_memories(proposal):
        return None
    payload = read("create", proposal.payload)
    assert isinstance(payload, Create)
    actor = Actor.policy(policy.pk, f"draft policy of {policy.namespace}"[:200])
    try:
        change(
            proposal,
            version=1,
            allowed=["open"],
            verb="proposal.accepted",
            actor=actor,
            state="accepted",
            decided_at=now,
            decided_by=None,
            now=now,
        )
    except Conflict:
        return None
    taken = set(Knowledge.objects.filter(namespace=policy.namespace_id).values_list("slug", flat=True))
    note = Note(payload.title, slugs.free(payload.slug, taken), payload.description, payload.body)
    made = note_insert(home=policy.namespace, note=note, actor=actor, let_in_by="policy", now=now)
    sources_set(knowledge=made, sources=proposal.sources)
    step = {"do": "make", "id": str(made.pk), "version": made.version}
    Proposal.objects.filter(pk=proposal.pk).update(outcome=[step])
    return made


def _from_approved_memories(proposal: Proposal) -> bool:
    """Only memories, all alive, said or adopted by a person, and let in by one: somebody must have read it once.

    An imported or loaded memory was vouched for by a person, too.
    """
    ids = [str(source.get("id")) for source in proposal.sources]
    if not ids or any(source.get("type") != "memory" for source in proposal.sources):
        return False
    good = Memory.objects.active().filter(namespace=proposal.namespace_id, pk__in=ids, trust__in=TRUSTED)
    return good.exclude(actor="policy").count() == len(set(ids))
