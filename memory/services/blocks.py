"""Which stored texts are worth comparing? Those that share telling words, by hash (design section 4, Dedupe)."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable

from memory import dedupe

LOOKUP = 8


def blocks_of(*, namespace_id: uuid.UUID, kind: str, content: str) -> list[int]:
    """What to store: signed 64-bit hashes of the text's keys, salted with namespace and kind.

    The salt makes one GIN index serve every namespace without mixing them.
    """
    return _hashes(namespace_id, kind, dedupe.block_keys(dedupe.features(content)))


def lookup_blocks(*, namespace_id: uuid.UUID, kind: str, features: dedupe.Features) -> list[int]:
    """What to ask for: the hashes of the text's few most telling keys."""
    return _hashes(namespace_id, kind, dedupe.lookup_keys(features, k=LOOKUP))


def _hashes(namespace_id: uuid.UUID, kind: str, keys: Iterable[str]) -> list[int]:
    return [_hash(namespace_id.bytes + kind.encode() + b"\x00" + key.encode()) for key in keys]


def _hash(data: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big", signed=True)
