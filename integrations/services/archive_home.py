"""The namespace that an archive is brought back into, and those in which its conversations were held."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from core.actor import Actor
from core.errors import DomainError, Invalid
from core.ids import new_id, parse_id
from core.models import AgentKey, Fingerprint, Membership, Namespace, NamespaceAlias, Role
from core.models.namespace import validate_name
from core.selectors.access import namespace_for_user, split_reference
from core.services import audit
from core.services.namespaces import name_is_taken, namespace_create, persona_default, refuse_taken
from integrations.archive.columns import Place
from integrations.archive.parsing import moment


def home_make(
    *, about: Mapping[str, Any], type: str, name: str, user: User, actor: Actor, now: datetime
) -> Namespace:
    """The person's namespace of that name, made with the archived id where that is free. In a transaction.

    Places and former names come back where nothing else has them. Raises Invalid (``invalid_name``), Conflict.
    """
    found = Namespace.objects.filter(owner=user, type=type, name=name).first()
    if found is None:
        try:
            validate_name(name)
        except ValidationError as error:
            raise Invalid(error.messages[0], code="invalid_name", field="name") from error
        refuse_taken(owner=user, type=type, name=name)
        archived = parse_id(about["id"])
        free = archived is not None and not Namespace.objects.filter(pk=archived).exists()
        found = Namespace.objects.create(pk=archived if free else new_id(), owner=user, type=type, name=name)
        Membership.objects.create(namespace=found, user=user, role=Role.OWNER)
        audit.record(
            stream=audit.stream_of(found.pk),
            verb="namespace.created",
            actor=actor,
            object_type="namespace",
            object_id=found.pk,
            to_state="active",
            data={"name": str(found), "owner": user.pk},
            now=now,
        )
    paused = about.get("paused_at")
    Namespace.objects.filter(pk=found.pk).update(
        created_at=moment(about["created_at"]), paused_at=moment(paused) if paused else found.paused_at
    )
    _places(found, about["fingerprints"])
    _aliases(found, about["aliases"])
    found.refresh_from_db()
    return found


def _places(space: Namespace, given: Iterable[Mapping[str, str]]) -> None:
    taken = set(Fingerprint.objects.filter(owner=space.owner).values_list("value", flat=True))
    for each in given:
        value = each.get("value", "")
        if value in taken or space.type != Namespace.WORKSPACE:
            continue
        made = Fingerprint(namespace=space, owner=space.owner, value=value)
        made.save(force_insert=True)
        Fingerprint.objects.filter(pk=made.pk).update(created_at=moment(each["created_at"]))


def _aliases(space: Namespace, given: Iterable[Mapping[str, str]]) -> None:
    for each in given:
        kind, name = each.get("type", ""), each.get("name", "")
        if kind == space.type and not name_is_taken(owner=space.owner, type=kind, name=name):
            NamespaceAlias.objects.create(
                namespace=space,
                owner=space.owner,
                type=kind,
                name=name,
                created_at=moment(each["created_at"]),
            )


def session_homes(
    *, place: Place, about: Mapping[str, Any], rows: Iterable[Mapping[str, Any]], actor: Actor, now: datetime
) -> None:
    """Fill in who and where: users, keys, and the namespaces that the archive's sessions name.

    The person's own are made on first use, as a session would; another's that cannot be reached stay unnamed.
    """
    place.spaces[f"{about['type']}:{about['name']}"] = place.namespace.pk
    default = persona_default(user=place.user, now=now).pk
    named = {row[name] for row in rows for name in ("persona", "workspace")} - {None, *place.spaces}
    for reference in sorted(named):
        found = _space(reference, place.user, actor, now)
        if found or reference.startswith("persona:"):
            place.spaces[reference] = found or default
    place.users.update({each.get_username(): each.pk for each in User.objects.all()})
    own = AgentKey.objects.visible_to(place.user)
    place.keys.update(dict(own.values_list("prefix", "pk")))


def _space(reference: str, user: User, actor: Actor, now: datetime) -> uuid.UUID | None:
    parts = split_reference(reference)
    if parts is None:
        raise Invalid(
            _("%(name)s names no namespace.") % {"name": reference[:80]},
            code="invalid_name",
            field="sessions",
        )
    try:
        if parts[1] is None and not name_is_taken(owner=user, type=parts[0], name=parts[2]):
            return namespace_create(owner=user, type=parts[0], name=parts[2], actor=actor, now=now).pk
        return namespace_for_user(user=user, reference=reference).pk
    except DomainError:
        return None
