"""Which prompt text serves a namespace; owners may override it (design section 4)."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from core.actor import Actor
from core.allowed import characters
from core.errors import Forbidden, Invalid
from core.models import Namespace
from core.services import audit
from core.text import sha256
from memory.models import PromptOverride
from memory.prompts import CURRENT, Prompt, bundled

MAX_PROMPT_CHARS = 20_000


def prompt_for(*, namespace: Namespace, name: str) -> Prompt:
    """The override of the namespace, else the bundled text."""
    base = bundled(name)
    override = PromptOverride.objects.filter(namespace=namespace, prompt=name).first()
    return Prompt(name, f"{base.version}+override", override.text) if override else base


@transaction.atomic
def prompt_override(*, namespace: Namespace, user: User, name: str, text: str, now: datetime) -> None:
    """Set a namespace's own wording; an empty text returns to the bundled one. Owners only."""
    if not Namespace.objects.owned_by(user).filter(pk=namespace.pk).exists():
        raise Forbidden(_("Only an owner can change prompts."))
    if name not in CURRENT:
        raise Invalid(_("Unknown prompt."), field="name", allowed=sorted(CURRENT))
    if len(text) > MAX_PROMPT_CHARS:
        raise Invalid(_("The prompt is too long."), field="text", allowed=characters(0, MAX_PROMPT_CHARS))
    if text.strip():
        PromptOverride.objects.update_or_create(
            namespace=namespace,
            prompt=name,
            defaults={"text": text, "based_on": bundled(name).version, "changed_by": user},
        )
    else:
        PromptOverride.objects.filter(namespace=namespace, prompt=name).delete()
    audit.record(
        stream=audit.stream_of(namespace.pk),
        verb="prompt.changed",
        actor=Actor.person(user),
        object_type="prompt",
        object_id=name,
        to_state="override" if text.strip() else "bundled",
        data={"sha256": sha256(text)},
        now=now,
    )
