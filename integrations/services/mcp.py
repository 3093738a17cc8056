"""What MCP clients need beside the services of the rooms: a session of their own, and a summary by its address."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from core.models import AgentKey, Namespace
from knowledge.selectors.resident import Section, resident
from memory.selectors.reach import reach_of_key
from transcripts.inputs import WorkspaceIn
from transcripts.models import AgentSession
from transcripts.services.exposures import exposure_record
from transcripts.services.sessions import session_open

CLIENT = "mcp"


@dataclass(frozen=True)
class NamespaceSummary:
    """The resident part of one namespace; no sections when it is paused or holds nothing."""

    namespace: Namespace
    sections: tuple[Section, ...]


def session_ready(*, agent_key: AgentKey, session: str, workspace: str, now: datetime) -> str:
    """The name of a session that exists: the one asked for, else one for this key, workspace and day (UTC).

    MCP knows no conversations, and what an agent is shown must be remembered somewhere. A known session stays as it
    is, whoever opened it for this person. Raises Invalid, NotFound, Forbidden as ``session_open`` does.
    """
    name = session or "-".join(
        part for part in (CLIENT, agent_key.prefix, workspace[:120], f"{now:%Y-%m-%d}") if part
    )
    if not AgentSession.objects.visible_to(agent_key.user).filter(key=name).exists():
        session_open(
            agent_key=agent_key,
            key=name,
            client=CLIENT,
            workspace=WorkspaceIn(workspace, ()) if workspace else None,
            now=now,
        )
    return name


def summary_serve(*, agent_key: AgentKey, reference: str, session: str, now: datetime) -> NamespaceSummary:
    """What sessions in this namespace start with; recorded as an exposure. Raises NotFound, Forbidden."""
    reach = reach_of_key(key=agent_key, references=[reference], session=session)
    home = reach.namespaces[0]
    found = resident(homes=[] if home.is_paused else [home], session=reach.session)
    exposure_record(session=reach.session, agent_key=agent_key, path="resident", items=found.shown, now=now)
    return NamespaceSummary(home, found.sections)
