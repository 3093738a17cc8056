"""Make, find, pause and link namespaces (design section 2)."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Case, Value, When
from django.utils.translation import gettext as _

from core.actor import Actor
from core.errors import Conflict, Forbidden, Invalid
from core.locks import lock
from core.models import AgentKey, Fingerprint, Membership, Namespace, NamespaceAlias, Role
from core.models.namespace import NamespaceQuerySet, validate_name
from core.selectors.access import formerly
from core.services import audit

DEFAULT_PERSONA = "default"


@transaction.atomic
def namespace_create(*, owner: User, type: str, name: str, actor: Actor, now: datetime) -> Namespace:
    """Create a namespace with its owner as member. Raises Invalid (name) or Conflict (taken)."""
    if type not in (Namespace.PERSONA, Namespace.WORKSPACE):
        raise Invalid(_("Unknown namespace type."), field="type", allowed=["persona", "workspace"])
    try:
        validate_name(name)
    except ValidationError as error:
        raise Invalid(error.messages[0], code="invalid_name", field="name") from error
    lock(f"namespaces:{owner.pk}")
    refuse_taken(owner=owner, type=type, name=name)
    namespace = Namespace.objects.create(owner=owner, type=type, name=name)
    Membership.objects.create(namespace=namespace, user=owner, role=Role.OWNER)
    audit.record(
        stream=audit.stream_of(namespace.pk),
        verb="namespace.created",
        actor=actor,
        object_type="namespace",
        object_id=namespace.pk,
        to_state="active",
        data={"name": str(namespace), "owner": owner.pk},
        now=now,
    )
    return namespace


def name_is_taken(*, owner: User, type: str, name: str) -> bool:
    """Is it the name of one of the person's namespaces, or a former name of one?"""
    names = {"owner": owner, "type": type, "name": name}
    return Namespace.objects.filter(**names).exists() or NamespaceAlias.objects.filter(**names).exists()


def refuse_taken(*, owner: User, type: str, name: str) -> None:
    """Raises Conflict (``name_taken``). Called under the lock ``namespaces:<owner>``."""
    if not name_is_taken(owner=owner, type=type, name=name):
        return
    reference = f"{type}:{name}"
    alias = (
        NamespaceAlias.objects.filter(owner=owner, type=type, name=name).select_related("namespace").first()
    )
    message = (
        _("%(name)s is a former name of %(now)s and still leads there.")
        % {"name": reference, "now": alias.namespace}
        if alias
        else _("You already have %(name)s.") % {"name": reference}
    )
    raise Conflict(message, code="name_taken", field="name")


@transaction.atomic
def persona_default(*, user: User, now: datetime) -> Namespace:
    """``persona:default`` always exists (design section 2)."""
    found = Namespace.objects.filter(owner=user, type=Namespace.PERSONA, name=DEFAULT_PERSONA).first()
    if found:
        return found
    lock(f"namespaces:{user.pk}")
    found = Namespace.objects.filter(owner=user, type=Namespace.PERSONA, name=DEFAULT_PERSONA).first()
    return found or namespace_create(
        owner=user, type=Namespace.PERSONA, name=DEFAULT_PERSONA, actor=Actor.system(), now=now
    )


@transaction.atomic
def workspace_for_key(*, key: AgentKey, name: str, fingerprints: Sequence[str], now: datetime) -> Namespace:
    """The workspace a session runs in: recognised by fingerprint, else by name, else made on first use.

    ``r:`` decides. A ``d:`` match whose workspace knows another remote is a new workspace. The same name
    with other fingerprints becomes ``name-<4 hex>``. Raises Forbidden for a key of short reach.
    """
    # A session that meets a known place, the usual case, takes no lock.
    found = _recognise(key=key, name=name, fingerprints=fingerprints)
    if found is None:
        lock(f"namespaces:{key.user_id}")
        found = _recognise(key=key, name=name, fingerprints=fingerprints)
    if found is None:
        if key.reach == AgentKey.REACH_LIST:
            raise Forbidden(
                _("This key reaches only listed namespaces, and workspace:%(name)s is not among them.")
                % {"name": name[:200]},
                code="out_of_reach",
                field="workspace.name",
            )
        if "/" in name:
            raise Forbidden(
                _("A workspace of another person must exist before you use it."), code="out_of_reach"
            )
        found = namespace_create(
            owner=key.user,
            type=Namespace.WORKSPACE,
            name=_free_name(key.user, name),
            actor=Actor.key(key),
            now=now,
        )
    # Places are learnt from its owner alone: a member could claim the owner's other repositories for it.
    if found.owner_id == key.user_id:
        _remember(found, fingerprints)
    return found


