"""AskUserQuestion: what the person usually chooses goes to the agent before, what they chose is observed after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from core.errors import Conflict, DomainError
from decisions.asked import Advised, AskIn
from decisions.capture.questions import questions_of
from decisions.capture.reasons import CHANGED
from decisions.capture.shapes import Asked, Odd
from decisions.learning.types import Question
from decisions.selectors.shown import shown_as
from decisions.services.capture import hook_capture
from decisions.services.changed import changed_keep
from decisions.services.recommend import recommend
from integrations.hooks.answers import Piece, answer, fenced
from integrations.services.hooks.desk import Desk
from integrations.services.hooks.saying import slice_store
from transcripts.models import AgentSession
from transcripts.services.markers import fence_marker

HEAD = (
    "From Hikae: what this person usually chooses. The dialog is composed already and stays as it is; use this to "
    "understand the answer, and call recommend_decision before you compose the next question."
)


def asked(desk: Desk) -> dict[str, Any]:
    """Capture the event; before the dialog opens, say what is known about its questions."""
    if not desk.may("decide"):
        return {}
    session = desk.session() if desk.event.session else None
    if session is not None and desk.agent_key.has_scope("ingest"):
        slice_store(desk, session=session)  # so that the choice finds the prompt that it belongs to
    envelope = desk.envelope
    context = {"branch": envelope.git_branch, "machine": envelope.machine}
    try:
        captured = hook_capture(
            agent_key=desk.agent_key,
            payload=desk.event.raw,
            now=desk.now,
            at=envelope.at,
            context={name: value for name, value in context.items() if value},
        )
    except Conflict as error:
        if error.code == CHANGED:  # REST tells its client; a hook's answer is read by nobody
            changed_keep(
                agent_key=desk.agent_key, payload=desk.event.raw, at=envelope.at or desk.now, now=desk.now
            )
        raise
    desk.scan.update(captured.scan)
    before = desk.event.name == "PreToolUse" and desk.is_awaited and not desk.event.agent_id
    if session is None or not (before and desk.wants().recommend):
        return {}
    return _advice(desk, session)


def _advice(desk: Desk, session: AgentSession) -> dict[str, Any]:
    given = desk.event.raw.get("tool_input")
    try:
        questions = questions_of(given.get("questions") if isinstance(given, Mapping) else None, "tool_input")
        # What the agent asked us about a moment ago it knows, and its label must stay the latest.
        known = shown_as(session=session, asked=questions)
        fresh = [
            each
            for each, shown in zip(questions, known, strict=True)
            if shown.advice is None or shown.advice.choice_id
        ]
        if not fresh:
            return {}
        ask = AskIn(session=session.key, questions=tuple(map(_question, fresh)))
        advised = recommend(agent_key=desk.agent_key, ask=ask, now=desk.now, seen=False).questions
    except (Odd, DomainError) as error:
        desk.notes.append(error.code if isinstance(error, DomainError) else error.reason)
        return {}
    pieces = [
        Piece(_line(each)) for each in advised if each.prediction.layer != "default" and each.advice.text
    ]
    return answer(desk.event.name, context=fenced(HEAD, pieces, marker=fence_marker()))


def _question(each: Asked) -> Question:
    return Question(text=each.text, options=each.options, header=each.header, multi=each.multi)


def _line(each: Advised) -> str:
    count = _("%(n)d choices, confidence %(confidence)s") % {
        "n": each.prediction.n,
        "confidence": each.advice.confidence_label,
    }
    return f"- {each.question.text}\n  {each.advice.text} ({count})"
