"""Bundled prompts: versioned files ``<name>/<version>.md``; a namespace may override one (design section 4)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_HERE = Path(__file__).parent
CURRENT = {"extract": "1", "consolidate": "1"}
# Names in the answer that the program reads: a wording that never mentions one makes the model guess.
NEEDED = {
    "extract": ("memories", "content", "evidence", "message"),
    "consolidate": ("title", "description", "body", "used"),
}


@dataclass(frozen=True)
class Prompt:
    """A prompt's text and where it is from: ``extract/1`` or ``extract/1+override``."""

    name: str
    version: str
    text: str


@lru_cache(maxsize=16)
def bundled(name: str) -> Prompt:
    """The bundled text of the current version. KeyError for an unknown prompt."""
    version = CURRENT[name]
    return Prompt(name, f"{name}/{version}", (_HERE / name / f"{version}.md").read_text(encoding="utf-8"))
