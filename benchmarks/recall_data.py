"""Question sets for ``benchmarks/recall.py``: LoCoMo conversations and JSQuAD, read from the files that are named."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ANSWERABLE = (1, 2, 3, 4)  # LoCoMo's category 5 has no answer in the conversation
TURN = re.compile(r"D:?(\d+):0*(\d+)")
SEED = 7


@dataclass(frozen=True)
class Item:
    """A text to be stored, and the evidence ids that it covers."""

    content: str
    covers: frozenset[str]
    at: str = ""


@dataclass(frozen=True)
class Question:
    text: str
    gold: frozenset[str]


@dataclass(frozen=True)
class Collection:
    """What goes into one namespace, and what is asked there."""

    name: str
    items: tuple[Item, ...]
    questions: tuple[Question, ...]


def read(path: Path, *, mode: str, most: int) -> Collection:
    """A LoCoMo conversation (``mode`` turn or observation), or JSQuAD (``mode`` is ignored) with ``most`` questions."""
    data = json.loads(path.read_text(encoding="utf-8"))
    if "conversation" in data:
        return _locomo(path.stem, data, mode)
    return _squad(path.stem, data, most)


def _ids(value: Any) -> frozenset[str]:
    """``D8:6; D9:17`` and ``D30:05`` are among the labels: repaired where they can be read."""
    raw = " ".join(value) if isinstance(value, list) else str(value)
    return frozenset(f"D{session}:{turn}" for session, turn in TURN.findall(raw))


def _locomo(name: str, data: dict[str, Any], mode: str) -> Collection:
    turns = list(_turns(data["conversation"]))
    known = frozenset(key for item in turns for key in item.covers)
    items = turns if mode == "turn" else list(_observations(data["observation"]))
    questions = [
        Question(qa["question"], _ids(qa["evidence"]) & known)
        for qa in data["qa"]
        if qa["category"] in ANSWERABLE and _ids(qa["evidence"]) & known
    ]
    return Collection(name.replace("_", "-"), tuple(items), tuple(questions))


def _turns(conversation: dict[str, Any]) -> Iterator[Item]:
    for key, turns in conversation.items():
        if re.fullmatch(r"session_\d+", key):
            at = _moment(conversation.get(f"{key}_date_time", ""))
            for turn in turns:
                yield Item(f"{turn['speaker']}: {turn['text']}", frozenset([turn["dia_id"]]), at)


def _observations(sessions: dict[str, Any]) -> Iterator[Item]:
    for speakers in sessions.values():
        for observations in speakers.values():
            for content, evidence in observations:
                yield Item(content, _ids(evidence))


def _moment(raw: str) -> str:
    """``1:56 pm on 8 May, 2023`` as ISO 8601."""
    try:
        return datetime.strptime(raw.upper(), "%I:%M %p ON %d %B, %Y").replace(tzinfo=UTC).isoformat()
    except ValueError:
        return ""


def _squad(name: str, data: dict[str, Any], most: int) -> Collection:
    items: list[Item] = []
    questions: list[Question] = []
    for article in data["data"]:
        for paragraph in article["paragraphs"]:
            key = str(len(items))
            items.append(Item(paragraph["context"], frozenset([key])))
            questions += [Question(qa["question"], frozenset([key])) for qa in paragraph["qas"]]
    if len(questions) > most:
        questions = random.Random(SEED).sample(questions, most)
    return Collection(name.replace("_", "-"), tuple(items), tuple(questions))


if __name__ == "__main__":  # a part of other benchmarks: says what it is
    print(__doc__)
