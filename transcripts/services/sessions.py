"""Open, find and end sessions (design sections 2 and 7)."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Conflict, NotFound
from core.models import AgentKey, Namespace
from core.selectors.access import namespace_for_key
from core.services.namespaces import workspace_for_key
from transcripts import checks, limits
from transcripts.inputs import Voice, WorkspaceIn
from transcripts.models import AgentSession, Turn
from transcripts.services.held import default_persona, hold, hold_or_open, require_reach


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
    voice = Voice.of_key(agent_key)
    # Making a namespace takes a lock of its person. It always comes before the session's, else two would deadlock.
    named_persona = _persona(agent_key, persona) if persona else None
    named_workspace = _workspace(agent_key, workspace, now) if workspace else None
    home = named_persona or default_persona(agent_key, now)
    known = hold(voice=voice, keys=[key], now=now).get(key)
    if known is None:
        fresh = AgentSession(
            user=agent_key.user,
            key=key,
            agent_key=agent_key,
            client=client[:60],
            persona=home,
            workspace=named_workspace,
            fingerprints=list(workspace.fingerprints) if workspace else [],
            tz=tz,
            internal=internal,
            started_at=now,
        )
        require_reach(agent_key, fresh.home)
        AgentSession.objects.bulk_create([fresh], ignore_conflicts=True)
        known = hold(voice=voice, keys=[key], now=now)[key]
        if known.session.pk == fresh.pk:
            return known.session
    session = known.session
    if workspace:
        session.fingerprints = list(dict.fromkeys([*session.fingerprints, *workspace.fingerprints]))
    return _complete(session, agent_key, named_persona, named_workspace, client, tz, internal)


def session_for(*, agent_key: AgentKey, key: str, now: datetime) -> AgentSession:
    """The session of that key; an unknown one is opened with the key's default persona.

    It then waits a minute for its workspace. Raises Invalid (key), Forbidden (`out_of_reach`).
    """
    checks.refuse(list(checks.key_problems("session", key)))
    with transaction.atomic():
        return hold_or_open(agent_key=agent_key, keys=[key], now=now)[key].session


@transaction.atomic
def session_end(*, agent_key: AgentKey, key: str, now: datetime) -> AgentSession:
    """End a session and close what it left open, so that it is scanned. Ending it again changes nothing.

    Raises NotFound for an unknown or foreign session.
    """
    held = hold(voice=Voice.of_key(agent_key), keys=[key], now=now).get(key)
    if held is None:
        raise NotFound(
            _("You have no session “%(key)s”.") % {"key": key[:200]}, code="session_not_found", field="key"
        )
    held.refuse_unreached()
    session = held.session
    if session.ended_at is None:
        session.ended_at = now
        session.save(update_fields=["ended_at"])
        Turn.objects.filter(session=session, closed_at=None).update(closed_at=now, due_at=now)
    return session


@transaction.atomic
def sessions_close_idle(*, now: datetime) -> int:
    """Close turns that a client left open a day ago without ending its session; returns how many.

    A client that crashed in mid-turn must not keep its last words from ever being scanned (lessons row 4).
    """
    idle = Turn.objects.filter(closed_at=None, session__last_turn_at__lte=now - limits.IDLE)
    return Turn.objects.filter(pk__in=idle.values("pk")).update(closed_at=now, due_at=now)


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
    require_reach(agent_key, session.home)
    session.save(
        update_fields=[
            "persona",
            "workspace",
            "fingerprints",
            "workspace_wait_until",
            "client",
            "tz",
            "internal",
            "ended_at",
        ]
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
            allowed=["persona:<name>", "persona:<owner>/<name>"],
        ) from error


def _workspace(agent_key: AgentKey, workspace: WorkspaceIn, now: datetime) -> Namespace:
    return workspace_for_key(
        key=agent_key,
        name=workspace.name.removeprefix("workspace:"),
        fingerprints=list(workspace.fingerprints),
        now=now,
    )
