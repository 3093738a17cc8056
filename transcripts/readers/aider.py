"""aider's `.aider.chat.history.md` → sessions (design section 3).

The file is Markdown that aider only appends to: `# aider chat started at …` opens a session, `#### ` marks what
the person typed, `> ` what aider itself said, everything else is the model's reply.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from hashlib import sha256
from typing import Final

from core.said import gettext_noop
from transcripts.readers.fences import shape_origin
from transcripts.readers.lines import Notes, cleaned, is_storable, numbered_lines, shortened, zone
from transcripts.readers.shapes import ReadMessage, ReadResult, ReadSession, ReadTurn

CLIENT: Final = "aider"

_STARTED = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$")
_PROMPT = re.compile(r"####(?: |$)")
_CODE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"#{1,6} ")
# aider reports tokens after each reply: the surest sign that the reply is over.
_TOKENS = re.compile(r"> Tokens: ")
# A prompt given on the command line comes from a script as often as from a person.
_SCRIPTED = re.compile(r"> \S*aider\S*\s.*(?:--message|--msg|-m|--message-file|-f)[ =]")
# Commands whose argument is a prompt; every other command is an instruction to the program.
_ASKING = re.compile(r"/(?:ask|code|architect|context)\s+(?=\S)")
_COMMAND = re.compile(r"[/!]\S")


@dataclass
class _Block:
    """Consecutive lines of one voice. `voice`: prompt, note (aider's own) or reply."""

    voice: str
    first: int
    lines: list[str] = field(default_factory=list)


@dataclass
class _Chat:
    started: str
    line: int
    blocks: list[_Block] = field(default_factory=list)
    scripted: bool = False


def read_aider(data: bytes, *, tz: str | None = None) -> ReadResult:
    """The sessions of one history file.

    aider writes local times without a zone: `tz` is the IANA zone of that machine; without it they are taken as
    UTC and counted as `zone_missing_taken_as_utc`. Messages have no times of their own. Keys: session = start
    and a digest of its first prompt · turn and message = their lines within the session, so that a grown file
    gives the old keys again.
    """
    notes = Notes()
    # aider ends each typed line with a Markdown hard break. Where the file still has them, a `####` line
    # without one is a heading in a reply; where an editor stripped them, the surroundings decide.
    breaks = any(_PROMPT.match(line) and line.endswith("  ") for _, line in numbered_lines(data, Notes()))
    local = zone(tz)
    sessions = []
    for chat in _chats(_lines(data, notes), breaks, notes):
        session = _session(chat, local, tz if local else None, notes)
        if session is not None:
            sessions.append(session)
    return ReadResult(tuple(sessions), notes.problems(), dict(notes.skipped))


def _lines(data: bytes, notes: Notes) -> Iterator[tuple[int, str]]:
    for number, raw in numbered_lines(data, notes):
        if not is_storable(raw):
            notes.problem(number, gettext_noop("NUL characters in the text; they were replaced"))
        yield number, cleaned(raw)


def _chats(lines: Iterable[tuple[int, str]], breaks: bool, notes: Notes) -> Iterator[_Chat]:
    """One after the other, because all the lines of a large file would be held beside the messages made of them."""
    reader: _Voices | None = None
    for number, line in lines:
        started = _STARTED.match(line)
        if started:
            if reader is not None:
                yield reader.chat
            reader = _Voices(_Chat(started[1], number), breaks)
        elif reader is not None:
            reader.take(number, line)
        elif line.strip():
            notes.skip("before_first_session")
    if reader is not None:
        yield reader.chat


class _Voices:
    """Tells, line by line, who speaks in one session."""

    def __init__(self, chat: _Chat, breaks: bool) -> None:
        self.chat = chat
        self.breaks = breaks
        self.code = ""  # the fence that an open code block in a reply began with
        self.reports_tokens = False
        self.replied = False  # a reply was seen and nothing of aider's after it
        self.headed = False  # that reply uses headings of its own
        self.previous = ""

    def take(self, number: int, line: str) -> None:
        voice = self._voice(line)
        if voice == "note":
            self.reports_tokens = self.reports_tokens or bool(_TOKENS.match(line))
            if not self.chat.blocks and _SCRIPTED.match(line):
                self.chat.scripted = True
        if voice in ("note", "prompt"):
            self.code, self.replied, self.headed = "", False, False
        elif line.strip():
            self.replied = True
            self.headed = self.headed or bool(_HEADING.match(line) and not self.code)
            self._track_code(line)
        self.previous = line
        blocks = self.chat.blocks
        if not line.strip():
            if blocks and blocks[-1].voice == "reply":
                blocks[-1].lines.append(line)
            elif blocks:
                blocks.append(_Block("gap", number))
        elif blocks and blocks[-1].voice == voice:
            blocks[-1].lines.append(line)
        else:
            blocks.append(_Block(voice, number, [line]))

    def _voice(self, line: str) -> str:
        if self.code and not _TOKENS.match(line):
            return "reply"  # quotes and headings inside a code block are the reply's
        if line.startswith("> "):
            return "note"
        return "prompt" if _PROMPT.match(line) and self._is_typed(line) else "reply"

    def _is_typed(self, line: str) -> bool:
        if self.previous.strip() and not _PROMPT.match(self.previous) and not self.previous.startswith("> "):
            return False  # aider sets a blank line before a prompt
        if self.breaks and not line.endswith("  "):
            return False
        if not self.replied:
            return True
        return not self.reports_tokens and not self.headed

    def _track_code(self, line: str) -> None:
        mark = _CODE.match(line)
        if not mark:
            return
        if not self.code:
            self.code = mark[1]
        elif mark[1].startswith(self.code) and not line.strip().strip(self.code[0]):
            self.code = ""


def _session(chat: _Chat, local: tzinfo | None, tz: str | None, notes: Notes) -> ReadSession | None:
    turns: list[tuple[str, list[ReadMessage]]] = []
    first = ""
    for block in chat.blocks:
        text = _text(block)
        if not text:
            continue
        at_line = block.first - chat.line
        # Blank lines at the end do not count: the next prompt adds one, and the key must stay.
        height = max(index for index, line in enumerate(block.lines) if line.strip())
        key = f"L{at_line}-{at_line + height}"
        if block.voice == "prompt":
            role, origin, text = _typed(text, scripted=chat.scripted)
            if role == "user":
                first = first or text
                turns.append((f"L{at_line}", []))
        elif block.voice == "note":
            role, origin, text = "tool", "tool", shortened(text)
        else:
            role, origin = "assistant", "agent"
        if turns:
            turns[-1][1].append(ReadMessage(key, role, origin, text, None))
        else:
            notes.skip("before_first_prompt")
    if not turns:
        notes.skip("session_without_prompt")
        return None
    if local is None:
        notes.skip("zone_missing_taken_as_utc")
    return ReadSession(
        key=f"aider-{chat.started.replace(' ', 'T')}-{sha256(first.encode()).hexdigest()[:8]}",
        client=CLIENT,
        turns=tuple(
            ReadTurn(key, tuple(messages), index + 1 < len(turns) or len(messages) > 1)
            for index, (key, messages) in enumerate(turns)
        ),
        compactions=(),
        cwd=None,
        git_branch=None,
        started_at=_instant(chat.started, local),
        tz=tz,
    )


def _text(block: _Block) -> str:
    if block.voice == "reply":
        return "\n".join(block.lines).strip()
    mark = 2 if block.voice == "note" else 5
    return "\n".join(line[mark:].rstrip() for line in block.lines).strip()


def _typed(text: str, *, scripted: bool) -> tuple[str, str, str]:
    """(role, origin, text) of a `####` block. The word of an asking command is not part of the prompt."""
    asking = _ASKING.match(text)
    if asking:
        text = text[asking.end() :]
    elif _COMMAND.match(text) or text == "<blank>":
        return "system", "system", text
    shape = shape_origin(text)
    if shape is not None:
        return "system", shape, text
    return "user", "unknown" if scripted else "human", text


def _instant(started: str, local: tzinfo | None) -> datetime | None:
    try:
        return datetime.fromisoformat(started).replace(tzinfo=local or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
