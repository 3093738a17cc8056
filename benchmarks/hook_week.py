"""A made-up week of work in Japanese and English, as hook events with transcripts and as the same calls over REST.

Seeded. Whole: 30 sessions, 600 turns, 20 compactions, 80 questions; the tests play a small one.
"""

from __future__ import annotations

import json
import random
import sys
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from integrations.simulate import Step

SAID = {
    "en": (
        "From now on use {a}, not {b}.",
        "We decided to keep {a} because {b} was too slow.",
        "I prefer {a} over {b} in this project.",
        "Always run {a} before you push.",
        "Production runs on {a}.",
    ),
    "ja": (
        "これからは{b}ではなく{a}を使ってください。",
        "{b}は遅すぎたので、{a}を使うことに決めました。",
        "このプロジェクトでは{b}より{a}が好みです。",
        "プッシュの前に必ず{a}を実行してください。",
        "本番環境は{a}で動いています。",
    ),
}
SMALL = {
    "en": (
        "Fix the failing test.",
        "thanks",
        "What does this function do?",
        "Open the file and look.",
        "Go on.",
    ),
    "ja": (
        "失敗しているテストを直して",
        "ありがとう",
        "この関数は何をしていますか？",
        "ファイルを開いて見て",
        "続けて",
    ),
}
ANSWERED = {"en": "I have done it, and the tests pass.", "ja": "対応しました。テストも通っています。"}
TOOLS = (
    "pnpm",
    "uv",
    "ruff",
    "pytest",
    "PostgreSQL",
    "Valkey",
    "Caddy",
    "Django",
    "Playwright",
    "Celery",
    "mypy",
    "Vite",
)
QUESTIONS = {
    "en": (("Which tier?", ("Tier S", "Tier M", "Tier L")), ("Where do we work?", ("Branch", "Worktree"))),
    "ja": (
        ("どの規模で進めますか？", ("小", "中", "大")),
        ("どこで作業しますか？", ("ブランチ", "ワークツリー")),
    ),
}
PROJECTS = {"en": "shop", "ja": "yoyaku"}


@dataclass
class Call:
    """One REST call: what the same agent would send without hooks."""

    method: str
    path: str
    body: Mapping[str, Any]


@dataclass
class Session:
    """Steps for the hooks, and calls for REST, of one session in the same order."""

    key: str
    steps: list[Step] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)


def week(
    *,
    sessions: int = 30,
    turns: int = 20,
    compactions: int = 20,
    questions: int = 80,
    seed: int = 7,
    begins: datetime,
) -> Iterator[Session]:
    """Every session has ``turns`` turns; compactions and questions are spread over them as evenly as they go."""
    draw = random.Random(seed)
    slots = [(s, t) for s in range(sessions) for t in range(turns)]
    squeezed = set(draw.sample(slots, compactions))
    asked = set(draw.sample(slots, questions))
    for number in range(sessions):
        lang = "ja" if number % 2 else "en"
        talk = _Talk(_id(draw), lang, begins + timedelta(hours=5 * number))
        talk.start()
        for turn in range(turns):
            said = draw.choice(SMALL[lang])
            if draw.random() < 0.35:
                a, b = draw.sample(TOOLS, 2)
                said = draw.choice(SAID[lang]).format(a=a, b=b)
            question = draw.choice(QUESTIONS[lang]) if (number, turn) in asked else None
            chosen = draw.randrange(2)
            talk.turn(
                _id(draw),
                said,
                question,
                chosen,
                squeeze=(number, turn) in squeezed,
                tool=f"toolu_{_id(draw)}",
            )
        talk.end()
        yield talk.session


def _id(draw: random.Random) -> str:
    return str(uuid.UUID(int=draw.getrandbits(128), version=4))


