"""A row as a proposer saw it: its id and version. Pure: no Django."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Ref:
    """A memory or a note as the proposer saw it."""

    id: uuid.UUID
    version: int


def read(value: object, what: str = "memory") -> Ref:
    """From ``{"id", "version"}``. ValueError with a sentence about ``what``."""
    if not isinstance(value, Mapping):
        raise ValueError(f"a {what} is named by its id and version")
    version = value.get("version")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise ValueError("a version is a whole number of at least 1")
    try:
        return Ref(uuid.UUID(str(value.get("id"))), version)
    except ValueError as error:
        raise ValueError(f"a {what}'s id is a UUID") from error


def write(ref: Ref) -> dict[str, Any]:
    """As JSON: ``read(write(x)) == x``."""
    return {"id": str(ref.id), "version": ref.version}
