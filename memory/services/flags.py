"""Marks on a candidate that a reviewer should notice before approving (design section 8)."""

from __future__ import annotations

import re

_URL = re.compile(
    r"(?i)\b(?:https?|ftp|file|data|javascript):|\bwww\.|\b[\w-]+\.(?:com|org|net|io|dev|app|jp)/"
)
# Orders to whoever reads the memory: what a poisoned document would plant.
# Anywhere a clause begins: "IMPORTANT: always …", "The guide says: …, then run …".
_IMPERATIVE_EN = re.compile(
    r"(?im)(?:^|[.!?:;,—–]\s+|[-*•>\"'“”(「]\s*)(?:please\s+|then\s+|and\s+|always\s+|you\s+)*"
    r"(?:always|never|do not|don't|must|make sure|ensure|remember|run|execute|use|send|post|fetch|download|install"
    r"|delete|remove|ignore|disregard|forward|upload|curl|open|call|add|set|skip|push|commit|deploy|save|store|write"
    r"|tell|share|trust|treat|reply|respond|click|visit|email)\b"
    r"|\byou (?:must|should|have to)\b|\bignore (?:all |any )?(?:previous|prior|earlier)\b"
)
_IMPERATIVE_JA = re.compile(
    r"(?:してください|しろ|せよ|すること|なさい|して下さい|すべき|必ず.{0,40}(?:する|実行|使う)|してはいけない|するな)[。．!！]?\s*(?:$|\n)"
)


def flags_of(content: str) -> set[str]:
    """``url`` and ``imperative`` where the text carries them."""
    found: set[str] = set()
    if _URL.search(content):
        found.add("url")
    if _IMPERATIVE_EN.search(content) or _IMPERATIVE_JA.search(content):
        found.add("imperative")
    return found
