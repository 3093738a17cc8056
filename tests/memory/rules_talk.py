"""Builds windows for the tests of the rules extractor: (who, text) pairs, oldest first."""

from __future__ import annotations

from memory.extractors.base import Extraction, Proposal, Utterance, Window
from memory.extractors.rules import RulesExtractor

ROLES = {
    "human": "user",
    "agent": "assistant",
    "tool": "tool",
    "system": "user",
    "injected": "user",
    "unknown": "user",
}


def window(*talk: tuple[str, str], mode: str = "turn", workspace: str | None = "lighthouse") -> Window:
    said = tuple(Utterance(f"u{n}", ROLES[who], who, text, True) for n, (who, text) in enumerate(talk))
    return Window(said, "default", workspace, mode)


def extract(*talk: tuple[str, str]) -> Extraction:
    return RulesExtractor().extract(window(*talk))


def told(*talk: tuple[str, str]) -> tuple[Proposal, ...]:
    return extract(*talk).proposals


def said(text: str) -> tuple[Proposal, ...]:
    return told(("human", text))
