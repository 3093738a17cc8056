"""Try a prompt's draft on a past turn: what would be proposed, what would be dropped and why. Nothing is filed.

Only the day's token budget notices: a trial costs what a scan costs.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from core.errors import Conflict, Invalid, NotFound
from core.models import Namespace
from core.selectors.access import namespace_owned
from memory.extractors.base import Proposal, RequestNote, Usage
from memory.inputs import SpanIn
from memory.models import Candidate, Memory, TokenMeter, Tombstone
from memory.prompts import bundled
from memory.services import likeness
from memory.services.candidates import waits_already
from memory.services.extractors import ask, person_speaks
from memory.services.homes import Homes
from memory.services.prompts import drafted, prompt_check
from memory.services.validation import ground
from memory.services.windows import window_for
from transcripts.models import AgentSession, Turn
from transcripts.selectors.windows import turn_again
from transcripts.services.exposures import served_among


@dataclass(frozen=True)
class Tried:
    """One proposal. ``dropped`` is the reason why it would be dropped, else empty; then ``known`` says what it repeats:
    ``waiting``, ``memory``, ``rejected``, ``archived``, or empty when it would be new.
    """

    proposal: Proposal
    dropped: str = ""
    trust: str = ""
    home: Namespace | None = None
    spans: Sequence[SpanIn] = ()
    known: str = ""


@dataclass(frozen=True)
class Trial:
    """``refused``: no answer, because of ``budget``, ``invalid_answer``, ``unavailable`` (``error`` has the words) or
    ``silent`` (no person speaks in the turn, so no model is asked). ``left`` are the tokens that the day still has.
    """

    model: str
    seconds: float
    items: Sequence[Tried] = ()
    requests: Sequence[RequestNote] = ()
    usage: Usage = field(default_factory=Usage)
    refused: str = ""
    error: str = ""
    left: int = 0

    @property
    def kept(self) -> Sequence[Tried]:
        return [each for each in self.items if not each.dropped]

    @property
    def dropped(self) -> Sequence[Tried]:
        return [each for each in self.items if each.dropped]


def counts() -> bool:
    """Whether prompts count here: the ``rules`` extractor reads none."""
    return str(settings.EXTRACTOR) == "llm"


def prompt_try(
    *, namespace: Namespace, user: User, name: str, text: str, turn_id: int, now: datetime
) -> Trial:
    """Ask the model once, with ``text`` (empty: the bundled wording), about one of the person's own turns there.

    Raises Forbidden for other members, NotFound for a stranger or another's turn, Invalid (``text``), and Conflict
    (``no_model``) where the ``rules`` extractor is at work.
    """
    namespace = namespace_owned(user=user, namespace_id=namespace.pk)
    if not counts():
        raise Conflict(
            _("Prompts count only with a language model; this server uses rules."), code="no_model"
        )
    text = prompt_check(name=name, text=text)
    turn = Turn.objects.visible_to(user).filter(pk=turn_id).first()
    session = _session_of(turn)
    if turn is None or session is None or session.home.pk != namespace.pk:
        raise NotFound(_("There is no such turn of yours in this namespace."), field="turn")
    messages = turn_again(turn)
    window = window_for(session=session, messages=messages, mode="turn")
    started = time.monotonic()
    if not person_speaks(window=window):
        return Trial("", 0.0, refused="silent", left=tokens_left(namespace=namespace, now=now))
    prompt = drafted(name=name, text=text) if text.strip() else bundled(name)
    try:
        asked = ask(window=window, namespace=namespace, prompt=prompt, now=now)
    except ValueError as error:  # an address or a model name that cannot be
        raise Invalid(
            _("The language model is not set up: %(why)s") % {"why": error}, field="turn"
        ) from error
    proposals = asked.result.proposals
    served = served_among(
        sessions=[session],
        agent_key=session.agent_key,
        texts=[each.content for each in proposals],
        now=turn.received_at,
    )
    known = {str(each.message.pk): each.message for each in messages}
    scope = {str(each.message.pk) for each in messages if each.in_scope}
    homes = Homes.of(session)
    items: list[Tried] = []
    for proposal in proposals:
        checked = ground(proposal, messages=known, in_scope=scope, served=served)
        home = homes.home(proposal.scope)
        if isinstance(checked, str) or home is None:
            items.append(Tried(proposal, dropped=checked if isinstance(checked, str) else "out_of_reach"))
        else:
            items.append(Tried(proposal, "", checked.trust, home, checked.spans, _repeats(home, proposal)))
    return Trial(
        asked.version,
        time.monotonic() - started,
        items,
        asked.result.requests,
        asked.result.usage,
        asked.refused,
        asked.error,
        tokens_left(namespace=namespace, now=now),
    )


def tokens_left(*, namespace: Namespace, now: datetime) -> int:
    """What the namespace may still spend today (UTC)."""
    spent = TokenMeter.objects.filter(namespace=namespace, day=now.date()).values_list("tokens", flat=True)
    return max(int(settings.LLM_DAILY_TOKENS) - (spent.first() or 0), 0)


def _session_of(turn: Turn | None) -> AgentSession | None:
    if turn is None:
        return None
    rows = AgentSession.objects.select_related("persona__owner", "workspace__owner", "user", "agent_key")
    return rows.filter(pk=turn.session_id).first()


def _repeats(home: Namespace, proposal: Proposal) -> str:
    """What dedupe would find by words alone; a scan also compares meanings."""
    if waits_already(namespace=home, kind=proposal.kind, content=proposal.content):
        return "waiting"
    likes = likeness.find(namespace_id=home.pk, kind=proposal.kind, content=proposal.content, vector=None)
    same = [like.item for like in likes if like.relation == "same"]
    names: Mapping[type, str] = {Memory: "memory", Tombstone: "rejected"}
    for item in same:
        if isinstance(item, Candidate):
            state = {"approved": "memory", "rejected": "rejected", "archived": "archived"}
            return state.get(item.status, "waiting")
        return names[type(item)]
    return ""
