"""From the client's hook payload to a ``Call``, or to the reason why it cannot be read (agent-clients 5.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_args

from core.text import fold
from decisions.capture import limits, reasons
from decisions.capture.answers import answer_of, notes_of
from decisions.capture.context import payload_context
from decisions.capture.questions import questions_of, text_of
from decisions.capture.shapes import ANY, Asked, Call, Event, Odd, Refused

TOOL = "AskUserQuestion"
EVENTS: tuple[Event, ...] = get_args(Event)
_AUTOMATIC = {"auto", "auto_resolved", "auto-resolved", "hikae"}


def read_hook(payload: Mapping[str, Any]) -> Call | Refused:
    """``payload`` is redacted, and its event and tool are ours. Extra fields are accepted, other shapes are not."""
    session = payload.get("session_id")
    known = session if isinstance(session, str) and session.strip() else ""
    try:
        if len(known) > limits.MAX_ID_CHARS:
            known = ""
            raise Odd(reasons.TOO_LONG, "session_id")
        if not known:
            raise Odd(reasons.NO_SESSION, "session_id")
        return _read(payload, known)
    except Odd as odd:
        return Refused(odd.reason, odd.detail[:300], known, _readable(payload))


def _read(payload: Mapping[str, Any], session: str) -> Call:
    tool_use = payload.get("tool_use_id")
    if not isinstance(tool_use, str) or not tool_use.strip():
        raise Odd(reasons.NO_TOOL_USE, "tool_use_id")
    if len(tool_use) > limits.MAX_ID_CHARS:
        raise Odd(reasons.TOO_LONG, "tool_use_id")
    prompt_id = payload.get("prompt_id")
    call = Call(
        event=payload["hook_event_name"],
        session=session,
        tool_use_id=tool_use,
        prompt_id=prompt_id if isinstance(prompt_id, str) else "",
        context=payload_context(payload),
    )
    given = payload.get("tool_input")
    if not isinstance(given, Mapping):
        raise Odd(reasons.SHAPE, "tool_input")
    if call.event == "PreToolUse":
        return replace(call, prefilled=_prefilled(given.get("answers")))
    subagent = payload.get("agent_id") is not None
    if call.event == "PostToolUseFailure":
        interrupted = payload.get("is_interrupt") is True
        why = reasons.INTERRUPTED if interrupted else reasons.FAILED
        asked = questions_of(given.get("questions"), "tool_input.questions")
        return replace(call, asked=asked, skip=reasons.SUBAGENT if subagent else why)
    call = _answered(call, given, payload.get("tool_response"))
    return replace(call, skip=reasons.SUBAGENT if subagent else call.skip)


def _answered(call: Call, given: Mapping[str, Any], response: Any) -> Call:
    if response is None or isinstance(response, str):
        asked = questions_of(given.get("questions"), "tool_input.questions")
        return replace(call, asked=asked, skip=reasons.STRING if response else reasons.NO_RESPONSE)
    if not isinstance(response, Mapping):
        raise Odd(reasons.SHAPE, "tool_response")
    asked = _as_asked(given.get("questions"), response.get("questions"))
    reply = text_of(
        response.get("response"), "tool_response.response", limits.MAX_TYPED_CHARS, optional=True
    ).strip()
    answers = _by_question(asked, response.get("answers"), "tool_response.answers")
    notes = _by_question(asked, response.get("annotations"), "tool_response.annotations")
    read = tuple(
        notes_of(replace(each, answer=answer_of(each, answers.get(index))), notes.get(index), index)
        for index, each in enumerate(asked)
    )
    return replace(
        call, asked=read, reply=reply, skip=_skip(given, response, bool(answers), bool(notes), reply)
    )


def _skip(
    given: Mapping[str, Any], response: Mapping[str, Any], answers: bool, notes: bool, reply: str
) -> str:
    """Why nothing of the response counts; "" when each question is to be judged by itself."""
    metadata = given.get("metadata")
    source = metadata.get("source") if isinstance(metadata, Mapping) else None
    if response.get("is_error") not in (None, False):
        return reasons.FAILED
    if response.get("afkTimeoutMs") is not None:
        return reasons.IDLE
    if isinstance(source, str) and fold(source) in _AUTOMATIC:
        return reasons.AUTO
    if answers or notes:
        return ""
    return reasons.REPLIED if reply else reasons.NO_RESPONSE


def _as_asked(given: Any, returned: Any) -> tuple[Asked, ...]:
    """The questions as shown. The client repeats them in its response; two versions are one too many."""
    if returned in (None, []):
        return questions_of(given, "tool_input.questions")
    shown = questions_of(returned, "tool_response.questions")
    if given in (None, []):
        return shown
    sent = questions_of(given, "tool_input.questions")
    if [_face(each) for each in sent] != [_face(each) for each in shown]:
        raise Odd(reasons.QUESTIONS_DIFFER, "tool_response.questions")
    return shown


def _face(asked: Asked) -> tuple[object, ...]:
    return (asked.text, asked.multi, *(option.label for option in asked.options))


def _by_question(asked: tuple[Asked, ...], raw: Any, where: str) -> dict[int, Any]:
    """A map of question text → value, by the question's index. Raises Odd for a text that was not asked."""
    if raw is None:
        return {}
    if not isinstance(raw, Mapping):
        raise Odd(reasons.SHAPE, where)
    if len(raw) > len(asked):
        raise Odd(reasons.MANY_ANSWERS, where)
    index_of = {fold(each.text): index for index, each in enumerate(asked)}
    found: dict[int, Any] = {}
    for text, value in raw.items():
        index = index_of.get(fold(text))
        if index is None or index in found:
            raise Odd(reasons.NOT_ASKED, f"{where}: {text}")
        found[index] = value
    return found


def _prefilled(answers: Any) -> tuple[str, ...]:
    if answers is None:
        return ()
    if not isinstance(answers, Mapping):
        return (ANY,)
    return tuple(str(text) for text, value in answers.items() if value not in (None, "", []))


def _readable(payload: Mapping[str, Any]) -> tuple[str, ...]:
    """The question texts of a call that is not understood, for its answer and its page."""
    given = payload.get("tool_input")
    raw = given.get("questions") if isinstance(given, Mapping) else None
    texts = (
        [each.get("question") for each in raw if isinstance(each, Mapping)] if isinstance(raw, list) else []
    )
    return tuple(text for text in texts if isinstance(text, str))[:20]
