"""What the Settings pages list."""

from __future__ import annotations

import uuid

from django.contrib.auth.models import User
from django.db.models import Count, F, Prefetch
from django.utils.translation import gettext as _

from core.errors import NotFound
from core.models import AgentKey, Membership, Namespace


def keys_of(*, user: User) -> list[AgentKey]:
    """The person's keys: usable ones first, the newest on top."""
    return list(
        AgentKey.objects.visible_to(user)
        .select_related("default_persona")
        .prefetch_related(Prefetch("namespaces", Namespace.objects.select_related("owner")))
        .order_by(F("revoked_at").desc(nulls_first=True), "-created_at")
    )


def key_for(*, user: User, key_id: uuid.UUID) -> AgentKey:
    found = AgentKey.objects.visible_to(user).filter(pk=key_id).first()
    if found is None:
        raise NotFound(_("There is no such key."))
    return found


def namespaces_of(*, user: User) -> list[Membership]:
    """The person's memberships, each with its namespace and how many people share it (``shared_by``)."""
    return list(
        Membership.objects.filter(user=user)
        .select_related("namespace__owner")
        .annotate(shared_by=Count("namespace__memberships"))
        .order_by("namespace__type", "namespace__name", "namespace__owner__username")
    )


def namespace_for(*, user: User, namespace_id: uuid.UUID) -> Membership:
    """The person's own membership, which says what they may do there."""
    rows = Membership.objects.filter(user=user).select_related("namespace__owner")
    found = rows.filter(namespace_id=namespace_id).first()
    if found is None:
        raise NotFound(_("There is no namespace that you can reach there."))
    return found


def merge_targets(*, user: User, namespace: Namespace) -> list[Namespace]:
    """Where this namespace could be merged into: others of its type that the person owns."""
    own = Namespace.objects.owned_by(user).filter(type=namespace.type).exclude(pk=namespace.pk)
    return list(own.select_related("owner"))


def members_of(namespace: Namespace) -> list[Membership]:
    return list(namespace.memberships.select_related("user").order_by("role", "user__username"))


def person_named(username: str) -> User:
    """Raises NotFound with a sentence for the form."""
    found = User.objects.filter(username=username.strip(), is_active=True).first()
    if found is None:
        raise NotFound(_("There is no person with this user name here."), field="username")
    return found
