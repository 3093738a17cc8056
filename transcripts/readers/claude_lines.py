"""One line of a Claude Code transcript as a small record (shapes: agent-clients 5.5).

Records keep only what the later steps need: tool results are shortened and images dropped here, so that a
large file does not stay in memory as JSON.
"""

import json
import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from core.said import gettext_noop
from transcripts.readers.lines import Notes, cleaned, instant, is_storable, key_of, numbered_lines, shortened

# Lines that carry no conversation. Seen in published fixtures; an unlisted type is reported, not guessed at.
BOOKKEEPING: Final = frozenset(
    {
        "progress",
        "summary",
        "ai-title",
        "custom-title",
        "agent-name",
        "agent-color",
        "agent-setting",
        "mode",
        "permission-mode",
        "tag",
        "queue-operation",
        "file-history-snapshot",
        "last-prompt",
        "pr-link",
        "worktree-state",
        "content-replacement",
        "task-summary",
    }
)
TOOL_INPUT_CHARS: Final = 300
# More unreadable lines than readable ones beyond this: not a damaged transcript, but something else.
MAX_BROKEN: Final = 1_000
IMAGE: Final = "[image]"

# For a line that is no JSON any more: its place in the chain can often still be read.
_PARENT = re.compile(r'"parentUuid"\s*:\s*"([^"\\]{1,200})"')
_UUID = re.compile(r'"uuid"\s*:\s*"([^"\\]{1,200})"')
_SIDECHAIN = re.compile(r'"isSidechain"\s*:\s*true')


@dataclass(frozen=True, slots=True)
class Part:
    """One block of a line. `kind`: text, image, tool_use, tool_result, thinking; `tool_id` links the two tools."""

    kind: str
    text: str = ""
    tool_id: str | None = None


@dataclass(frozen=True, slots=True)
class Provenance:
    """Who the client says wrote a prompt; each None when this line does not say."""

    source: str | None = None
    kind: str | None = None
    turn_origin: str | None = None
    entrypoint: str | None = None

    @property
    def stated(self) -> bool:
        return not (self.source is None and self.kind is None and self.turn_origin is None)


@dataclass(slots=True)
class Line:
    """A line that has a place in the chain. `type` is "broken" for one that could not be parsed."""

    number: int
    type: str
    uuid: str
    parent: str | None
    key: str = ""
    session: str | None = None
    subtype: str = ""
    logical_parent: str | None = None
    at: datetime | None = None
    cwd: str | None = None
    branch: str | None = None
    sidechain: bool = False
    meta: bool = False
    summary: bool = False
    team: bool = False
    failed: bool = False
    prompt_id: str | None = None
    message_id: str | None = None
    stop_reason: str | None = None
    trigger: str = "unknown"
    provenance: Provenance = field(default_factory=Provenance)
    parts: tuple[Part, ...] = ()

    @property
    def is_boundary(self) -> bool:
        return self.type == "system" and self.subtype == "compact_boundary"


def read_lines(data: bytes, notes: Notes) -> list[Line]:
    """Every line that can be a link of the chain, in file order; all others are counted or named in `notes`."""
    lines: list[Line] = []
    seen: set[str] = set()
    unknown: set[str] = set()
    unread: tuple[int, str] | None = None
    broken = 0

    def leave_out(number: int, text: str) -> None:
        notes.problem(number, gettext_noop("not valid JSON; the line was left out"))
        stub = _broken(number, text)
        if stub.uuid not in seen:
            lines.append(stub)
            seen.add(stub.uuid)

    for number, text in numbered_lines(data, notes):
        if not text.strip():
            continue
        if unread:
            leave_out(*unread)
            unread = None
            broken += 1
            if broken > MAX_BROKEN and broken > len(lines) - broken:
                said = gettext_noop("most lines so far are not valid JSON; reading stopped here")
                notes.problem(number, said)
                notes.skip("reading_stopped")
                break
        line = _line(number, text, notes, unknown, last=lines[-1].uuid if lines else None)
        if line is None:
            unread = (number, text)
        elif line.uuid in seen:
            notes.skip("duplicate_line")
        else:
            lines.append(line)
            seen.add(line.uuid)
    if (
        unread
        and unread[1].startswith("{")
        and not (data.endswith(b"\n") and unread[1].rstrip().endswith("}"))
    ):
        # The client appends while we read: this is not an error, only not there yet.
        notes.skip("half_written_last_line")
    elif unread:
        leave_out(*unread)
    return lines


