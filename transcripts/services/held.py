"""Sessions whose rows are held to the end of a transaction, so that writers of one session take turns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from core.errors import Forbidden, Paused
from core.models import AgentKey, Namespace
from core.services.namespaces import persona_default
from transcripts import limits
from transcripts.inputs import Voice
from transcripts.models import AgentSession


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


# Ingest asks this in every request; composed through the ORM it costs more than all the rest, so it is written out.
# One row for each namespace of a session. `reached` is what `Namespace.objects.reachable_by` and `visible_to` say.
_FLAGS = """
SELECT n.*, s.id AS session_id,
    EXISTS (
        SELECT 1 FROM core_membership m
        WHERE m.namespace_id = COALESCE(s.workspace_id, s.persona_id) AND m.user_id = s.user_id
    ) AND (
        %(short_key)s::uuid IS NULL OR EXISTS (
            SELECT 1 FROM core_agentkey_namespaces r
            WHERE r.namespace_id = COALESCE(s.workspace_id, s.persona_id) AND r.agentkey_id = %(short_key)s::uuid
        )
    ) AS reached,
    EXISTS (SELECT 1 FROM transcripts_exposure e WHERE e.session_id = s.id)
    OR EXISTS (
        SELECT 1 FROM transcripts_exposure e
        WHERE e.session_id IS NULL AND e.agent_key_id = %(key)s::uuid AND e.at > %(lately)s
    ) AS exposed,
    EXISTS (SELECT 1 FROM transcripts_compaction c WHERE c.session_id = s.id) AS squeezed
FROM transcripts_agentsession s
JOIN core_namespace n ON n.id IN (s.persona_id, s.workspace_id)
WHERE s.id = ANY(%(sessions)s)
"""


def hold(*, voice: Voice, keys: Iterable[str], now: datetime) -> dict[str, Held]:
    """The person's sessions of these keys; unknown ones are left out. Two queries, inside a transaction.

    The second one is a statement of its own, because the first may have waited for another writer: what a statement
    sees beside the rows it locks is as old as its beginning.
    """
    locked = (
        AgentSession.objects.visible_to(voice.user)
        .filter(key__in=sorted(set(keys)))
        # NO KEY: turns and messages that point here can still be inserted meanwhile.
        .select_for_update(no_key=True)
        .order_by("pk")
    )
    rows = {row.pk: row for row in locked}
    if not rows:
        return {}
    key = voice.agent_key
    flags = {
        "key": key and key.pk,
        "short_key": key.pk if key and key.reach == AgentKey.REACH_LIST else None,
        "lately": now - limits.KEY_EXPOSURE,
        "sessions": list(rows),
    }
    found: dict[str, Held] = {}
    for home in Namespace.objects.raw(_FLAGS, flags):
        about = vars(home)  # the namespace's own columns, and those of the query
        row = rows[about["session_id"]]
        if home.pk == row.persona_id:
            row.persona = home
        if home.pk == row.workspace_id:
            row.workspace = home
        found[row.key] = Held(row, about["reached"], about["exposed"], about["squeezed"])
    return found


def hold_or_open(*, agent_key: AgentKey, keys: Iterable[str], now: datetime) -> dict[str, Held]:
    """As `hold`, for every key: an unknown session is opened with the key's default persona.

    It then waits for its workspace for a minute (design section 7). Raises Forbidden (`out_of_reach`).
    """
    voice = Voice.of_key(agent_key)
    persona = default_persona(agent_key, now)  # first: it may take a lock that comes before the sessions'
    wanted = sorted(set(keys))
    found = hold(voice=voice, keys=wanted, now=now)
    missing = [key for key in wanted if key not in found]
    if missing:
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
