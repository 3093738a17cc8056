"""Which namespaces a question of an agent is about (design section 4, Recall: default scope)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from core.errors import Forbidden, NotFound
from core.models import AgentKey, Namespace
from core.scope import Scope
from core.selectors.access import namespaces_for_key
from transcripts.models import AgentSession


@dataclass(frozen=True)
class Reach:
    """The namespaces asked about, and the session in which they are asked. Paused ones contribute nothing."""

    namespaces: tuple[Namespace, ...]
    session: AgentSession | None

    @property
    def scope(self) -> Scope:
        return Scope.of(namespace.pk for namespace in self.namespaces if not namespace.is_paused)

    @property
    def paused(self) -> tuple[Namespace, ...]:
        return tuple(namespace for namespace in self.namespaces if namespace.is_paused)


def session_of_key(*, key: AgentKey, name: str) -> AgentSession | None:
    """The session of that name, None for an empty name. NotFound for foreign and unknown ones alike."""
    if not name:
        return None
    sessions = AgentSession.objects.visible_to(key.user).select_related("persona__owner", "workspace__owner")
    found = sessions.filter(key=name).first()
    if found is None:
        raise NotFound(
            _("You have no session “%(key)s”. Open it with POST sessions/, or leave session out.")
            % {"key": name[:200]},
            code="session_not_found",
            field="session",
        )
    return found


def reach_of_key(*, key: AgentKey, references: Sequence[str], session: str) -> Reach:
    """The named namespaces; else the session's persona and workspace; else the key's default persona.

    Raises NotFound for a namespace or session that is missing or foreign, Forbidden (``out_of_reach``) when the
    key reaches none of the default ones.
    """
    held = session_of_key(key=key, name=session)
    if references:
        named = namespaces_for_key(key=key, references=references)
        return Reach(tuple(dict.fromkeys(named)), held)
    wanted = (held.persona_id, held.workspace_id) if held else (_default_persona(key),)
    homes = [pk for pk in wanted if pk is not None]
    reachable = {
        namespace.pk: namespace
        for namespace in Namespace.objects.reachable_by(key).filter(pk__in=homes).select_related("owner")
    }
    if not reachable:
        raise Forbidden(
            _("This key does not reach the namespaces asked about. Name one that it reaches."),
            code="out_of_reach",
            field="namespace",
        )
    return Reach(tuple(reachable[pk] for pk in homes if pk in reachable), held)


def _default_persona(key: AgentKey) -> uuid.UUID | None:
    if key.default_persona_id is not None:
        return key.default_persona_id
    own = Namespace.objects.filter(owner_id=key.user_id, type=Namespace.PERSONA, name="default")
    return own.values_list("pk", flat=True).first()
