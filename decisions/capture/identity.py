"""What makes two questions the same one (design section 5: "normalised question + option set + category")."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from core.text import sha256
from decisions.learning.categories import categorise
from decisions.learning.labels import keys_of
from decisions.learning.templates import likeness, template_of
from decisions.learning.types import OTHER_OFFERED, Question

# How alike two texts with the same options must read. Options that fit any question say nothing about it.
ALIKE = 0.55
ALIKE_PLAIN = 0.8
_PLAIN = frozenset(
    {"yes", "no", "ok", "okay", "cancel", "skip", "continue", "stop", "abort", "proceed", "accept", "reject"}
    | {
        "approve",
        "decline",
        OTHER_OFFERED,
        "none",
        "later",
        "はい",
        "いいえ",
        "続ける",
        "やめる",
        "中止",
        "キャンセル",
    }
    | {"スキップ", "続行", "承認", "却下", "する", "しない", "後で", "あとで"}
)


@dataclass(frozen=True)
class Identity:
    """``signature`` finds the very same wording, ``options_hash`` those that could be other words for it."""

    template: str
    template_hash: str
    options: tuple[str, ...]
    options_hash: str
    signature: str
    category: str

    @classmethod
    def of(cls, question: Question) -> Identity:
        """``question`` carries the options under their own labels, not under what we displayed."""
        template = template_of(question.text)
        options = tuple(sorted(set(keys_of(question))))
        options_hash = hash_of([*options, question.multi])
        return cls(
            template=template,
            template_hash=sha256(template),
            options=options,
            options_hash=options_hash,
            signature=hash_of([template, options_hash]),
            category=categorise(question),
        )


def hash_of(parts: Iterable[object]) -> str:
    """Of the parts and of where each one ends."""
    return sha256(json.dumps(list(parts), ensure_ascii=False))


def alike(question: str, other: str, options: Iterable[str]) -> float:
    """How alike two questions with the same options read, or 0 when that is not enough. Opposites never are."""
    plain = set(options) <= _PLAIN
    found = likeness(question, other, which=not plain)
    return found if found >= (ALIKE_PLAIN if plain else ALIKE) else 0.0
