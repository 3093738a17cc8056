"""Share a namespace: owners alone change who is a member (design section 4)."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from core.actor import Actor
from core.errors import Conflict, Forbidden, Invalid
from core.locks import lock
from core.models import Membership, Namespace, Role
from core.services import audit


def _require_owner(namespace: Namespace, user: User) -> None:
    if not Namespace.objects.owned_by(user).filter(pk=namespace.pk).exists():
        raise Forbidden(_("Only an owner can change members."))


@transaction.atomic
def member_set(*, namespace: Namespace, by: User, user: User, role: str, now: datetime) -> Membership:
    """Add a member or change a role. Whose namespace it is stays an owner, whatever another owner wants.

    Raises Forbidden, Invalid (role), Conflict (`namespace_owner`).
    """
    _require_owner(namespace, by)
    if role not in Role.values:
        raise Invalid(_("Unknown role."), field="role", allowed=list(Role.values))
    lock(f"members:{namespace.pk}")
    before = Membership.objects.filter(namespace=namespace, user=user).first()
    if role != Role.OWNER:
        _refuse_whose_it_is(namespace, user)
    membership, _created = Membership.objects.update_or_create(
        namespace=namespace, user=user, defaults={"role": role}
    )
    _audit(namespace, by, user, before.role if before else "", role, now)
    return membership


@transaction.atomic
def member_remove(*, namespace: Namespace, by: User, user: User, now: datetime) -> None:
    """Take away access at once. Whose namespace it is cannot go. Raises Forbidden, Conflict (`namespace_owner`)."""
    _require_owner(namespace, by)
    lock(f"members:{namespace.pk}")
    before = Membership.objects.filter(namespace=namespace, user=user).first()
    if before is None:
        return
    _refuse_whose_it_is(namespace, user)
    before.delete()
    _audit(namespace, by, user, before.role, "", now)


def _refuse_whose_it_is(namespace: Namespace, user: User) -> None:
    """Asked under the lock, because handing over takes it too. So a namespace always has an owner who can act.

    Otherwise a co-owner could shut a person out of the own ``persona:default``, where all that has no other home goes.
    """
    if Namespace.objects.filter(pk=namespace.pk, owner=user).exists():
        raise Conflict(
            _(
                "A namespace needs at least one owner: %(who)s, whose it is, stays. It can be handed over first."
            )
            % {"who": user},
            code="namespace_owner",
            field="username",
        )


def _audit(namespace: Namespace, by: User, user: User, before: str, after: str, now: datetime) -> None:
    audit.record(
        stream=audit.stream_of(namespace.pk),
        verb="member.set" if after else "member.removed",
        actor=Actor.person(by),
        object_type="user",
        object_id=user.pk,
        from_state=before,
        to_state=after,
        data={"namespace": str(namespace), "member": user.get_username()},
        now=now,
    )