def _broken(number: int, text: str) -> Line:
    parent, uuids = _PARENT.search(text), _UUID.findall(text)
    uuid = uuids[-1] if uuids else f"broken-line-{number}"
    line = Line(number, "broken", uuid, parent[1] if parent else None)
    line.sidechain = _SIDECHAIN.search(text) is not None
    return line


def _line(number: int, text: str, notes: Notes, unknown: set[str], last: str | None) -> Line | None:
    """The record of one line, or None when it is not a JSON object."""
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(raw, dict):
        return None
    kind = raw["type"] if isinstance(raw.get("type"), str) else ""
    uuid = key_of(raw.get("uuid"))
    line = Line(number, kind, uuid or f"line-{number}", key_of(raw.get("parentUuid")))
    if uuid is None and "parentUuid" not in raw:
        line.parent = last  # no tree in this file: its order is its chain
    _fill(line, raw)
    if kind in ("user", "assistant"):
        _fill_message(line, raw, notes)
    elif kind == "attachment":
        _fill_attachment(line, raw, notes)
    elif kind == "system" or kind in BOOKKEEPING:
        if not line.is_boundary:
            notes.skip("not_conversation")
    else:
        notes.skip("unknown_type")
        if kind not in unknown and len(unknown) < 50:
            unknown.add(kind)
            if kind:
                said = gettext_noop('unknown line type "%(type)s"; such lines are left out')
                notes.problem(number, said, type=kind[:60])
            else:
                notes.problem(number, gettext_noop("no line type"))
    return line


def _fill(line: Line, raw: dict[str, Any]) -> None:
    fork = raw.get("forkedFrom")
    origin = fork if isinstance(fork, dict) else {}
    # A fork's file begins with a copy of the other session. Giving copies their first keys makes an import of
    # both files store each message once, and count it as seen in one session.
    line.key = key_of(origin.get("messageUuid")) or line.uuid
    line.session = key_of(origin.get("sessionId")) or key_of(raw.get("sessionId"))
    line.subtype = raw["subtype"] if isinstance(raw.get("subtype"), str) else ""
    line.logical_parent = key_of(raw.get("logicalParentUuid"))
    line.at = instant(raw.get("timestamp"))
    line.cwd, line.branch = key_of(raw.get("cwd")), key_of(raw.get("gitBranch"))
    line.sidechain, line.meta = raw.get("isSidechain") is True, raw.get("isMeta") is True
    line.summary = raw.get("isCompactSummary") is True or raw.get("isVisibleInTranscriptOnly") is True
    line.team = bool(raw.get("teamName"))
    line.failed = raw.get("isApiErrorMessage") is True
    line.prompt_id = key_of(raw.get("promptId"))
    metadata = raw.get("compactMetadata")
    if isinstance(metadata, dict) and metadata.get("trigger") in ("manual", "auto"):
        line.trigger = metadata["trigger"]
    line.provenance = _provenance(raw)


def _provenance(raw: dict[str, Any], source: str | None = None) -> Provenance:
    origin = raw.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else origin
    return Provenance(
        source=source or _word(raw.get("promptSource")),
        kind=_word(kind),
        turn_origin=_word(raw.get("turnOrigin")),
        entrypoint=_word(raw.get("entrypoint")),
    )


def _word(value: object) -> str | None:
    """A stated value. Something there that is no word is stated too, but as nothing we know."""
    if value is None:
        return None
    if isinstance(value, dict):
        value = value.get("kind")
    return value if isinstance(value, str) and value else "?"


def _fill_message(line: Line, raw: dict[str, Any], notes: Notes) -> None:
    message = raw.get("message")
    if not isinstance(message, dict):
        said = gettext_noop("a %(type)s line without a message; its text was left out")
        notes.problem(line.number, said, type=line.type)
        return
    line.message_id = key_of(message.get("id"))
    line.stop_reason = key_of(message.get("stop_reason"))
    line.failed = line.failed or message.get("model") == "<synthetic>"
    line.parts = tuple(_parts(message.get("content"), line, notes, raw.get("toolUseResult")))