def _recognise(*, key: AgentKey, name: str, fingerprints: Sequence[str]) -> Namespace | None:
    reachable = (
        Namespace.objects.reachable_by(key).filter(type=Namespace.WORKSPACE).prefetch_related("fingerprints")
    )
    remotes = {f for f in fingerprints if f.startswith("r:")}
    folders = {f for f in fingerprints if f.startswith("d:")}
    if "/" in name:  # written as <owner>/<name>: meant exactly
        owner, _slash, bare = name.rpartition("/")
        exact = reachable.filter(owner__username=owner, name=bare).first()
        return exact or formerly(reachable, key.user_id, Namespace.WORKSPACE, owner, bare)
    if remotes:
        found = _own_first(reachable.filter(fingerprints__value__in=remotes), key).first()
        if found:
            return found
    if folders:
        for candidate in _own_first(reachable.filter(fingerprints__value__in=folders).distinct(), key):
            known = {f.value for f in candidate.fingerprints.all() if f.value.startswith("r:")}
            if not (remotes and known):
                return candidate
    named = reachable.filter(owner_id=key.user_id, name=name).first() or formerly(
        reachable, key.user_id, Namespace.WORKSPACE, None, name
    )
    if named and (not fingerprints or not named.fingerprints.all()):
        return named
    return None


def _own_first(found: NamespaceQuerySet, key: AgentKey) -> NamespaceQuerySet:
    """One's own workspace before a shared one: being added to somebody's must not draw a conversation there."""
    foreign = Case(When(owner_id=key.user_id, then=Value(0)), default=Value(1))
    return found.annotate(foreign=foreign).order_by("foreign", "created_at")


def _free_name(user: User, name: str) -> str:
    while name_is_taken(owner=user, type=Namespace.WORKSPACE, name=name):
        name = f"{name[:195].rsplit('-', 1)[0] if len(name) > 195 else name}-{secrets.token_hex(2)}"
    return name


def _remember(namespace: Namespace, fingerprints: Sequence[str]) -> None:
    known = {f.value for f in namespace.fingerprints.all()}
    new = [f for f in dict.fromkeys(fingerprints) if f not in known]
    if new:
        Fingerprint.objects.bulk_create(
            [Fingerprint(namespace=namespace, owner_id=namespace.owner_id, value=value) for value in new],
            ignore_conflicts=True,
        )


@transaction.atomic
def namespace_pause(*, namespace: Namespace, user: User, paused: bool, now: datetime) -> Namespace:
    """Stop or resume storing, extracting, recalling and injecting. Only owners may."""
    if not Namespace.objects.owned_by(user).filter(pk=namespace.pk).exists():
        raise Forbidden(_("Only an owner can pause a namespace."))
    changed = Namespace.objects.filter(pk=namespace.pk, paused_at__isnull=paused).update(
        paused_at=now if paused else None
    )
    if changed:
        audit.record(
            stream=audit.stream_of(namespace.pk),
            verb="namespace.paused" if paused else "namespace.resumed",
            actor=Actor.person(user),
            object_type="namespace",
            object_id=namespace.pk,
            from_state="active" if paused else "paused",
            to_state="paused" if paused else "active",
            now=now,
        )
    namespace.refresh_from_db()
    return namespace
