"""Builders shared by all tests: each goes through the services, so impossible states cannot be built."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from core.actor import Actor
from core.models import AgentKey, Namespace
from core.services.keys import NewKey, agent_key_create
from core.services.namespaces import namespace_create, persona_default
from transcripts.inputs import MessageIn, StoreResult, TurnIn, WorkspaceIn
from transcripts.models import AgentSession, Message, Turn
from transcripts.services.sessions import session_open
from transcripts.services.turns import turns_store


def person(name: str = "alice") -> User:
    """A person with `persona:default`, as the first start or a new member has it."""
    user = User.objects.create_user(name)
    persona_default(user=user, now=timezone.now())
    return user


def key(user: User, *, name: str = "laptop", **kwargs: Any) -> NewKey:
    """An agent key with all scopes and reach; keyword arguments as `agent_key_create` takes them."""
    kwargs.setdefault("actor", Actor.person(user))
    kwargs.setdefault("now", timezone.now())
    return agent_key_create(user=user, name=name, **kwargs)


def api(secret: str) -> APIClient:
    """A client that speaks JSON with this key."""
    client = APIClient()
    client.default_format = "json"
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return client


def persona(user: User, name: str) -> Namespace:
    return namespace_create(
        owner=user, type=Namespace.PERSONA, name=name, actor=Actor.person(user), now=timezone.now()
    )


def workspace(user: User, name: str = "api") -> Namespace:
    return namespace_create(
        owner=user, type=Namespace.WORKSPACE, name=name, actor=Actor.person(user), now=timezone.now()
    )


def session(
    agent_key: AgentKey,
    name: str = "s1",
    *,
    workspace: str | None = "api",
    fingerprints: Sequence[str] = (),
    now: datetime | None = None,
    **kwargs: Any,
) -> AgentSession:
    """An open session; the workspace is made on first use."""
    return session_open(
        agent_key=agent_key,
        key=name,
        workspace=WorkspaceIn(workspace, fingerprints) if workspace else None,
        now=now or timezone.now(),
        **kwargs,
    )


def human(text: str, **kwargs: Any) -> MessageIn:
    return MessageIn("user", text, origin="human", **kwargs)


def agent(text: str, **kwargs: Any) -> MessageIn:
    return MessageIn("assistant", text, **kwargs)


def tool(text: str, **kwargs: Any) -> MessageIn:
    return MessageIn("tool", text, **kwargs)


def store(
    agent_key: AgentKey,
    *turns: TurnIn,
    now: datetime | None = None,
    backlog: bool = False,
) -> StoreResult:
    return turns_store(agent_key=agent_key, turns=turns, now=now or timezone.now(), backlog=backlog)


def turn(
    agent_key: AgentKey,
    *messages: MessageIn | str,
    session: str = "s1",
    name: str = "t1",
    closed: bool = True,
    now: datetime | None = None,
    backlog: bool = False,
) -> Turn:
    """A stored turn; a plain string is a text that the person typed."""
    inputs = [human(each) if isinstance(each, str) else each for each in messages]
    result = store(agent_key, TurnIn(session, name, inputs, closed), now=now, backlog=backlog)
    return Turn.objects.get(pk=result.turns[0].id)


def messages(turn: Turn) -> list[Message]:
    return list(turn.messages.order_by("index"))
