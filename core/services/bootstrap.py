"""The first person, persona and key of an installation (design section 7, ``bin/up``)."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from core.actor import Actor
from core.locks import lock
from core.services.keys import agent_key_create
from core.services.namespaces import persona_default

OWNER = "owner"


@transaction.atomic
def owner_bootstrap(*, password: str, want_key: bool, now: datetime) -> str | None:
    """Make ``owner`` and ``persona:default``; with ``want_key`` return the secret of a fresh key.

    Safe to repeat. A given password is set each time, so that an operator can reset it.
    """
    lock("bootstrap")
    user, created = User.objects.get_or_create(
        username=OWNER, defaults={"is_staff": True, "is_superuser": True}
    )
    if password and not user.check_password(password):
        user.set_password(password)
        user.save(update_fields=["password"])
    elif created:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    persona_default(user=user, now=now)
    if not want_key:
        return None
    return agent_key_create(user=user, name="bin/up", actor=Actor.operator("bin/up"), now=now).secret
