"""Which prompt text serves a namespace; owners may override it (design section 4)."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from core.actor import Actor
from core.allowed import characters
from core.errors import Conflict, Forbidden, Invalid
from core.locks import lock
from core.models import Namespace
from core.services import audit
from core.text import clean, sha256
from memory.models import PromptChange, PromptOverride
from memory.prompts import CURRENT, NEEDED, Prompt, bundled

MAX_PROMPT_CHARS = 20_000


def override_of(*, namespace: Namespace, name: str) -> PromptOverride | None:
    """The namespace's own wording, if it has one."""
    rows = PromptOverride.objects.filter(namespace=namespace, prompt=name)
    return rows.select_related("changed_by").first()


def prompt_for(*, namespace: Namespace, name: str) -> Prompt:
    """The override of the namespace, else the bundled text."""
    override = PromptOverride.objects.filter(namespace=namespace, prompt=name).first()
    return drafted(name=name, text=override.text) if override else bundled(name)


def drafted(*, name: str, text: str) -> Prompt:
    """A wording that is not the bundled one, whether it is stored or only tried."""
    return Prompt(name, f"{bundled(name).version}+override", text)


def prompt_check(*, name: str, text: str) -> str:
    """The text as it would be stored: lines end in LF, whatever a browser sends. Raises Invalid."""
    if name not in CURRENT:
        raise Invalid(_("Unknown prompt."), field="name", allowed=sorted(CURRENT))
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > MAX_PROMPT_CHARS:
        raise Invalid(_("The prompt is too long."), field="text", allowed=characters(0, MAX_PROMPT_CHARS))
    try:
        return clean(text)
    except ValueError as error:
        raise Invalid(_("The prompt holds characters that cannot be stored."), field="text") from error


def unnamed(*, name: str, text: str) -> list[str]:
    """Words of the expected answer that a wording never mentions: a model would have to guess them."""
    return [word for word in NEEDED[name] if word not in text]


@transaction.atomic
def prompt_override(
    *,
    namespace: Namespace,
    user: User,
    name: str,
    text: str,
    now: datetime,
    seen: str | None = None,
) -> bool:
    """Set a namespace's own wording; an empty text, or the bundled one, returns to the bundled one. Owners only.

    ``seen`` is the SHA-256 of the own wording that the person had before them (of "" without one); None asks nothing.
    True when anything changed. Raises Forbidden, Invalid, and Conflict when another owner has changed it meanwhile.
    """
    if not Namespace.objects.owned_by(user).filter(pk=namespace.pk).exists():
        raise Forbidden(_("Only an owner can change prompts."))
    text = prompt_check(name=name, text=text)
    if not text.strip() or text.strip() == bundled(name).text.strip():
        text = ""
    lock(f"prompt:{namespace.pk}")
    standing = override_of(namespace=namespace, name=name)
    before = standing.text if standing else ""
    if seen is not None and seen != sha256(before):
        raise Conflict(
            _("Another owner has changed this prompt since you opened the page. Yours is not saved yet."),
            code="already_changed",
            by=str(standing.changed_by or "") if standing else "",
        )
    if text == before:
        return False
    if text:
        PromptOverride.objects.update_or_create(
            namespace=namespace,
            prompt=name,
            defaults={"text": text, "based_on": bundled(name).version, "changed_by": user},
        )
    elif standing is not None:
        standing.delete()
    PromptChange.objects.create(
        namespace=namespace,
        prompt=name,
        based_on=bundled(name).version,
        text=text,
        changed_at=now,
        changed_by=user,
    )
    audit.record(
        stream=audit.stream_of(namespace.pk),
        verb="prompt.changed",
        actor=Actor.person(user),
        object_type="prompt",
        object_id=name,
        from_state="override" if standing else "bundled",
        to_state="override" if text else "bundled",
        data={"sha256": sha256(text)},
        now=now,
    )
    return True
