"""Rename, link and hand over namespaces; the core part of merging and splitting them (design section 2).

Whoever opens a session under an old name or from a known place is still understood afterwards.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from core.actor import Actor
from core.errors import Conflict, Forbidden, Invalid, NotFound
from core.locks import lock
from core.models import AgentKey, Fingerprint, Membership, Namespace, NamespaceAlias, Role
from core.models.namespace import validate_name
from core.selectors.access import namespace_owned
from core.services import audit
from core.services.namespaces import DEFAULT_PERSONA, refuse_taken


@transaction.atomic
def namespace_rename(*, namespace_id: uuid.UUID, user: User, name: str, now: datetime) -> Namespace:
    """Give it another name; the old one leads there too. Raises NotFound, Forbidden, Invalid, Conflict."""
    namespace = namespace_owned(user=user, namespace_id=namespace_id)
    refuse_default(namespace)
    name = name.strip()
    try:
        validate_name(name)
    except ValidationError as error:
        raise Invalid(error.messages[0], code="invalid_name", field="name") from error
    lock(f"namespaces:{namespace.owner_id}")
    namespace.refresh_from_db()
    was = namespace.name
    if name == was:
        return namespace
    owner, type_ = namespace.owner, namespace.type
    namespace.aliases.filter(owner=owner, name=name).delete()  # back to a former name
    refuse_taken(owner=owner, type=type_, name=name)
    Namespace.objects.filter(pk=namespace.pk).update(name=name)
    NamespaceAlias.objects.create(namespace=namespace, owner=owner, type=type_, name=was, created_at=now)
    namespace.refresh_from_db()
    _audit(namespace, "namespace.renamed", user, now, {"from": was, "to": name})
    return namespace


@transaction.atomic
def namespace_link(*, fingerprint_id: uuid.UUID, into: uuid.UUID, user: User, now: datetime) -> Namespace:
    """Attach a place to another workspace: sessions from there belong to it from now on.

    What the former workspace holds stays there; merging takes everything along. Raises NotFound, Forbidden, Invalid.
    """
    target = namespace_owned(user=user, namespace_id=into)
    found = Fingerprint.objects.filter(pk=fingerprint_id, namespace__memberships__user=user).first()
    if found is None:
        raise NotFound(_("There is no such place."), field="fingerprint")
    source = namespace_owned(user=user, namespace_id=found.namespace_id)
    if target.type != Namespace.WORKSPACE or target.owner_id != source.owner_id:
        raise Invalid(_("A place can be linked to a workspace of the same owner."), field="into")
    if target.pk == source.pk:
        return target
    lock(f"namespaces:{target.owner_id}")
    _move_fingerprints([found], target)
    data = {"fingerprint": found.value, "from": str(source.pk), "to": str(target.pk)}
    for namespace in (source, target):
        _audit(namespace, "namespace.linked", user, now, data)
    return target


@transaction.atomic
def namespace_transfer(*, namespace_id: uuid.UUID, user: User, to: User, now: datetime) -> Namespace:
    """Hand a namespace to a member; who gave it stays as reviewer, and finds it under its name as before.

    Raises NotFound, Forbidden (only the person whose it is), Invalid (``to``), Conflict (name or remote taken there).
    """
    namespace = namespace_owned(user=user, namespace_id=namespace_id)
    if namespace.owner_id != user.pk:
        raise Forbidden(_("Only the person to whom the namespace belongs can hand it over."))
    refuse_default(namespace)
    if to.pk == user.pk:
        raise Invalid(_("It is yours already."), field="to")
    lock(f"namespaces:{user.pk}", f"namespaces:{to.pk}", f"members:{namespace.pk}")
    member = Membership.objects.filter(namespace=namespace, user=to, user__is_active=True).first()
    if member is None:
        raise Invalid(_("Hand it to a member: add the person first."), code="not_a_member", field="to")
    names = {"type": namespace.type, "name": namespace.name}
    NamespaceAlias.objects.filter(namespace=namespace, owner=to, **names).delete()  # back to who gave it once
    refuse_taken(owner=to, **names)
    remotes = namespace.fingerprints.filter(value__startswith="r:").values("value")
    if Fingerprint.objects.filter(owner=to, value__in=remotes).exists():
        raise Conflict(
            _("%(who)s has a workspace of the same repository already; merge them first.") % {"who": to},
            code="remote_taken",
            field="to",
        )
    Namespace.objects.filter(pk=namespace.pk).update(owner=to)
    namespace.fingerprints.update(owner=to)
    Membership.objects.filter(pk=member.pk).update(role=Role.OWNER)
    Membership.objects.filter(namespace=namespace, user=user).update(role=Role.REVIEWER)
    NamespaceAlias.objects.create(namespace=namespace, owner=user, created_at=now, **names)
    namespace.refresh_from_db()
    _audit(namespace, "namespace.transferred", user, now, {"from": user.pk, "to": to.pk})
    return namespace


def refuse_default(namespace: Namespace) -> None:
    """``persona:default`` always exists (design section 2): it keeps its name and its owner."""
    if (namespace.type, namespace.name) == (Namespace.PERSONA, DEFAULT_PERSONA):
        raise Invalid(
            _("persona:default always exists and stays as it is."), code="default_persona", field="namespace"
        )


def namespace_fold(*, source: Namespace, target: Namespace, user: User, now: datetime) -> list[str]:
    """Core's part of a merge, inside the caller's transaction, once everything else has left ``source``.

    Places and former names go to the target, keys that listed the source list the target, the source's name becomes
    an alias, the row goes. Returns the members of the source who are not members of the target: they keep no access.
    """
    _move_fingerprints(list(source.fingerprints.all()), target)
    for key in AgentKey.objects.filter(namespaces=source):
        key.namespaces.add(target)
    AgentKey.objects.filter(default_persona=source).update(default_persona=target)
    NamespaceAlias.objects.filter(namespace=source).update(namespace=target)
    members = set(Membership.objects.filter(namespace=target).values_list("user_id", flat=True))
    left = source.memberships.exclude(user_id__in=members).values_list("user__username", flat=True)
    left_out = sorted(left)
    data = {"from": str(source.pk), "name": str(source), "to": str(target.pk)}
    _audit(source, "namespace.merged_away", user, now, data)
    _audit(target, "namespace.merged", user, now, data)
    owner, type_, name = source.owner, source.type, source.name
    source.delete()
    NamespaceAlias.objects.create(namespace=target, owner=owner, type=type_, name=name, created_at=now)
    return left_out


def namespace_branch(
    *, source: Namespace, branch: Namespace, places: Sequence[Fingerprint], user: User, now: datetime
) -> None:
    """Core's part of a split, inside the caller's transaction: places, members, keys and a pause are taken along."""
    _move_fingerprints(places, branch)
    for member in source.memberships.exclude(user_id=branch.owner_id):
        Membership.objects.create(namespace=branch, user_id=member.user_id, role=member.role)
    for key in AgentKey.objects.filter(namespaces=source):
        key.namespaces.add(branch)
    Namespace.objects.filter(pk=branch.pk).update(paused_at=source.paused_at)
    data = {"from": str(source.pk), "to": str(branch.pk), "fingerprints": [each.value for each in places]}
    for namespace in (source, branch):
        _audit(namespace, "namespace.split", user, now, data)


def _move_fingerprints(places: Sequence[Fingerprint], target: Namespace) -> None:
    """What the target knows already is dropped; a remote that another workspace of its owner has stays with that."""
    known = set(target.fingerprints.values_list("value", flat=True))
    ids = [each.pk for each in places]
    taken = set(
        Fingerprint.objects.filter(owner_id=target.owner_id, value__startswith="r:")
        .exclude(pk__in=ids)
        .values_list("value", flat=True)
    )
    gone = [each.pk for each in places if each.value in known | taken]
    Fingerprint.objects.filter(pk__in=gone).delete()
    Fingerprint.objects.filter(pk__in=ids).update(namespace=target, owner_id=target.owner_id)


def _audit(namespace: Namespace, verb: str, user: User, now: datetime, data: dict[str, Any]) -> None:
    audit.record(
        stream=audit.stream_of(namespace.pk),
        verb=verb,
        actor=Actor.person(user),
        object_type="namespace",
        object_id=namespace.pk,
        data=data,
        now=now,
    )
