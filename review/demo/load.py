"""Load the invented history for ``bin/up --demo``, through the services alone.

Everything that the story tells goes the way of real work: sessions, turns and compactions are stored, the
extractor reads them, an agent asks to remember, the person decides. Only the clock is the story's own.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from operator import itemgetter

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from core.actor import Actor
from core.errors import NotFound
from core.locks import lock
from core.models import AgentKey, AuditEvent, Namespace
from core.services import audit
from core.services.keys import agent_key_create, agent_key_revoke
from core.services.namespaces import namespace_create, persona_default
from decisions.models import Choice
from knowledge.services.vectors import notes_fill_due
from memory.models import Candidate
from memory.services.extraction import scan_next
from memory.services.gate import candidate_approve, candidate_edit, candidate_reject
from memory.services.remember import RememberIn, candidate_remember, vector_of
from memory.services.vectors import fill_due
from review.demo.choice_story import asked
from review.demo.choosing import choice_steps
from review.demo.reusing import reuse_steps
from review.demo.story import Conversation, Exchange, Story, Verdict, Wish, story, zone
from review.demo.using import use_steps
from transcripts.inputs import MessageIn, TurnIn, WorkspaceIn
from transcripts.services.compactions import compaction_store
from transcripts.services.sessions import session_end, session_open
from transcripts.services.turns import turns_store

VERB = "demo.loaded"
KEY_NAME = "demo"
# The extractor reads a turn a minute after it was closed, as a worker with little to do would.
SCAN_AFTER = timedelta(minutes=1)


@dataclass
class Loaded:
    """What a load did. ``fresh`` is false when the history was there already and nothing was changed."""

    fresh: bool
    sessions: int = 0
    turns: int = 0
    waiting: int = 0
    approved: int = 0
    rejected: int = 0
    choices: int = 0


@dataclass
class _Teller:
    """One load: who tells, with which key, and which candidate each wish became."""

    user: User
    key: AgentKey
    sessions: dict[str, uuid.UUID] = field(default_factory=dict)
    wishes: dict[str, Candidate] = field(default_factory=dict)


def demo_load(*, username: str, now: datetime) -> Loaded:
    """Load the history for this person; all of it or nothing. A second call changes nothing.

    Raises NotFound for an unknown user. In one transaction although the extractor runs in it (design
    section 1, rule 5): it calls no network, and a worker must not scan the story by today's clock.
    """
    user = User.objects.filter(username=username).first()
    if user is None:
        raise NotFound(_("There is no user “%(name)s”.") % {"name": username[:150]}, field="username")
    with transaction.atomic():
        lock(f"demo:{user.pk}")
        if AuditEvent.objects.filter(stream=f"user:{user.pk}", verb=VERB).exists():
            return Loaded(fresh=False)
        loaded = _tell(user, story(now.astimezone(zone()).date()), now)
    fill_due()
    notes_fill_due()
    return loaded


def _tell(user: User, told: Story, now: datetime) -> Loaded:
    day = now.astimezone(zone()).date()
    choices = [*asked(day, zone())]
    start = min(told.conversations[0].at, choices[0].at)
    _personas(user, told, start)
    operator = Actor.operator("load_demo")
    key = agent_key_create(user=user, name=KEY_NAME, scopes=["ingest"], actor=operator, now=start).key
    teller = _Teller(user, key)
    verdicts = ((verdict.at, partial(_decide, teller, verdict)) for verdict in told.verdicts)
    reuse = reuse_steps(user, key, teller.wishes, day)
    uses = use_steps(key, told, day)
    steps = [*_steps(teller, told), *choice_steps(key, day), *reuse, *verdicts, *uses]
    for _at, step in sorted(steps, key=itemgetter(0)):
        step()
    # Its work is done, and nobody was ever shown its secret.
    agent_key_revoke(key=key, by=user, now=now)
    own = Candidate.objects.filter(agent_key=key)
    loaded = Loaded(
        fresh=True,
        sessions=len(told.conversations) + len({each.session for each in choices}),
        turns=sum(len(each.exchanges) for each in told.conversations) + len(choices),
        waiting=own.open().count(),
        approved=own.filter(status="approved").count(),
        rejected=own.filter(status="rejected").count(),
        choices=Choice.objects.visible_to(user).observed().count(),
    )
    audit.record(
        stream=f"user:{user.pk}",
        verb=VERB,
        actor=operator,
        object_type="user",
        object_id=user.pk,
        data={"sessions": loaded.sessions, "turns": loaded.turns},
        now=now,
    )
    return loaded


def _personas(user: User, told: Story, now: datetime) -> None:
    persona_default(user=user, now=now)
    there = set(
        Namespace.objects.owned_by(user)
        .filter(type=Namespace.PERSONA, name__in=told.personas)
        .values_list("name", flat=True)
    )
    for name in told.personas:
        if name not in there:
            namespace_create(
                owner=user, type=Namespace.PERSONA, name=name, actor=Actor.operator("load_demo"), now=now
            )


def _steps(teller: _Teller, told: Story) -> Iterator[tuple[datetime, partial[None]]]:
    """What agents send, each at its moment."""
    for talk in told.conversations:
        yield talk.at, partial(_open, teller, talk)
        for exchange in talk.exchanges:
            yield exchange.at, partial(_exchange, teller, talk, exchange)
        last = talk.exchanges[-1].at + 2 * SCAN_AFTER
        yield last, partial(_end, teller, talk, last)


def _open(teller: _Teller, talk: Conversation) -> None:
    opened = session_open(
        agent_key=teller.key,
        key=talk.key,
        client=talk.client,
        persona=talk.persona,
        workspace=WorkspaceIn(talk.workspace),
        tz=str(zone()),
        now=talk.at,
    )
    teller.sessions[talk.key] = opened.pk


def _end(teller: _Teller, talk: Conversation, at: datetime) -> None:
    session_end(agent_key=teller.key, key=talk.key, now=at)
    _scan(teller, talk, at)


def _exchange(teller: _Teller, talk: Conversation, exchange: Exchange) -> None:
    turn = TurnIn(
        session=talk.key,
        key=exchange.key,
        messages=[
            MessageIn(role=line.role, origin=line.origin, text=line.text, at=line.at)
            for line in exchange.lines
        ],
        closed=exchange.closed,
    )
    turns_store(agent_key=teller.key, turns=[turn], now=exchange.at)
    for wish in exchange.wishes:
        _remember(teller, talk, wish, exchange.at)
    if exchange.squeeze:
        compaction_store(
            agent_key=teller.key,
            session=talk.key,
            key=exchange.squeeze.key,
            trigger=exchange.squeeze.trigger,
            through=None,
            messages=(),
            now=exchange.squeeze.at,
        )
    _scan(teller, talk, exchange.at + SCAN_AFTER)


def _scan(teller: _Teller, talk: Conversation, at: datetime) -> None:
    while scan_next(now=at, session_id=teller.sessions[talk.key]):
        pass


def _remember(teller: _Teller, talk: Conversation, wish: Wish, at: datetime) -> None:
    home = talk.persona if wish.scope == Namespace.PERSONA else talk.workspace
    outcome = candidate_remember(
        agent_key=teller.key,
        remember=RememberIn(
            kind=wish.kind,
            content=wish.content,
            confidence=wish.confidence,
            namespace=f"{wish.scope}:{home}",
            session=talk.key,
            quote=wish.quote,
            key=wish.key,
        ),
        now=at,
    )
    if outcome.candidate is not None:
        teller.wishes[wish.key] = outcome.candidate


def _decide(teller: _Teller, verdict: Verdict) -> None:
    candidate = teller.wishes.get(verdict.candidate)
    if candidate is None:  # this person refused the same words before, in real work
        return
    candidate.refresh_from_db()
    if verdict.act == "reject":
        candidate_reject(
            candidate_id=candidate.pk,
            version=candidate.version,
            user=teller.user,
            reason=verdict.reason,
            now=verdict.at,
        )
        return
    if verdict.content:
        candidate = candidate_edit(
            candidate_id=candidate.pk,
            version=candidate.version,
            user=teller.user,
            content=verdict.content,
            kind=candidate.kind,
            namespace_id=candidate.namespace_id,
            vector=vector_of(verdict.content),
            now=verdict.at,
        )
    replaced = teller.wishes.get(verdict.replaces)
    if replaced:
        replaced.refresh_from_db()
    candidate_approve(
        candidate_id=candidate.pk,
        version=candidate.version,
        user=teller.user,
        replaces=replaced.memory_id if replaced else None,
        now=verdict.at,
    )
