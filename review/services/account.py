"""Delete one's own account: what is owned alone is erased, what is shared needs an owner first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from core.actor import Actor
from core.errors import Conflict, Invalid
from core.locks import lock
from core.models import AgentKey, Namespace
from core.services import audit
from decisions.services.erasing import choices_erase, choices_let_go
from knowledge.models import Proposal
from knowledge.services.rehousing import knowledge_erase
from memory.services.erasing import namespace_erase
from transcripts.services.erasing import sessions_erase, sessions_let_go


@dataclass(frozen=True)
class Deleted:
    """How much is gone."""

    namespaces: int
    memories: int
    candidates: int
    sessions: int
    keys: int


def shared_namespaces(*, user: User) -> list[Namespace]:
    """The person's namespaces that others use too: each must be handed over, or its members removed, first."""
    own = Namespace.objects.filter(owner=user)
    return list(own.filter(memberships__user__in=User.objects.exclude(pk=user.pk)).distinct())


@transaction.atomic
def account_delete(*, user: User, typed_name: str, now: datetime) -> Deleted:
    """Erase the person: namespaces, memories, candidates, conversations, choices, keys, settings. No way back.

    What the person did in namespaces of others stays theirs: decisions, and quotes that became evidence. The audit
    trail keeps ids and the user name. Raises Invalid (``typed_name``), Conflict (``shared``, which names them).
    """
    if typed_name != user.get_username():
        raise Invalid(
            _("Type your user name to confirm: everything that is yours alone is erased for good."),
            code="name_mismatch",
            field="typed_name",
            allowed=user.get_username(),
        )
    lock(f"namespaces:{user.pk}")
    shared = shared_namespaces(user=user)
    if shared:
        raise Conflict(
            _("Others use %(names)s: hand them over, or remove the other members, first.")
            % {"names": ", ".join(str(each) for each in shared)},
            code="shared",
            namespaces=[str(each.pk) for each in shared],
        )
    keys = AgentKey.objects.filter(user=user).count()
    choices_erase(user=user)
    sessions = sessions_erase(user=user)
    own = list(Namespace.objects.filter(owner=user))
    lock(*(f"gate:{each.pk}" for each in own))
    memories = candidates = 0
    for namespace in own:
        sessions_let_go(namespace=namespace, now=now)
        choices_let_go(namespace=namespace)
        Proposal.objects.filter(namespace=namespace).delete()
        knowledge_erase(namespace=namespace)
        erased = namespace_erase(namespace=namespace)
        memories, candidates = memories + erased.memories, candidates + erased.candidates
        _record(namespace, user, now)
    pk = user.pk
    audit.record(
        stream=f"user:{pk}",
        verb="account.deleted",
        actor=Actor.person(user),
        object_type="user",
        object_id=pk,
        to_state="deleted",
        data={"namespaces": [str(each.pk) for each in own], "memories": memories, "sessions": sessions},
        now=now,
    )
    AgentKey.objects.filter(user=user).delete()
    for namespace in own:
        namespace.delete()
    user.delete()
    return Deleted(len(own), memories, candidates, sessions, keys)


def _record(namespace: Namespace, user: User, now: datetime) -> None:
    audit.record(
        stream=audit.stream_of(namespace.pk),
        verb="namespace.erased",
        actor=Actor.person(user),
        object_type="namespace",
        object_id=namespace.pk,
        to_state="deleted",
        data={"name": str(namespace)},
        now=now,
    )
