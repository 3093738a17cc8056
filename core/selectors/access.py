"""The only ways to get a namespace on somebody's behalf. What is not reachable does not exist."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.db.models import Q
from django.utils.translation import gettext as _

from core.errors import Forbidden, NotFound
from core.models import AgentKey, Namespace, NamespaceAlias
from core.models.namespace import NamespaceQuerySet

type_names = (Namespace.PERSONA, Namespace.WORKSPACE)


def split_reference(reference: str) -> tuple[str, str | None, str] | None:
    """``workspace:<owner>/x`` to (type, owner or None, name); None when it has another form."""
    kind, colon, rest = reference.partition(":")
    if not colon or kind not in type_names or not rest:
        return None
    owner, slash, name = rest.rpartition("/")
    return (kind, owner if slash else None, name)


def _find(candidates: NamespaceQuerySet, user_id: int, reference: str) -> Namespace:
    parts = split_reference(reference)
    if parts:
        kind, owner, name = parts
        found = candidates.filter(type=kind, name=name)
        found = found.filter(owner_id=user_id) if owner is None else found.filter(owner__username=owner)
        namespace = found.select_related("owner").first() or formerly(candidates, user_id, *parts)
        if namespace:
            return namespace
    raise NotFound(
        _("There is no namespace %(name)s that you can reach.") % {"name": reference[:220]},
        code="namespace_not_found",
        field="namespace",
        allowed=["persona:<name>", "workspace:<name>", "workspace:<owner>/<name>"],
    )


def formerly(
    candidates: NamespaceQuerySet, user_id: int, kind: str, owner: str | None, name: str
) -> Namespace | None:
    """The namespace among ``candidates`` that had this name before a rename, a merge or a transfer."""
    names = NamespaceAlias.objects.filter(type=kind, name=name)
    names = names.filter(owner_id=user_id) if owner is None else names.filter(owner__username=owner)
    return candidates.filter(pk__in=names.values("namespace_id")).select_related("owner").first()


def namespace_for_key(*, key: AgentKey, reference: str) -> Namespace:
    """Raises NotFound for foreign and missing namespaces alike."""
    return _find(Namespace.objects.reachable_by(key), key.user_id, reference)


def namespaces_for_key(*, key: AgentKey, references: Sequence[str]) -> list[Namespace]:
    """The same for several, without repeats and in their order; one query unless a former name is among them."""
    asked = {reference: split_reference(reference) for reference in references}
    named = Q()
    for kind, owner, name in filter(None, asked.values()):
        whose = Q(owner_id=key.user_id) if owner is None else Q(owner__username=owner)
        named |= Q(whose, type=kind, name=name)
    found: dict[tuple[str, str | None, str] | None, Namespace] = {}
    if named and len(asked) > 1:
        for each in Namespace.objects.reachable_by(key).filter(named).select_related("owner"):
            found[each.type, each.owner.get_username(), each.name] = each
            if each.owner_id == key.user_id:
                found[each.type, None, each.name] = each
    return [
        found.get(parts) or namespace_for_key(key=key, reference=reference)
        for reference, parts in asked.items()
    ]


def namespace_for_user(*, user: User | AbstractBaseUser | AnonymousUser, reference: str) -> Namespace:
    return _find(Namespace.objects.visible_to(user), user.pk or 0, reference)


def namespace_owned(*, user: User | AbstractBaseUser | AnonymousUser, namespace_id: uuid.UUID) -> Namespace:
    """The namespace, for one of its owners. Raises NotFound for strangers, Forbidden for other members."""
    found = Namespace.objects.owned_by(user).select_related("owner").filter(pk=namespace_id).first()
    if found is not None:
        return found
    if Namespace.objects.visible_to(user).filter(pk=namespace_id).exists():
        raise Forbidden(_("Only an owner of the namespace can do this."))
    raise NotFound(_("There is no namespace that you can reach there."))
