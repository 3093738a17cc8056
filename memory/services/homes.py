"""Where a proposal of a session may be filed: never beyond what the session's key reaches (design section 2)."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from core.locks import lock
from core.models import Namespace
from transcripts.models import AgentSession


@dataclass(frozen=True)
class Homes:
    """Persona and workspace of a session, and which of them its key, or for an import its person, reaches now."""

    session: AgentSession
    reached: frozenset[uuid.UUID]

    @classmethod
    def of(cls, session: AgentSession) -> Homes:
        if session.agent_key is None:
            rows = Namespace.objects.visible_to(session.user)
        else:
            rows = Namespace.objects.reachable_by(session.agent_key)
        both = {session.persona_id, session.workspace_id or session.persona_id}
        return cls(session, frozenset(rows.filter(pk__in=both).values_list("pk", flat=True)))

    def home(self, scope: str) -> Namespace | None:
        """The namespace for a proposal of this scope (persona or workspace), else the other one, else None.

        A key with a list may reach the workspace alone; a person may have left the workspace since.
        """
        persona, workspace = self.session.persona, self.session.workspace
        wanted = (workspace, persona) if scope == "workspace" else (persona, workspace)
        return next((each for each in wanted if each is not None and each.pk in self.reached), None)

    def lock(self) -> None:
        """Take both gates at once: two sessions that file in two orders would wait for each other."""
        lock(*(f"gate:{namespace_id}" for namespace_id in self.reached))
