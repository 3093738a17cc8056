"""Open, find and end sessions (design sections 2 and 7)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Conflict, Forbidden, NotFound, Paused
from core.models import AgentKey, Namespace
from core.selectors.access import namespace_for_key
from core.services.namespaces import persona_default, workspace_for_key
from transcripts import checks, limits
from transcripts.inputs import WorkspaceIn
from transcripts.models import AgentSession, Turn

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@transaction.atomic
def session_open(
    *,
    agent_key: AgentKey,
    key: str,
    now: datetime,
    client: str = "",
    persona: str | None = None,
    workspace: WorkspaceIn | None = None,
    tz: str = "",
    internal: bool = False,
) -> AgentSession:
    """Open a session, or complete one that an early turn opened. Repeating it changes nothing; an ended one goes on.

    Raises Invalid (key, tz), NotFound (persona), Forbidden (`out_of_reach`), and Conflict (`session_changed`)
    when the session already runs as another persona or in another workspace: the first stays.
    """
    checks.refuse(
        [
            *checks.key_problems("key", key),
            *checks.zone_problems("tz", tz),
            *(checks.workspace_problems("workspace", workspace) if workspace else ()),
        ]
    )
    known = _locked(agent_key.user, [key]).get(key)
    named_persona = _persona(agent_key, persona) if persona else None
    named_workspace = _workspace(agent_key, workspace, now) if workspace else None
    if known is None:
        home = named_persona or _default_persona(agent_key, now)
        fresh = AgentSession(
            user=agent_key.user,
            key=key,
            agent_key=agent_key,
            client=client[:60],
            persona=home,
            workspace=named_workspace,
            tz=tz,
            internal=internal,
            started_at=now,
        )
        _require_reach(agent_key, fresh.home)
        AgentSession.objects.bulk_create([fresh], ignore_conflicts=True)
        known = _locked(agent_key.user, [key])[key]
        if known.pk == fresh.pk:
            return known
    return _complete(known, agent_key, named_persona, named_workspace, client, tz, internal)


def session_for(*, agent_key: AgentKey, key: str, now: datetime) -> AgentSession:
    """The session of that key; an unknown one is opened with the key's default persona.

    It then waits a minute for its workspace. Raises Invalid (key), Forbidden (`out_of_reach`).
    """
    checks.refuse(list(checks.key_problems("session", key)))
    with transaction.atomic():
        return sessions_locked(agent_key=agent_key, keys=[key], now=now)[key]


def sessions_locked(*, agent_key: AgentKey, keys: Iterable[str], now: datetime) -> dict[str, AgentSession]:
    """Sessions by key, opened where unknown, their rows held to the end of the caller's transaction.

    The lock makes writers of one session take turns, so that two deliveries of one turn give one row.
    """
    wanted = sorted(set(keys))
    found = _locked(agent_key.user, wanted)
    missing = [key for key in wanted if key not in found]
    if missing:
        persona = _default_persona(agent_key, now)
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
            ignore_conflicts=True,
        )
        found = _locked(agent_key.user, wanted)
    homes = {session.home.pk: session.home for session in found.values()}
    reachable = set(
        Namespace.objects.reachable_by(agent_key).filter(pk__in=homes).values_list("pk", flat=True)
    )
    for pk, home in homes.items():
        if pk not in reachable:
            raise _out_of_reach(home)
    return found


def refuse_paused(session: AgentSession) -> None:
    """Raise Paused when the session's home is paused: nothing is stored there (design section 2)."""
    if session.home.is_paused:
        raise Paused(
            _("%(name)s is paused: nothing is stored. Resume it in Settings → Workspaces.")
            % {"name": str(session.home)[:220]},
            session=session.key,
            namespace=str(session.home),
        )


@transaction.atomic
def session_end(*, agent_key: AgentKey, key: str, now: datetime) -> AgentSession:
    """End a session and close what it left open, so that it is scanned. Ending it again changes nothing.

    Raises NotFound for an unknown or foreign session.
    """
    session = _locked(agent_key.user, [key]).get(key)
    if session is None:
        raise NotFound(
            _("You have no session “%(key)s”.") % {"key": key[:200]}, code="session_not_found", field="key"
        )
    _require_reach(agent_key, session.home)
    if session.ended_at is None:
        session.ended_at = now
        session.save(update_fields=["ended_at"])
        Turn.objects.filter(session=session, closed_at=None).update(closed_at=now, due_at=now)
    return session


def _locked(user: User, keys: list[str]) -> dict[str, AgentSession]:
    rows = (
        AgentSession.objects.visible_to(user)
        .filter(key__in=keys)
        .select_related("persona", "workspace")
        # NO KEY: turns and messages that point here can still be inserted meanwhile by others.
        .select_for_update(of=("self",), no_key=True)
        .order_by("id")
    )
    return {session.key: session for session in rows}


def _complete(
    session: AgentSession,
    agent_key: AgentKey,
    persona: Namespace | None,
    workspace: Namespace | None,
    client: str,
    tz: str,
    internal: bool,
) -> AgentSession:
    """Fill in what is not known yet. Until `workspace_wait_until` is cleared nobody has named the persona."""
    unnamed = session.workspace_wait_until is not None
    if persona and persona != session.persona and not unnamed:
        raise _changed(session, "persona", session.persona)
    if workspace and session.workspace and workspace != session.workspace:
        raise _changed(session, "workspace", session.workspace)
    if persona and unnamed:
        session.persona = persona
    session.workspace = session.workspace or workspace
    session.workspace_wait_until = None
    session.client = session.client or client[:60]
    session.tz = session.tz or tz
    session.internal = session.internal or internal
    session.ended_at = None
    _require_reach(agent_key, session.home)
    session.save(
        update_fields=["persona", "workspace", "workspace_wait_until", "client", "tz", "internal", "ended_at"]
    )
    return session


def _changed(session: AgentSession, field: str, current: Namespace) -> Conflict:
    return Conflict(
        _("Session “%(key)s” already runs in %(name)s; that stays. Open another session for another one.")
        % {"key": session.key, "name": current},
        code="session_changed",
        field=field,
        session=session.key,
        current=str(current),
    )


def _persona(agent_key: AgentKey, reference: str) -> Namespace:
    """`default` and `persona:default` mean the same."""
    try:
        return namespace_for_key(
            key=agent_key,
            reference=reference if reference.startswith("persona:") else f"persona:{reference}",
        )
    except NotFound as error:
        raise NotFound(
            error.message,
            code=error.code,
            field="persona",
            allowed="persona:<name> or persona:<owner>/<name>",
        ) from error


def _workspace(agent_key: AgentKey, workspace: WorkspaceIn, now: datetime) -> Namespace:
    return workspace_for_key(
        key=agent_key,
        name=workspace.name.removeprefix("workspace:"),
        fingerprints=list(workspace.fingerprints),
        now=now,
    )


def _default_persona(agent_key: AgentKey, now: datetime) -> Namespace:
    return agent_key.default_persona or persona_default(user=agent_key.user, now=now)


def _require_reach(agent_key: AgentKey, home: Namespace) -> None:
    if not Namespace.objects.reachable_by(agent_key).filter(pk=home.pk).exists():
        raise _out_of_reach(home)


def _out_of_reach(home: Namespace) -> Forbidden:
    return Forbidden(
        _("This key does not reach %(name)s. Open the session with a workspace that it reaches.")
        % {"name": str(home)[:220]},
        code="out_of_reach",
        field="session",
    )
