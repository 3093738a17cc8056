"""Where a call belongs, and whether anything may be stored there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Case, IntegerField, Subquery, Value, When
from django.utils.translation import gettext as _

from core.errors import Paused
from core.models import AgentKey
from decisions.inputs import CLOCK_SKEW
from transcripts.models import AgentSession, Message, Turn
from transcripts.services.held import default_persona, hold_or_open, require_reach

ASK_TURN = "ask:"  # turns that hold what was typed into a question's dialog


@dataclass(frozen=True)
class Place:
    """Whose call it is, when it happened, what stands beside it. ``session`` is held to the transaction's end."""

    agent_key: AgentKey
    session: AgentSession | None
    at: datetime
    now: datetime
    source: str
    context: Mapping[str, str] = field(default_factory=dict)
    tool_use_id: str = ""
    decision_id: str = ""
    prompt_id: str = ""

    @property
    def user(self) -> User:
        return self.agent_key.user


def session_at(*, agent_key: AgentKey, key: str, now: datetime) -> AgentSession | None:
    """The session of that key, opened if need be; None without a key.

    Raises Forbidden (``out_of_reach``), and Paused: nothing is stored there, and the agent is told so.
    """
    if key:
        held = hold_or_open(agent_key=agent_key, keys=[key], now=now)[key]
        held.refuse_paused()
        return held.session
    home = default_persona(agent_key, now)
    require_reach(agent_key, home)
    if home.is_paused:
        raise Paused(
            _("%(name)s is paused: nothing is stored. Resume it in Settings → Workspaces.")
            % {"name": str(home)[:220]},
            namespace=str(home),
        )
    return None


def prompt_of(place: Place) -> str:
    """What opened the turn in which the question was asked; "" when the turn has not come in yet."""
    if place.session is None:
        return ""
    turns = Turn.objects.filter(session=place.session, opened_at__lte=place.at + CLOCK_SKEW)
    named = Case(When(key=place.prompt_id, then=Value(0)), default=Value(1), output_field=IntegerField())
    turn = turns.exclude(key__startswith=ASK_TURN).order_by(
        *([named] if place.prompt_id else []), "-opened_at", "-pk"
    )
    said = Message.objects.filter(turn=Subquery(turn.values("pk")[:1]), role="user").order_by("index")
    return said.values_list("text", flat=True).first() or ""
