"""Where a question was asked: what may split a habit (design section 5, "Context comes from")."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from decisions.capture import limits

_COMMAND = re.compile(r"(?:\A\s*|<command-name>\s*)(/[A-Za-z][\w:.-]{0,80})(?=[\s<]|\Z)")
_SPEC = re.compile(r"(?<![\w-])SPEC-[A-Z0-9][A-Z0-9-]{0,60}(?![\w-])")
_PHASE = re.compile(
    r"(?:\A|[:/\d_-])(plan|run|sync|spec|build|review|test|fix|release|deploy)(?:\Z|[:_-])", re.I
)


def payload_context(payload: Mapping[str, Any]) -> dict[str, str]:
    """What the hook itself says. Wrong types are left out: context never makes a choice wrong."""
    effort = payload.get("effort")
    raw = {
        "permission_mode": payload.get("permission_mode"),
        "branch": payload.get("git_branch") or payload.get("gitBranch"),
        "effort": effort.get("level") if isinstance(effort, Mapping) else None,
    }
    return tidy({key: value for key, value in raw.items() if isinstance(value, str)})


def prompt_context(prompt: str) -> dict[str, str]:
    """The slash command and the spec of the turn's prompt: ``/moai:2-run SPEC-AUTH-001``."""
    found: dict[str, str] = {}
    if command := _COMMAND.search(prompt[:2_000]):
        found["workflow"] = command.group(1)
        if phase := _PHASE.search(command.group(1)):
            found["phase"] = phase.group(1).lower()
    if spec := _SPEC.search(prompt[:2_000]):
        found["spec"] = spec.group()
    return tidy(found)


def tidy(raw: Mapping[str, Any]) -> dict[str, str]:
    """Short names with short texts; other scalars as JSON would write them, everything else is left out."""
    kept: dict[str, str] = {}
    for key, value in raw.items():
        if isinstance(value, bool):
            value = "true" if value else "false"
        if isinstance(value, int | float):
            value = str(value)
        if isinstance(value, str) and value.strip() and 0 < len(key) <= limits.MAX_CONTEXT_KEY_CHARS:
            kept[key] = " ".join(value.split())[: limits.MAX_CONTEXT_CHARS]
        if len(kept) == limits.MAX_CONTEXT_KEYS:
            break
    return kept
