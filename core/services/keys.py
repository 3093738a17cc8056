"""Agent keys: create, rotate, revoke, authenticate (design section 2)."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from core.actor import Actor
from core.errors import Conflict, Forbidden, Invalid, NotFound
from core.hashing import keyed, same
from core.models import KEY_SCOPES, AgentKey, Namespace
from core.selectors.keys import key_with_prefix
from core.services import audit
from core.services.namespaces import persona_default

TOUCH_EVERY = timedelta(minutes=1)


@dataclass(frozen=True)
class NewKey:
    """A key with its secret, which exists only here and is shown once."""

    key: AgentKey
    secret: str


@transaction.atomic
def agent_key_create(
    *,
    user: User,
    name: str,
    scopes: Sequence[str] = KEY_SCOPES,
    actor: Actor,
    now: datetime,
    reach: str = AgentKey.REACH_ALL,
    namespaces: Sequence[Namespace] = (),
    speaks_for_person: bool = True,
    expires_at: datetime | None = None,
    default_persona: Namespace | None = None,
    rotated_from: AgentKey | None = None,
) -> NewKey:
    """Create a key and return it with its secret. Raises Invalid and Forbidden."""
    unknown = sorted(set(scopes) - set(KEY_SCOPES))
    if unknown or not scopes:
        raise Invalid(
            _("Choose at least one scope."), code="invalid_scopes", field="scopes", allowed=list(KEY_SCOPES)
        )
    if reach not in (AgentKey.REACH_ALL, AgentKey.REACH_LIST):
        raise Invalid(_("Unknown reach."), field="reach", allowed=[AgentKey.REACH_ALL, AgentKey.REACH_LIST])
    if reach == AgentKey.REACH_LIST and not namespaces:
        raise Invalid(
            _("Choose at least one namespace, or let the key reach everything."), field="namespaces"
        )
    if not name.strip() or len(name) > 100:
        raise Invalid(_("Give the key a name of at most 100 characters."), field="name")
    if expires_at and expires_at <= now:
        raise Invalid(_("The expiry lies in the past."), field="expires_at")
    wanted = {n.pk for n in namespaces} | ({default_persona.pk} if default_persona else set())
    if Namespace.objects.visible_to(user).filter(pk__in=wanted).count() != len(wanted):
        raise Forbidden(
            _("A key cannot reach what its person does not."), code="out_of_reach", field="namespaces"
        )
    prefix, secret = _fresh_secret()
    key = AgentKey.objects.create(
        user=user,
        name=name.strip(),
        prefix=prefix,
        secret_hash=keyed("agent-key", secret),
        scopes=[scope for scope in KEY_SCOPES if scope in scopes],
        reach=reach,
        speaks_for_person=speaks_for_person,
        expires_at=expires_at,
        default_persona=default_persona or persona_default(user=user, now=now),
        rotated_from=rotated_from,
    )
    key.namespaces.set(namespaces)
    _audit(key, "key.created", "", "active", actor, now)
    return NewKey(key, secret)


@transaction.atomic
def agent_key_rotate(*, key: AgentKey, by: User, now: datetime) -> NewKey:
    """Replace a key by one with the same rights and term; the old one stops at once.

    Raises NotFound, Conflict (``key_revoked``): a key that was stopped, or rotated a moment ago, stays stopped.
    """
    fresh = AgentKey.objects.visible_to(by).select_for_update(of=("self",)).filter(pk=key.pk).first()
    if fresh is None:
        raise NotFound(_("There is no such key."))
    if fresh.revoked_at is not None:
        raise Conflict(_("This key was stopped already. Make a new one."), code="key_revoked")
    fresh = agent_key_revoke(key=fresh, by=by, now=now)
    return agent_key_create(
        user=fresh.user,
        name=fresh.name,
        scopes=fresh.scopes,
        actor=Actor.person(by),
        now=now,
        reach=fresh.reach,
        namespaces=list(fresh.namespaces.all()),
        speaks_for_person=fresh.speaks_for_person,
        expires_at=_renewed(fresh, now),
        default_persona=fresh.default_persona,
        rotated_from=fresh,
    )


@transaction.atomic
def agent_key_revoke(*, key: AgentKey, by: User, now: datetime) -> AgentKey:
    """Stop a key for good. Revoking a revoked key changes nothing."""
    own = AgentKey.objects.visible_to(by).filter(pk=key.pk).first()
    if own is None:
        raise NotFound(_("There is no such key."))
    if AgentKey.objects.filter(pk=key.pk, revoked_at__isnull=True).update(revoked_at=now):
        _audit(own, "key.revoked", "active", "revoked", Actor.person(by), now)
    own.refresh_from_db()
    return own


def agent_key_authenticate(*, secret: str, now: datetime) -> AgentKey | str:
    """The key for a secret, or the reason why not: ``unknown``, ``revoked`` or ``expired``."""
    if not (secret.isascii() and secret.isprintable()):
        return "unknown"  # a header may hold bytes that no database compares
    prefix = secret.removeprefix("hik_").split("_", 1)[0][:12]
    key = key_with_prefix(prefix)
    if key is None:
        return "unknown"
    if not same(key.secret_hash, keyed("agent-key", secret)) or not key.user.is_active:
        return "unknown"
    if key.revoked_at is not None:
        return "revoked"
    if key.expires_at is not None and key.expires_at <= now:
        return "expired"
    if key.last_used_at is None or key.last_used_at < now - TOUCH_EVERY:
        # Once a minute is exact enough for the page, and keeps ingest free of one write a request.
        AgentKey.objects.filter(
            Q(last_used_at=None) | Q(last_used_at__lt=now - TOUCH_EVERY), pk=key.pk
        ).update(last_used_at=now)
    return key


def agent_key_missed(*, key: AgentKey, scope: str, event: str, now: datetime) -> None:
    """Note that its client asked for something that needs ``scope``; the key's page says so. Once a minute at most."""
    last = parse_datetime(key.missed.get(scope, {}).get("at", ""))
    if last is None or last < now - TOUCH_EVERY:
        key.missed = {**key.missed, scope: {"event": event[:100], "at": now.isoformat()}}
        AgentKey.objects.filter(pk=key.pk).update(missed=key.missed)


def _renewed(key: AgentKey, now: datetime) -> datetime | None:
    """What is left of the term; for a key that has run out the whole term again, never a key without an end."""
    if key.expires_at is None or key.expires_at > now:
        return key.expires_at
    return now + (key.expires_at - key.created_at)


def _fresh_secret() -> tuple[str, str]:
    prefix = secrets.token_hex(4)
    return prefix, f"hik_{prefix}_{secrets.token_urlsafe(32).replace('-', 'x').replace('_', 'y')}"


def _audit(key: AgentKey, verb: str, before: str, after: str, actor: Actor, now: datetime) -> None:
    audit.record(
        stream=f"user:{key.user_id}",
        verb=verb,
        actor=actor,
        object_type="agent_key",
        object_id=key.pk,
        from_state=before,
        to_state=after,
        data={"name": key.name, "scopes": key.scopes, "reach": key.reach, "speaks": key.speaks_for_person},
        now=now,
    )
