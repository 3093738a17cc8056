"""What every file of an export needs: records, how many at a time, and texts that pass the redaction once more."""

from __future__ import annotations

from typing import Any

from core.redact import redact

Record = dict[str, Any]
CHUNK = 500


def safe(text: str) -> str:
    """Stored texts are redacted already; a pattern that is newer than a text gets its chance here."""
    return redact(text).text


def safe_all(value: Any) -> Any:
    """The same inside lists and objects."""
    if isinstance(value, str):
        return safe(value)
    if isinstance(value, list):
        return [safe_all(each) for each in value]
    if isinstance(value, dict):
        return {key: safe_all(each) for key, each in value.items()}
    return value
