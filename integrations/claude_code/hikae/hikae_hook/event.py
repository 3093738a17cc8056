"""One event: keep it, redacted, then hand it over and print what comes back (design section 7)."""

from __future__ import annotations

import json
import os
import time

from hikae_hook import PROTOCOL, VERSION, trouble
from hikae_hook.main import ANSWERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hikae_hook.transcript import Reading

QUESTION_TOOL = "AskUserQuestion"
TOOL_EVENTS = ("PreToolUse", "PostToolUse", "PostToolUseFailure")
# Events that bring what was said since the last one. Before the answer to a prompt nobody waits for the rest.
SLICED = ("SessionStart", "PostToolUse", "Stop", "StopFailure", "PreCompact", "PostCompact", "SessionEnd")
PLAIN = (*SLICED, "UserPromptSubmit")
# What only this machine needs. It stays here.
_KEPT_HERE = ("transcript_path", "cwd", "agent_transcript_path", "compact_summary", "scratchpad_dir")


def handle(raw: bytes, said: dict[str, bytes], until: float) -> None:
    """``said["answer"]`` becomes what is printed; it may stay away. ``until``: on the monotonic clock."""
    event = _parsed(raw)
    name = event.get("hook_event_name")
    session = event.get("session_id")
    if not isinstance(name, str) or not isinstance(session, str) or not 1 <= len(session) <= 200:
        return
    if name in TOOL_EVENTS:
        if event.get("tool_name") != QUESTION_TOOL:
            return
    elif name not in PLAIN:
        return
    if event.get("agent_id") is not None and name not in TOOL_EVENTS:
        return  # a sub-agent's words are nobody's
    record, reading = _record(event, name, session, until)
    from hikae_hook import spool

    kept, sliced = spool.append(record)
    if not kept:  # no room: what the transcript holds stays there until there is some
        record["hikae"].update(slice=[], from_byte=0)
    reading.store(kept=sliced)
    from hikae_hook.deliver import deliver

    answer = deliver(record, kept, wants_answer=name in ANSWERS, until=until)
    if name == "SessionStart":
        answer = _with_news(answer)
        spool.sweep()
    if name in ANSWERS and answer:
        said["answer"] = json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace")


def _parsed(raw: bytes) -> dict[str, Any]:
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _record(event: dict[str, Any], name: str, session: str, until: float) -> tuple[dict[str, Any], Reading]:
    """What is kept and sent, and how far the transcript has been read now."""
    from hikae_hook import clean, where
    from hikae_hook.transcript import Reading

    folder = os.environ.get("CLAUDE_PROJECT_DIR") or event.get("cwd")
    place = where.place_of(folder if isinstance(folder, str) else "")
    reading = Reading(session, event.get("transcript_path"))
    turn, start, lines = reading.turn, reading.offset, []
    if name == "SessionStart" and reading.is_new and event.get("source") != "startup":
        reading.skip()  # what was said before Hikae was there belongs to an import, which a person starts
    elif name in SLICED:
        lines = reading.read(until - 0.45)
    now = time.time()
    around = {
        "protocol": PROTOCOL,
        "plugin": VERSION,
        "id": os.urandom(16).hex(),
        "seq": reading.next_seq(),
        "at": "{}.{:03d}Z".format(time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)), int(now % 1 * 1000)),
        "machine": where.machine()[:12],
        "tz": where.time_zone(),
        "workspace": place.workspace,
        "git_branch": place.branch,
        "transcript": reading.exists,
        "turn": turn,
        "from_byte": start,
        "slice": lines,
    }
    sent = {key: value for key, value in event.items() if key not in _KEPT_HERE}
    return {"hikae": around, "event": clean.cleaned(sent)}, reading


def _with_news(answer: dict[str, Any]) -> dict[str, Any]:
    """What went wrong is said at the start of a session, once, to the person."""
    said = trouble.news()
    if not said:
        return answer
    own = "Hikae plugin: {}.".format("; ".join(said))
    theirs = answer.get("systemMessage")
    return {**answer, "systemMessage": f"{theirs}\n{own}" if theirs else own}
