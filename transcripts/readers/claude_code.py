"""Claude Code transcript JSONL → sessions (design section 3; shapes and rules: agent-clients 5.5)."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePath

from transcripts.readers.claude_chain import live_lines
from transcripts.readers.claude_lines import Line, Part, read_lines
from transcripts.readers.claude_origin import prompt_origin
from transcripts.readers.fences import find_fences
from transcripts.readers.host_texts import is_command_echo, is_interrupt, is_machine_prompt
from transcripts.readers.lines import Notes, key_of, shortened
from transcripts.readers.shapes import ReadCompaction, ReadMessage, ReadResult, ReadSession, ReadTurn

CLIENT = "claude_code"


def read_claude_code(data: bytes, *, filename: str, speaks_for_person: bool = False) -> ReadResult:
    """The live conversation of one transcript file; several sessions when it holds a fork's copied lines.

    Keys: session = sessionId (else the file's name) · turn = promptId (else the uuid of its first line) ·
    message = uuid, with `#n` from a line's second message on. Thinking is dropped, tool output shortened.
    `speaks_for_person`: see `claude_origin`.
    """
    notes = Notes()
    lines = read_lines(data, notes)
    live = live_lines(lines)
    kept = {line.uuid for line in live}
    for line in lines:
        if line.type in ("user", "assistant") and (line.sidechain or line.uuid not in kept):
            notes.skip("sidechain" if line.sidechain else "dead_branch")
    book = _Book(
        fallback=key_of(PurePath(filename).stem) or "transcript",
        version_attributes=any(
            line.provenance.kind or (line.type == "user" and line.provenance.stated) for line in lines
        ),
        speaks_for_person=speaks_for_person,
        notes=notes,
    )
    for line in live:
        if not line.sidechain:
            book.take(line)
    return ReadResult(book.sessions(), notes.problems(), dict(notes.skipped))


@dataclass
class _Turn:
    key: str
    prompt_id: str | None
    messages: list[ReadMessage] = field(default_factory=list)
    closed: bool = False
    answered: bool = False


@dataclass
class _Session:
    key: str
    cwd: str | None = None
    branch: str | None = None
    started_at: datetime | None = None
    turns: list[_Turn] = field(default_factory=list)
    turn_keys: set[str] = field(default_factory=set)
    compactions: list[ReadCompaction] = field(default_factory=list)
    # Host texts that no turn has claimed yet: the echo of a command belongs to the answer it gets, if any.
    waiting: list[ReadMessage] = field(default_factory=list)
    waiting_prompt: str | None = None
    echoed: bool = False
    last_key: str | None = None


class _Book:
    """Lays live lines down as turns, one session at a time."""

    def __init__(
        self, *, fallback: str, version_attributes: bool, speaks_for_person: bool, notes: Notes
    ) -> None:
        self.fallback = fallback
        self.version_attributes = version_attributes
        self.speaks_for_person = speaks_for_person
        self.notes = notes
        self._sessions: dict[str, _Session] = {}

    def take(self, line: Line) -> None:
        session = self._session(line)
        if line.is_boundary:
            session.compactions.append(ReadCompaction(line.key, line.trigger, session.last_key, line.at))
        elif line.type == "system" and line.subtype == "turn_duration" and session.turns:
            session.turns[-1].closed = True
        elif line.type == "assistant":
            self._answer(session, line)
        elif line.type == "user" and any(part.kind == "tool_result" for part in line.parts):
            self._results(session, line)
        elif line.type == "user" or (line.type == "attachment" and line.parts):
            self._prompt(session, line)

    def sessions(self) -> tuple[ReadSession, ...]:
        found = []
        for session in self._sessions.values():
            self._claim(session)
            self.notes.skip("before_first_prompt", len(session.waiting))
            turns = tuple(
                ReadTurn(turn.key, tuple(turn.messages), turn.closed or turn.answered)
                for turn in session.turns
                if turn.messages
            )
            if turns:
                found.append(
                    ReadSession(
                        key=session.key,
                        client=CLIENT,
                        turns=turns,
                        compactions=tuple(session.compactions),
                        cwd=session.cwd,
                        git_branch=session.branch,
                        started_at=session.started_at,
                        tz=None,
                    )
                )
        return tuple(found)

    def _session(self, line: Line) -> _Session:
        key = line.session or self.fallback
        session = self._sessions.setdefault(key, _Session(key))
        session.started_at = session.started_at or line.at
        session.cwd = session.cwd or line.cwd
        session.branch = session.branch or line.branch
        return session

    def _answer(self, session: _Session, line: Line) -> None:
        role, origin = ("system", "system") if line.failed else ("assistant", "agent")
        texts = "\n\n".join(part.text for part in line.parts if part.kind in ("text", "image"))
        found = [(role, origin, texts)] if texts else []
        found += [("tool", "tool", part.text) for part in line.parts if part.kind == "tool_use"]
        if not found:
            return
        turn = self._current(session, line)
        self._add(session, turn, line, found)
        # A client that is still at work ends on a tool call, or says so in stop_reason.
        turn.answered = line.parts[-1].kind != "tool_use" and line.stop_reason not in (
            "tool_use",
            "pause_turn",
        )

    def _results(self, session: _Session, line: Line) -> None:
        turn = self._current(session, line)
        found = []
        for part in line.parts:
            if part.kind == "tool_result" and part.text:
                found.append(("tool", "tool", part.text))
            elif part.kind == "text" and not is_interrupt(part.text):
                # Beside a result stand reminders, and words that no prompt opened: neither is a typed prompt.
                found.append(("system", "system", shortened(part.text)))
        self._add(session, turn, line, found)
        turn.answered = False
        if any(part.kind == "text" and is_interrupt(part.text) for part in line.parts):
            self.notes.skip("interrupt")
            turn.closed = True

    def _prompt(self, session: _Session, line: Line) -> None:
        parts = tuple(part for part in line.parts if not (part.kind == "text" and is_interrupt(part.text)))
        turn = session.turns[-1] if session.turns else None
        if len(parts) < len(line.parts):
            self.notes.skip("interrupt")
            if turn is not None:
                turn.closed = True
        found = self._voices(line, parts)
        if not found:
            return
        texts = [part.text for part in parts if part.kind == "text"]
        echo = any(is_command_echo(text) for text in texts)
        # Typed while the agent works: it joins the turn that is running.
        joins = line.type == "attachment" or (
            line.prompt_id is not None and turn is not None and line.prompt_id == turn.prompt_id
        )
        if turn is not None and joins and not session.waiting:
            self._add(session, turn, line, found)
            turn.answered = turn.answered and all(role == "system" for role, _, _ in found)
        elif self._opens(line, found, texts):
            self._add(session, self._open(session, line), line, found)
        elif turn is None or session.echoed or echo:
            session.echoed = session.echoed or echo
            session.waiting_prompt = session.waiting_prompt or line.prompt_id
            session.waiting += self._messages(line, found)
        else:
            self._add(session, turn, line, found)

    def _opens(self, line: Line, found: list[tuple[str, str, str]], texts: list[str]) -> bool:
        if any(origin in ("human", "unknown") for _, origin, _ in found):
            return True
        if line.meta or line.summary:
            return False
        stated = line.provenance.kind not in (None, "human") or line.provenance.source == "system"
        return stated or any(is_machine_prompt(text) for text in texts)

    def _voices(self, line: Line, parts: tuple[Part, ...]) -> list[tuple[str, str, str]]:
        """(role, origin, text) of a user line's blocks; neighbours of one origin become one message."""
        found: list[tuple[str, str, str]] = []
        for part in _pieces(parts):
            if part.kind == "image":
                origin = found[-1][1] if found else self._origin(line, "")
            elif part.kind == "text":
                origin = self._origin(line, part.text)
            else:
                continue
            role = "user" if origin in ("human", "unknown") else "system"
            text = part.text if role == "user" else shortened(part.text)
            if found and found[-1][1] == origin:
                found[-1] = (role, origin, f"{found[-1][2]}\n\n{text}")
            else:
                found.append((role, origin, text))
        return found

    def _origin(self, line: Line, text: str) -> str:
        return prompt_origin(
            line,
            text,
            version_attributes=self.version_attributes,
            speaks_for_person=self.speaks_for_person,
        )

    def _current(self, session: _Session, line: Line) -> _Turn:
        """The turn that an answer or a result belongs to; the answer to a command's echo opens its own."""
        turn = session.turns[-1] if session.turns else None
        if turn is not None and session.echoed and session.waiting_prompt == turn.prompt_id is not None:
            self._claim(session)
        return turn if turn is not None and not session.echoed else self._open(session, line)

    def _open(self, session: _Session, line: Line) -> _Turn:
        key, prompt = line.key, line.prompt_id
        if line.type == "assistant" and session.waiting:
            key, prompt = session.waiting[0].key, prompt or session.waiting_prompt
        else:
            self._claim(session)  # nobody answered the echo: it belongs to what came before
        if prompt is not None and prompt not in session.turn_keys:
            key = prompt
        if session.turns:
            session.turns[-1].closed = True
        turn = _Turn(key, prompt, messages=session.waiting)
        session.waiting, session.echoed, session.waiting_prompt = [], False, None
        session.turns.append(turn)
        session.turn_keys.add(key)
        return turn

    def _claim(self, session: _Session) -> None:
        """Hand waiting host texts to the last turn, if there is one."""
        if session.turns and session.waiting:
            session.turns[-1].messages += session.waiting
            session.waiting, session.echoed, session.waiting_prompt = [], False, None

    def _add(self, session: _Session, turn: _Turn, line: Line, found: list[tuple[str, str, str]]) -> None:
        messages = self._messages(line, found)
        turn.messages += messages
        if messages:
            session.last_key = messages[-1].key

    @staticmethod
    def _messages(line: Line, found: Iterable[tuple[str, str, str]]) -> list[ReadMessage]:
        return [
            ReadMessage(line.key if index == 0 else f"{line.key}#{index}", role, origin, text, line.at)
            for index, (role, origin, text) in enumerate(found)
        ]


def _pieces(parts: tuple[Part, ...]) -> Iterable[Part]:
    """The parts with fenced blocks standing by themselves, so that no human text holds one."""
    for part in parts:
        position = 0
        for fence in find_fences(part.text) if part.kind == "text" else ():
            if part.text[position : fence.start].strip():
                yield Part("text", part.text[position : fence.start].strip("\r\n"))
            yield Part("text", part.text[fence.start : fence.end])
            position = fence.end
        if position == 0 or part.text[position:].strip():
            yield Part(part.kind, part.text[position:].strip("\r\n") if position else part.text)
