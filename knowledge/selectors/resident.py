"""What is put before every session (design section 6): the summary and resident Knowledge descriptions."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from core.errors import Forbidden, NotFound
from core.models import AgentKey
from transcripts.models import AgentSession


@dataclass(frozen=True)
class Section:
    """One part of the resident context; ``cut`` says how to read the rest of a shortened text."""

    type: str
    slug: str | None
    text: str
    tokens: int
    cut: str


def resident_sections(*, session: AgentSession | None) -> list[Section]:
    """The sections for this session. A missing part is simply absent; no room writes resident parts yet.

    Raises Forbidden for internal sessions: a sub-task must not be steered by the person's summary.
    """
    if session is not None and session.internal:
        raise Forbidden(
            _("Internal sessions get no resident context."), code="internal_session", field="session"
        )
    return []


def session_for_context(*, key: AgentKey, session: str) -> AgentSession | None:
    """The named session of the key's person; None when none is named. Raises NotFound."""
    if not session:
        return None
    found = (
        AgentSession.objects.visible_to(key.user)
        .select_related("persona", "workspace")
        .filter(key=session)
        .first()
    )
    if found is None:
        raise NotFound(_("There is no such session."), code="session_not_found", field="session")
    return found
