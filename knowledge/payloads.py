"""What a proposal would change, as plain data. Pure: no Django (design section 6, night shift).

Those about memories are here; those about notes and summaries in ``note_payloads``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from knowledge import note_payloads
from knowledge import refs as _refs
from knowledge.note_payloads import NotePayload
from knowledge.refs import Ref as Ref

RETIRE_AS = ("wrong", "outdated")
CATEGORIES = ("superseded", "outdated", "noisy", "unused")
MAX_TEXT = 8_000


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
    """``how`` (in JSON: ``as``) is wrong or outdated; ``content``, in a report, is what it should say instead.

    ``category`` is why the night shift would let it go.
    """

    memory: Ref
    how: str
    content: str = ""
    category: str = ""


MemoryPayload = Merge | Supersede | Retire
Payload = MemoryPayload | NotePayload


def read(kind: str, payload: Mapping[str, Any]) -> Payload:
    """The payload of any kind of proposal. ValueError with a sentence."""
    if kind == "merge":
        drop = payload.get("drop")
        if not isinstance(drop, Sequence) or isinstance(drop, str) or not drop:
            raise ValueError("drop must list at least one memory")
        merge = Merge(
            _refs.read(payload.get("keep")), tuple(_refs.read(each) for each in drop), _text(payload)
        )
        if len({ref.id for ref in refs(merge)}) != len(merge.drop) + 1:
            raise ValueError("a memory cannot be merged with itself")
        return merge
    if kind == "supersede":
        found = Supersede(_refs.read(payload.get("old")), _refs.read(payload.get("new")))
        if found.old.id == found.new.id:
            raise ValueError("a memory cannot supersede itself")
        return found
    if kind in ("retire", "report"):
        how = str(payload.get("as", ""))
        if how not in RETIRE_AS:
            raise ValueError("as must be wrong or outdated")
        category = payload.get("category", "")
        if category not in ("", *CATEGORIES):
            raise ValueError(f"category must be one of {', '.join(CATEGORIES)}")
        return Retire(_refs.read(payload.get("memory")), how, _text(payload), category)
    return note_payloads.read(kind, payload)


def write(payload: Payload) -> dict[str, Any]:
    """As JSON: ``read(kind, write(x)) == x``."""
    if isinstance(payload, Merge):
        drop = [_refs.write(ref) for ref in payload.drop]
        return {"keep": _refs.write(payload.keep), "drop": drop, "content": payload.content}
    if isinstance(payload, Supersede):
        return {"old": _refs.write(payload.old), "new": _refs.write(payload.new)}
    if isinstance(payload, NotePayload):
        return note_payloads.write(payload)
    named = {"category": payload.category} if payload.category else {}
    return {"memory": _refs.write(payload.memory), "as": payload.how, "content": payload.content, **named}


def refs(payload: Payload) -> tuple[Ref, ...]:
    """Every memory that it would change; none for notes and summaries."""
    if isinstance(payload, Merge):
        return (payload.keep, *payload.drop)
    if isinstance(payload, Supersede):
        return (payload.old, payload.new)
    return () if isinstance(payload, NotePayload) else (payload.memory,)


def fingerprint(kind: str, payload: Mapping[str, Any]) -> str:
    """The same change proposed again has the same one: SHA-256 over its canonical JSON."""
    canonical = json.dumps([kind, payload], ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def _text(payload: Mapping[str, Any]) -> str:
    content = payload.get("content", "")
    if not isinstance(content, str) or len(content) > MAX_TEXT or "\x00" in content:
        raise ValueError(f"content is a text of at most {MAX_TEXT} characters")
    return content
