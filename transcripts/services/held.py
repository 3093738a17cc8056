"""Sessions whose rows are held to the end of a transaction, so that writers of one session take turns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from core.errors import Forbidden, Paused
from core.models import AgentKey, Namespace
from core.services.namespaces import persona_default
from transcripts import limits
from transcripts.inputs import Voice
from transcripts.models import AgentSession, Compaction
from transcripts.services.exposures import exposed_to


@dataclass(frozen=True)
class Held:
    """A session, and what a writer must know of it; read in the one query that takes the lock.

    `reached`: the caller reaches its home. `exposed`: something was served to it, or to its key lately.
    `squeezed`: a compaction has come in.
    """

    session: AgentSession
    reached: bool
    exposed: bool
    squeezed: bool

    def refuse_unreached(self) -> None:
        """Raise Forbidden (`out_of_reach`): a short key, or a workspace its person has left."""
        if not self.reached:
            raise out_of_reach(self.session.home)

    def refuse_paused(self) -> None:
        """Raise Paused when the home is paused: nothing is stored there (design section 2)."""
        home = self.session.home
        if home.is_paused:
            raise Paused(
                _("%(name)s is paused: nothing is stored. Resume it in Settings → Workspaces.")
                % {"name": str(home)[:220]},
                session=self.session.key,
                namespace=str(home),
            )


def hold(*, voice: Voice, keys: Iterable[str], now: datetime) -> dict[str, Held]:
    """The person's sessions of these keys; unknown ones are left out. One query, inside a transaction."""
    home = Coalesce(OuterRef("workspace_id"), OuterRef("persona_id"))
    key = voice.agent_key
    namespaces = Namespace.objects.reachable_by(key) if key else Namespace.objects.visible_to(voice.user)
    rows = (
        AgentSession.objects.visible_to(voice.user)
        .filter(key__in=sorted(set(keys)))
        .select_related("persona", "workspace")
        .annotate(
            reached=Exists(namespaces.filter(pk=home)),
            exposed=exposed_to(OuterRef("pk"), key, now),
            squeezed=Exists(Compaction.objects.filter(session=OuterRef("pk"))),
        )
        # NO KEY: turns and messages that point here can still be inserted meanwhile.
        .select_for_update(of=("self",), no_key=True)
        .order_by("pk")
    )
    flags = ("reached", "exposed", "squeezed")
    return {row.key: Held(row, **{flag: getattr(row, flag) for flag in flags}) for row in rows}


def hold_or_open(*, agent_key: AgentKey, keys: Iterable[str], now: datetime) -> dict[str, Held]:
    """As `hold`, for every key: an unknown session is opened with the key's default persona.

    It then waits for its workspace for a minute (design section 7). Raises Forbidden (`out_of_reach`).
    """
    voice = Voice.of_key(agent_key)
    wanted = sorted(set(keys))
    found = hold(voice=voice, keys=wanted, now=now)
    missing = [key for key in wanted if key not in found]
    if missing:
        persona = default_persona(agent_key, now)
        AgentSession.objects.bulk_create(
            [
                AgentSession(
                    user=agent_key.user,
                    key=key,
                    agent_key=agent_key,
                    persona=persona,
                    started_at=now,
                    workspace_wait_until=now + limits.WORKSPACE_WAIT,
                )
                for key in missing
            ],
            ignore_conflicts=True,  # another delivery may open the same session right now
        )
        found = hold(voice=voice, keys=wanted, now=now)
    for held in found.values():
        held.refuse_unreached()
    return found


def default_persona(agent_key: AgentKey, now: datetime) -> Namespace:
    return agent_key.default_persona or persona_default(user=agent_key.user, now=now)


def require_reach(agent_key: AgentKey, home: Namespace) -> None:
    """Raises Forbidden (`out_of_reach`)."""
    if not Namespace.objects.reachable_by(agent_key).filter(pk=home.pk).exists():
        raise out_of_reach(home)


def out_of_reach(home: Namespace) -> Forbidden:
    return Forbidden(
        _("This key does not reach %(name)s. Open the session with a workspace that it reaches.")
        % {"name": str(home)[:220]},
        code="out_of_reach",
        field="session",
    )
