"""Explicit ways in: an agent remembers, a person types (design section 4)."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Forbidden, Invalid, NotFound
from core.models import AgentKey, Namespace
from core.redact import redact
from core.selectors.access import namespace_for_key
from memory.embedder import comparable
from memory.inputs import Outcome, Proposed, SpanIn, Vector
from memory.models import Source, TrustTier
from memory.services.candidates import candidate_propose, replay_of, validate
from memory.services.grounding import ground_quote
from transcripts.models import AgentSession
from transcripts.services.exposures import served_among
from transcripts.services.sessions import session_for


@dataclass(frozen=True)
class RememberIn:
    """What ``POST candidates/`` carries; ``quote`` is the human span that supports it."""

    kind: str
    content: str
    confidence: float = 0.5
    namespace: str = ""
    session: str = ""
    quote: str = ""
    key: str = ""


def vector_of(content: str) -> Vector | None:
    """What tells likeness of meaning; None without a model, and outside every transaction."""
    return comparable([content])[0]


def candidate_remember(*, agent_key: AgentKey, remember: RememberIn, now: datetime) -> Outcome:
    """An agent asks to remember. It becomes a candidate, never a memory.

    A quote that a human typed in the session makes it tier *human*; without one it is kept as *agent*, or as
    *tool* when the text stands in the session's tool output. Text that Hikae served there is known already.
    """
    content = redact(remember.content).text
    validate(kind=remember.kind, content=content, confidence=remember.confidence)
    known = AgentSession.objects.visible_to(agent_key.user).filter(key=remember.session).first()
    proposal = Proposed(
        namespace=_namespace(agent_key, remember.namespace, known),
        kind=remember.kind,
        content=content,
        source=Source.REMEMBER,
        trust=TrustTier.AGENT,
        confidence=remember.confidence,
        why="an agent asked to remember it",
        agent_key=agent_key,
        idempotency_key=remember.key,
    )
    if replayed := replay_of(proposal):
        return replayed
    served = served_among(sessions=[known] if known else [], agent_key=agent_key, texts=[content], now=now)
    if served.holds(content):
        return Outcome("suppressed", None, _("Hikae served this text itself; it is known already."))
    spans, trust = _ground(known, content, redact(remember.quote).text)
    vector = vector_of(content)
    with transaction.atomic():  # a refused proposal opens no session
        session = (
            session_for(agent_key=agent_key, key=remember.session, now=now) if remember.session else None
        )
        whole = replace(proposal, trust=trust, spans=spans, session=session, vector=vector)
        return candidate_propose(proposal=whole, now=now)


def _namespace(agent_key: AgentKey, reference: str, session: AgentSession | None) -> Namespace:
    if reference:
        return namespace_for_key(key=agent_key, reference=reference)
    persona = session.persona if session is not None else agent_key.default_persona
    if persona is None:
        raise Invalid(_("This key has no persona; name a namespace."), field="namespace")
    if not Namespace.objects.reachable_by(agent_key).filter(pk=persona.pk).exists():
        raise Forbidden(
            _("This key does not reach %(name)s. Name a namespace that it reaches.") % {"name": persona},
            code="out_of_reach",
            field="namespace",
        )
    return persona


def _ground(session: AgentSession | None, content: str, quote: str) -> tuple[tuple[SpanIn, ...], str]:
    if session is None:
        return (), TrustTier.AGENT
    return ground_quote(session=session, content=content, quote=quote)


def candidate_type(*, user: User, namespace_id: uuid.UUID, kind: str, content: str, now: datetime) -> Outcome:
    """A person types a candidate. It is never suppressed; the outcome names what it resembles."""
    namespace = Namespace.objects.reviewable_by(user).filter(pk=namespace_id).first()
    if namespace is None:
        raise NotFound(_("There is no namespace that you can review there."), field="namespace")
    content = redact(content).text.strip()
    validate(kind=kind, content=content, confidence=1)
    proposal = Proposed(
        namespace=namespace,
        kind=kind,
        content=content,
        source=Source.MANUAL,
        trust=TrustTier.HUMAN,
        confidence=1.0,
        why="typed by hand",
        vector=vector_of(content),
    )
    return candidate_propose(proposal=proposal, now=now)
