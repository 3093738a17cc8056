"""What a proposal about memories would change, as plain data. Pure: no Django (design section 6, night shift)."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

RETIRE_AS = ("wrong", "outdated")
MAX_TEXT = 8_000


@dataclass(frozen=True)
class Ref:
    """A memory as the proposer saw it."""

    id: uuid.UUID
    version: int


@dataclass(frozen=True)
class Merge:
    """``keep`` stays, with ``content`` as its text if there is one; it supersedes every one of ``drop``."""

    keep: Ref
    drop: tuple[Ref, ...]
    content: str = ""


@dataclass(frozen=True)
class Supersede:
    """``old`` was true until ``new`` became so."""

    old: Ref
    new: Ref


@dataclass(frozen=True)
class Retire:
    """``how`` (in JSON: ``as``) is wrong or outdated; ``content``, in a report, is what it should say instead."""

    memory: Ref
    how: str
    content: str = ""


Payload = Merge | Supersede | Retire


def read(kind: str, payload: Mapping[str, Any]) -> Payload:
    """The payload of a kind that concerns memories: merge, supersede, retire, report. ValueError with a sentence."""
    if kind == "merge":
        drop = payload.get("drop")
        if not isinstance(drop, Sequence) or isinstance(drop, str) or not drop:
            raise ValueError("drop must list at least one memory")
        merge = Merge(_ref(payload.get("keep")), tuple(_ref(each) for each in drop), _text(payload))
        if len({ref.id for ref in refs(merge)}) != len(merge.drop) + 1:
            raise ValueError("a memory cannot be merged with itself")
        return merge
    if kind == "supersede":
        found = Supersede(_ref(payload.get("old")), _ref(payload.get("new")))
        if found.old.id == found.new.id:
            raise ValueError("a memory cannot supersede itself")
        return found
    if kind in ("retire", "report"):
        how = str(payload.get("as", ""))
        if how not in RETIRE_AS:
            raise ValueError("as must be wrong or outdated")
        return Retire(_ref(payload.get("memory")), how, _text(payload))
    raise ValueError(f"proposals of kind {kind} are not about memories")


def write(payload: Payload) -> dict[str, Any]:
    """As JSON: ``read(kind, write(x)) == x``."""
    if isinstance(payload, Merge):
        drop = [_json(ref) for ref in payload.drop]
        return {"keep": _json(payload.keep), "drop": drop, "content": payload.content}
    if isinstance(payload, Supersede):
        return {"old": _json(payload.old), "new": _json(payload.new)}
    return {"memory": _json(payload.memory), "as": payload.how, "content": payload.content}


def refs(payload: Payload) -> tuple[Ref, ...]:
    """Every memory it is about."""
    if isinstance(payload, Merge):
        return (payload.keep, *payload.drop)
    if isinstance(payload, Supersede):
        return (payload.old, payload.new)
    return (payload.memory,)


def fingerprint(kind: str, payload: Mapping[str, Any]) -> str:
    """The same change proposed again has the same one: SHA-256 over its canonical JSON."""
    canonical = json.dumps([kind, payload], ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def _ref(value: object) -> Ref:
    if not isinstance(value, Mapping):
        raise ValueError("a memory is named by its id and version")
    version = value.get("version")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise ValueError("a version is a whole number of at least 1")
    try:
        return Ref(uuid.UUID(str(value.get("id"))), version)
    except ValueError as error:
        raise ValueError("a memory's id is a UUID") from error


def _json(ref: Ref) -> dict[str, Any]:
    return {"id": str(ref.id), "version": ref.version}


def _text(payload: Mapping[str, Any]) -> str:
    content = payload.get("content", "")
    if not isinstance(content, str) or len(content) > MAX_TEXT or "\x00" in content:
        raise ValueError(f"content is a text of at most {MAX_TEXT} characters")
    return content