class _Talk:
    """Writes one session down in both ways."""

    def __init__(self, key: str, lang: str, at: datetime) -> None:
        self.session = Session(key)
        self.lang = lang
        self.at = at
        self.last: str | None = None
        self.number = 0

    def start(self) -> None:
        self._fire("SessionStart", source="startup")
        self._call(
            "POST",
            "sessions/",
            key=self.session.key,
            client="claude_code",
            workspace={"name": PROJECTS[self.lang]},
        )
        self._call("GET", "context/", session=self.session.key)

    def turn(
        self,
        prompt: str,
        said: str,
        question: tuple[str, tuple[str, ...]] | None,
        chosen: int,
        *,
        squeeze: bool,
        tool: str,
    ) -> None:
        self.at += timedelta(minutes=2)
        self._fire("UserPromptSubmit", prompt=said, prompt_id=prompt, source="user")
        typed = self._line("user", said, promptId=prompt, promptSource="typed", origin={"kind": "human"})
        human = {"role": "user", "origin": "human", "text": said, "key": "u", "at": self._time()}
        self._call("POST", "turns/", session=self.session.key, key=prompt, closed=False, messages=[human])
        self._call("POST", "recall/", q=said, session=self.session.key, k=5, budget=700)
        lines = [typed]
        if question:
            text, labels = question
            asked = [{"question": text, "header": "", "multiSelect": False,
                      "options": [{"label": label, "description": ""} for label in labels]}]  # fmt: skip
            given: dict[str, Any] = {
                "tool_name": "AskUserQuestion",
                "tool_use_id": tool,
                "tool_input": {"questions": asked},
            }
            answer = {"questions": asked, "answers": {text: labels[chosen]}, "annotations": {}}
            self._fire("PreToolUse", lines=lines, prompt_id=prompt, **given)
            event = self._fire("PostToolUse", prompt_id=prompt, tool_response=answer, **given)
            self._call("POST", "decisions/", **event)
            lines = []
        self.at += timedelta(seconds=20)
        doing = ANSWERED[self.lang] if not squeeze else f"{ANSWERED[self.lang]} ({said[:20]})"
        lines.append(self._line("assistant", doing))
        spoken = {"role": "assistant", "text": doing, "key": "a", "at": self._time()}
        if squeeze:
            self._call(
                "POST", "turns/", session=self.session.key, key=prompt, closed=False, messages=[spoken]
            )
            self._fire("PreCompact", lines=lines, prompt_id=prompt, trigger="auto", custom_instructions=None)
            self._call("POST", "compactions/", session=self.session.key, trigger="auto", key=f"c-{prompt}")
            self._fire("PostCompact", prompt_id=prompt, trigger="auto", compact_summary="…")
            lines = []
        self._fire(
            "Stop", lines=lines, prompt_id=prompt, stop_hook_active=False, last_assistant_message=doing
        )
        self._call("POST", "turns/", session=self.session.key, key=prompt, closed=True, messages=[spoken])

    def end(self) -> None:
        self.at += timedelta(minutes=1)
        self._fire("SessionEnd", reason="prompt_input_exit")
        self._call("PATCH", f"sessions/{self.session.key}/", ended=True)

    def _fire(self, name: str, *, lines: list[str] | None = None, **fields: Any) -> dict[str, Any]:
        event = {
            "session_id": self.session.key,
            "hook_event_name": name,
            "permission_mode": "default",
            **fields,
        }
        self.session.steps.append(Step(event, tuple(lines or ()), PROJECTS[self.lang]))
        return event

    def _call(self, method: str, path: str, **body: Any) -> None:
        self.session.calls.append(Call(method, path, body))

    def _line(self, role: str, text: str, **more: Any) -> str:
        self.number += 1
        uid = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self.session.key}{self.number}"))
        content: Any = text if role == "user" else [{"type": "text", "text": text}]
        line = {
            "type": role,
            "uuid": uid,
            "parentUuid": self.last,
            "sessionId": self.session.key,
            "timestamp": self._time(),
            "message": {"role": role, "content": content},
            **more,
        }
        self.last = uid
        return json.dumps(line, ensure_ascii=False)

    def _time(self) -> str:
        return self.at.isoformat()


if __name__ == "__main__":  # a part of other benchmarks: says what it is
    print(__doc__)
