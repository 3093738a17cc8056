"""What of somebody's former memory is no memory at all: boot text, logs, scraps (lessons row 1). Pure."""

from __future__ import annotations

import re

from core.text import normal_form
from transcripts.readers.fences import find_fences
from transcripts.readers.host_texts import is_host_text

MAX_CHARS = 8_000  # as a candidate may have
_LINE_CHARS = 500  # a longer line is no path
# Possessive: what lists and rules are drawn with may stand in a path, too, and must not be tried both ways.
_PATH = re.compile(
    r"^[-*\s]*+(?:(?:modified|created|deleted|edited|read|wrote|updated)\s*+:?\s*+)?[`'\"]?[\w@./~-]+\.\w{1,6}"
    r"[`'\"]?\s*+$",
    re.IGNORECASE,
)
_LOG = re.compile(
    r"^\s*(?:\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d|\$ |> |(?:INFO|DEBUG|WARN|ERROR|TRACE)\b|[0-9a-f]{7,40}\s)",
    re.IGNORECASE,
)
_BOOT = re.compile(
    r"(?i)\byou are (?:an? )?(?:helpful|expert|claude|chatgpt|ai)\b|\bas an ai (?:language )?model\b"
    r"|\bsystem prompt\b|^(?:the )?(?:user|assistant) (?:is|was) (?:asked|asking|greeted|said hello)"
    r"|^(?:session|conversation) (?:started|ended|initiali[sz]ed)"
)


def junk_of(text: str) -> str:
    """Why a text is not worth a person's look: ``boot``, ``log``, ``scrap``, ``too_long``; "" for an honest one."""
    if len(text) > MAX_CHARS:
        return "too_long"
    if is_host_text(text) or find_fences(text) or _BOOT.search(text[:500]):
        return "boot"
    lines = [line for line in text.splitlines() if line.strip()]
    logged = sum(1 for line in lines if _LOG.match(line) or (len(line) <= _LINE_CHARS and _PATH.match(line)))
    if lines and logged / len(lines) >= 0.6:
        return "log"
    plain = normal_form(text)
    has_cjk = bool(re.search(r"[\u3040-\u30ff\u3400-\u9fff]", plain))
    if len(plain) < (6 if has_cjk else 12) or (not has_cjk and len(text.split()) < 3):
        return "scrap"
    return ""
