"""The other kind of line in ``decisions.jsonl``: what a person said about a recurring question. Pure.

Only questions about which something was said have one; lines of choices make all the others again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from decisions.capture.limits import MAX_LABEL_BYTES, MAX_OPTIONS, MAX_QUESTION_CHARS
from decisions.exchange import loaded
from decisions.learning.types import CATEGORIES

NAME = "hikae_point"
MOST_WORDINGS = 1_000
MOST_CHARS = 2 * MAX_QUESTION_CHARS  # of a question: as for choices (exchange_checks)


@dataclass(frozen=True)
class Worded:
    """One wording: its question, its option keys, whether several may be chosen, and what joined it to the point."""

    question: str
    keys: tuple[str, ...]
    multi: bool
    joined: str


@dataclass(frozen=True)
class PointLine:
    """``question`` is the one that the point is shown under: that of one of its wordings.

    ``preferred`` is an option key or empty, ``aliases`` leads from other names of options to their keys.
    """

    question: str
    workspace: str
    name: str
    category_set: str
    always_ask: bool
    preferred: str
    aliases: Mapping[str, str]
    wordings: tuple[Worded, ...]


def is_point(text: str) -> bool:
    return f'"{NAME}"' in text


def point_line(point: PointLine) -> str:
    """The same point always gives the same bytes."""
    held = asdict(point)
    return json.dumps({"question": held.pop("question"), NAME: held}, ensure_ascii=False)


def parse_point(text: str) -> PointLine:
    """Raises ValueError with a sentence that names the field."""
    raw = loaded(text)
    held = raw.get(NAME) if isinstance(raw, dict) else None
    names = [field.name for field in fields(PointLine) if field.name != "question"]
    if not isinstance(held, dict) or set(held) != set(names):
        raise ValueError(f"{NAME} must hold exactly {', '.join(names)}")
    for name in ("workspace", "name", "category_set", "preferred"):
        if not isinstance(held[name], str):
            raise ValueError(f"{NAME}.{name} must be a text")
    if held["category_set"] not in ("", *CATEGORIES):
        raise ValueError(f"{NAME}.category_set must be empty or one of {', '.join(CATEGORIES)}")
    if not isinstance(held["always_ask"], bool):
        raise ValueError(f"{NAME}.always_ask must be true or false")
    aliases, wordings = held["aliases"], held["wordings"]
    if not isinstance(aliases, dict) or not all(isinstance(key, str) and key for key in aliases.values()):
        raise ValueError(f"{NAME}.aliases must lead from option keys to option keys")
    if not isinstance(wordings, list) or not 0 < len(wordings) <= MOST_WORDINGS:
        raise ValueError(f"{NAME}.wordings must list from 1 to {MOST_WORDINGS:,} wordings")
    question = raw.get("question", "")
    if not isinstance(question, str):
        raise ValueError("question must be a text")
    return PointLine(**{**held, "question": question, "wordings": tuple(map(_worded, wordings))})


def _worded(raw: Any) -> Worded:
    if not isinstance(raw, dict) or set(raw) != {field.name for field in fields(Worded)}:
        raise ValueError(f"{NAME}.wordings must hold question, keys, multi and joined")
    keys: Sequence[Any] = raw["keys"] if isinstance(raw["keys"], list) else ()
    fine = isinstance(raw["question"], str) and raw["question"].strip() and isinstance(raw["multi"], bool)
    if not fine or not keys or not all(isinstance(key, str) and key for key in keys):
        raise ValueError(
            f"{NAME}.wordings: question, keys and multi must be a text, a list of texts and a flag"
        )
    if len(raw["question"]) > MOST_CHARS or len(keys) > MAX_OPTIONS or max(map(len, keys)) > MAX_LABEL_BYTES:
        raise ValueError(
            f"{NAME}.wordings: a question has at most {MOST_CHARS:,} characters and {MAX_OPTIONS} options"
        )
    if raw["joined"] not in ("first", "likeness", "person"):
        raise ValueError(f"{NAME}.wordings.joined must be first, likeness or person")
    return Worded(raw["question"], tuple(keys), raw["multi"], raw["joined"])
