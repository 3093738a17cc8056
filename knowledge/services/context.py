"""Serve what every session starts with, and remember that it was shown (design section 6)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from core.models import AgentKey, Namespace
from knowledge.selectors.resident import Section, resident
from memory.selectors.reach import reach_of_key
from transcripts.services.exposures import exposure_record


@dataclass(frozen=True)
class Context:
    """``paused``: namespaces of the session that contribute nothing for now."""

    sections: tuple[Section, ...]
    paused: tuple[Namespace, ...]


def context_serve(
    *, agent_key: AgentKey, session: str, now: datetime, characters: int | None = None
) -> Context:
    """The resident part for this session, or for the key's default persona; ``characters`` caps the whole.

    Raises NotFound (session), Forbidden (``internal_session``, ``out_of_reach``).
    """
    reach = reach_of_key(key=agent_key, references=(), session=session)
    homes = [home for home in reach.namespaces if not home.is_paused]
    found = resident(homes=homes, session=reach.session, characters=characters)
    exposure_record(session=reach.session, agent_key=agent_key, path="resident", items=found.shown, now=now)
    return Context(found.sections, reach.paused)
