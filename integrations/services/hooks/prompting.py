"""UserPromptSubmit: the turn is opened; notes that were called, memories that fit, and news of proposals come back."""

from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.errors import DomainError
from core.redact import redact
from integrations.hooks import limits
from integrations.hooks.answers import Piece, answer, fenced
from integrations.models import HookSession, HookSettings
from integrations.selectors.hooks import turn_ended
from integrations.services.hooks.desk import Desk, hook_session
from integrations.services.hooks.saying import said_store, spoken
from integrations.services.hooks.starting import HEAD
from knowledge.services.expand import Expanded, Resolved, expand
from memory.models import Candidate, Source
from memory.recall import MAX_QUESTION, Hit
from memory.recall.serve import Ask, recall_for_key
from transcripts.models import AgentSession
from transcripts.readers.fences import shape_origin
from transcripts.services.late import turns_close, turns_over
from transcripts.services.markers import fence_marker

_TYPED = (None, "user")  # `source` of the event; clients before it leave it out
_LINE_CHARS = 120  # of a proposal's text in an announcement


def prompted(desk: Desk) -> dict[str, Any]:
    """Store the prompt, then answer with what the person called for and what fits it."""
    text = desk.event.text("prompt")
    typed = desk.event.raw.get("source") in _TYPED and shape_origin(text) is None
    session: AgentSession | None = None
    if desk.may("ingest"):
        session = desk.session()
        _store(desk, session, text, typed)
    if not desk.may("recall") or not desk.is_awaited or session is None or session.internal:
        return {}
    wants = desk.wants()
    pieces: list[Piece] = []
    if typed and text.strip():
        pieces += _called(desk, session, text)
        pieces += _fitting(desk, session, text, wants)
    context = fenced(HEAD, pieces, marker=fence_marker())
    return answer(desk.event.name, context=context, notice=_news(session) if wants.announce else "")


def _store(desk: Desk, session: AgentSession, text: str, typed: bool) -> None:
    """A prompt that the transcript will bring anyway, and that cannot be told from it later, is left to it."""
    turn = desk.turn or (
        "" if desk.envelope.transcript else f"hook:{desk.envelope.id or desk.now.timestamp()}"
    )
    closed = turns_close(
        agent_key=desk.agent_key, session=session.key, before=desk.at, but=turn, now=desk.now
    )
    if closed:
        desk.scan.add(closed)
    if desk.envelope.late:
        turns_over(agent_key=desk.agent_key, session=session.key, at=desk.at, but=turn, now=desk.now)
    if turn and (typed or not desk.envelope.transcript):
        message = spoken(desk, "user", text, origin=None if typed else "system")
        ended = None
        if desk.envelope.late:
            ended = turn_ended(user=desk.agent_key.user, session=session.key, after=desk.at)
        said_store(desk, session=session, turn=turn, message=message, closed=ended is not None, at=ended)


def _called(desk: Desk, session: AgentSession, text: str) -> list[Piece]:
    """The bodies of ``#slug``; they stand in the session's history before they are returned."""
    try:
        found = expand(agent_key=desk.agent_key, session=session.key, text=text, now=desk.now)
    except DomainError as error:  # paused, or out of reach: the prompt itself is stored all the same
        desk.notes.append(error.code)
        return []
    return [*map(_note, found.resolved), *_missing(found)]


def _note(each: Resolved) -> Piece:
    renamed = f" (replaced by #{each.replaced_by})" if each.replaced_by else ""
    head = f"## #{each.slug}{renamed}, version {each.note.version}; the person called for it"
    slug = each.note.slug
    rest = f"(#{slug} goes on: read all of it with expand_knowledge or GET /api/v1/knowledge/{slug}/)"
    return Piece(f"{head}\n\n{each.body}", rest)


def _missing(found: Expanded) -> list[Piece]:
    return [Piece(f"#{slug}: there is no such note") for slug in found.missing]


def _fitting(desk: Desk, session: AgentSession, text: str, wants: HookSettings) -> list[Piece]:
    """A few memories above the floor that the agent's window does not hold yet; usually none."""
    if not wants.recall:
        return []
    since = HookSession.objects.filter(session=session).values_list("window_since", flat=True).first()
    ask = Ask(
        redact(text[:MAX_QUESTION]).text[:MAX_QUESTION],
        k=limits.PROMPT_HITS,
        budget=limits.PROMPT_TOKENS,
        session=session.key,
        unless_shown_since=since or session.started_at,
    )
    try:
        hits = recall_for_key(agent_key=desk.agent_key, ask=ask, now=desk.now).result.hits
    except DomainError as error:
        desk.notes.append(error.code)
        return []
    if not hits:
        return []
    lines = "\n".join(_hit(desk, hit) for hit in hits)
    return [Piece(f"## Approved memories that may bear on this prompt\n\n{lines}")]


def _hit(desk: Desk, hit: Hit) -> str:
    home = hit.memory.namespace
    name = home.reference_for(desk.agent_key.user_id, home.owner.get_username())
    return f"- {hit.content} [{hit.memory.kind}, {name}, {hit.memory.valid_from:%Y-%m-%d}, memory {hit.id}]"


def _news(session: AgentSession) -> str:
    """What became of the person's words since the last prompt, for the person alone: nothing of it is approved yet.

    Each proposal is named once. The agent never reads this: it gets what was approved.
    """
    known = hook_session(session)
    rows = Candidate.objects.filter(session=session, source__in=[Source.TURN, Source.COMPACTION])
    fresh = list(
        rows.open()
        .exclude(pk__in=known.announced)
        .order_by("pk")
        .values_list("pk", "content")[: limits.ANNOUNCED + 50]
    )
    if not fresh:
        return ""
    told: list[uuid.UUID] = [pk for pk, _content in fresh]
    # Two prompts of one session at a time would at worst name one twice.
    HookSession.objects.filter(pk=known.pk).update(announced=[*known.announced, *told])
    lines = [
        _("Hikae proposed: %(text)s (%(id)s)") % {"text": _line(content), "id": str(pk)}
        for pk, content in fresh[: limits.ANNOUNCED]
    ]
    more = len(fresh) - limits.ANNOUNCED
    if more > 0:
        lines.append(ngettext("… and %(n)d more.", "… and %(n)d more.", more) % {"n": more})
    lines.append(_("Decide: %(url)s") % {"url": f"{settings.SITE_URL}/settings/memory/"})
    return "\n".join(lines)


def _line(content: str) -> str:
    line = " ".join(redact(content).text.split())
    return line if len(line) <= _LINE_CHARS else f"{line[: _LINE_CHARS - 1]}…"
