"""One-time sign-in links (design section 7: fifteen minutes, used once)."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction

from core.actor import Actor
from core.hashing import keyed
from core.models import SignInLink
from core.services import audit

SIGN_IN_LINK_MINUTES = 15


@transaction.atomic
def sign_in_link_create(*, user: User, now: datetime) -> str:
    """A fresh token for the link; only its hash is stored."""
    token = secrets.token_urlsafe(32)
    SignInLink.objects.create(
        user=user,
        token_hash=keyed("sign-in", token),
        expires_at=now + timedelta(minutes=SIGN_IN_LINK_MINUTES),
    )
    _audit(user, "sign_in_link.created", Actor.operator("command line"), now)
    return token


@transaction.atomic
def sign_in_link_use(*, token: str, now: datetime) -> User | None:
    """The person of a fresh link; None when it is unknown, used or too old. Two clicks: one wins."""
    links = SignInLink.objects.filter(token_hash=keyed("sign-in", token))
    if not links.filter(used_at=None, expires_at__gt=now, user__is_active=True).update(used_at=now):
        return None
    user = links.select_related("user").get().user
    _audit(user, "sign_in_link.used", Actor.person(user), now)
    return user


def _audit(user: User, verb: str, actor: Actor, now: datetime) -> None:
    audit.record(
        stream=f"user:{user.pk}", verb=verb, actor=actor, object_type="user", object_id=user.pk, now=now
    )