def _fill_attachment(line: Line, raw: dict[str, Any], notes: Notes) -> None:
    """A prompt typed while the agent works reaches it as an attachment and never becomes a user line."""
    attachment = raw.get("attachment")
    if not isinstance(attachment, dict) or attachment.get("type") != "queued_command":
        notes.skip("not_conversation")
        return
    if attachment.get("commandMode") not in (None, "prompt") or attachment.get("isMeta") is True:
        line.meta = True
    line.provenance = _provenance(attachment, source="queued")
    line.parts = tuple(_parts(attachment.get("prompt"), line, notes, None))


def _parts(content: object, line: Line, notes: Notes, tool_answer: object) -> list[Part]:
    if isinstance(content, str):
        return [Part("text", _text(content, line, notes))] if content.strip() else []
    if not isinstance(content, list):
        said = gettext_noop("message content is neither a text nor a list; it was left out")
        notes.problem(line.number, said)
        return []
    parts: list[Part] = []
    results = sum(1 for block in content if isinstance(block, dict) and block.get("type") == "tool_result")
    # The object beside a line tells about one result; with several it is not known about which.
    answer = asked_answers(tool_answer) if results == 1 else None
    for block in content:
        kind = block.get("type") if isinstance(block, dict) else None
        if isinstance(block, str) or (kind == "text" and isinstance(block.get("text"), str)):
            text = block if isinstance(block, str) else block["text"]
            if text.strip():
                parts.append(Part("text", _text(text, line, notes)))
        elif kind == "tool_use":
            parts.append(Part("tool_use", _text(_tool_call(block), line, notes), key_of(block.get("id"))))
        elif kind == "tool_result":
            text = answer if answer is not None else _tool_output(block.get("content"))
            parts.append(
                Part("tool_result", _text(shortened(text), line, notes), key_of(block.get("tool_use_id")))
            )
        elif kind in ("image", "document"):
            parts.append(Part("image", IMAGE if kind == "image" else "[document]"))
        elif kind in ("thinking", "redacted_thinking"):
            notes.skip("thinking")
        else:
            notes.skip("unknown_block")
    return parts


def _text(text: str, line: Line, notes: Notes) -> str:
    if is_storable(text):
        return text
    said = gettext_noop("NUL characters or lone surrogates in the text; they were replaced")
    notes.problem(line.number, said)
    return cleaned(text)


def _tool_call(block: dict[str, Any]) -> str:
    name = block.get("name") if isinstance(block.get("name"), str) else "?"
    text = json.dumps(block.get("input"), ensure_ascii=False)
    shown = text if len(text) <= TOOL_INPUT_CHARS else f"{text[:TOOL_INPUT_CHARS]}…"
    return f"[tool {name}: {shown}]"


def _tool_output(content: object) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = []
    for block in content:
        if isinstance(block, dict) and isinstance(block.get("text"), str):
            texts.append(block["text"])
        elif isinstance(block, dict) and block.get("type") == "image":
            texts.append(IMAGE)
    return "\n".join(texts)


def asked_answers(result: object) -> str | None:
    """A person's answers to AskUserQuestion in one text, or None when `result` is of another tool.

    Read from the object, never from the prose beside it, which differs between client versions.
    """
    if not isinstance(result, dict) or not isinstance(result.get("questions"), list):
        return None
    answers, annotations = result.get("answers"), result.get("annotations")
    if not isinstance(answers, dict):
        return None
    lines = []
    for asked in result["questions"]:
        question = asked.get("question") if isinstance(asked, dict) else None
        if not isinstance(question, str):
            continue
        note = annotations.get(question) if isinstance(annotations, dict) else None
        about = note if isinstance(note, dict) else {}
        answer = answers.get(question)
        if isinstance(answer, list):
            answer = ", ".join(str(item) for item in answer)
        shown = answer if isinstance(answer, str) and answer else about.get("unanswered") or "no answer"
        extra = f" (note: {about['notes']})" if isinstance(about.get("notes"), str) and about["notes"] else ""
        lines.append(f"{question} → {shown}{extra}")
    if isinstance(result.get("response"), str) and result["response"]:
        lines.append(f"written instead: {result['response']}")
    return f"[tool AskUserQuestion answered: {'; '.join(lines)}]"
