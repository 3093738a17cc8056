"""One event on its way through: who sent it, what it may do, where it belongs."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from core.models import AgentKey
from core.services.keys import agent_key_missed
from integrations.hooks.envelope import Envelope
from integrations.hooks.events import Event
from integrations.models import HookSession, HookSettings
from integrations.selectors.hooks import hook_settings_of
from transcripts.inputs import WorkspaceIn
from transcripts.models import AgentSession
from transcripts.services.late import session_known
from transcripts.services.sessions import session_open

CLIENT = "claude_code"


@dataclass
class Desk:
    """``notes`` say what was left out; ``scan`` names sessions that now have something to read."""

    agent_key: AgentKey
    event: Event
    envelope: Envelope
    now: datetime
    notes: list[str] = field(default_factory=list)
    scan: set[UUID] = field(default_factory=set)

    @property
    def at(self) -> datetime:
        """When it happened: by the client's clock, else now."""
        return self.envelope.at or self.now

    @property
    def turn(self) -> str:
        """The key of the turn that the event belongs to; "" for a client that does not name its prompts."""
        return self.event.prompt_id

    @property
    def is_awaited(self) -> bool:
        """Somebody reads the answer. What comes from the spool is stored, and brings nothing to anybody."""
        return not self.envelope.late

    def may(self, scope: str) -> bool:
        """Has the key this scope? If not, its page says what was missed."""
        if self.agent_key.has_scope(scope):
            return True
        self.notes.append(f"missing_scope:{scope}")
        agent_key_missed(key=self.agent_key, scope=scope, event=self.event.name, now=self.now)
        return False

    def wants(self) -> HookSettings:
        return hook_settings_of(user=self.agent_key.user)

    def session(self, *, starts: bool = False) -> AgentSession:
        """The session, opened where the event says it runs. A workspace once known stays, wherever the agent goes.

        ``starts``: the client says that it begins or goes on. Raises Forbidden (``out_of_reach``), Invalid.
        """
        known = session_known(agent_key=self.agent_key, key=self.event.session)
        unnamed = known is None or (known.workspace_id is None and bool(self.envelope.workspace))
        if known is not None and not unnamed and not (starts and known.ended_at):
            return known
        return session_open(
            agent_key=self.agent_key,
            key=self.event.session,
            client=CLIENT,
            workspace=self._workspace() if unnamed else None,
            tz=self.envelope.tz,
            now=self.now,
        )

    def _workspace(self) -> WorkspaceIn | None:
        name = self.envelope.workspace
        return WorkspaceIn(name, self.envelope.fingerprints) if name else None


def hook_session(session: AgentSession) -> HookSession:
    """What the hooks remember of it; made when it is first asked for."""
    return HookSession.objects.get_or_create(session=session)[0]
