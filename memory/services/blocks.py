"""Which stored texts are worth comparing? Those that share rare words, by hash (design section 4, Dedupe)."""

from __future__ import annotations

import hashlib
import uuid

from core import text

MAX_BLOCKS = 40


def blocks_of(*, namespace_id: uuid.UUID, kind: str, content: str) -> list[int]:
    """Signed 64-bit hashes of the text's content words, salted with namespace and kind.

    The salt makes one GIN index serve every namespace without mixing them.
    """
    words = dict.fromkeys(term for term in text.terms(content) if not text.is_weak_term(term))
    return [_hash(namespace_id, kind, word) for word in list(words)[:MAX_BLOCKS]]


def _hash(namespace_id: uuid.UUID, kind: str, word: str) -> int:
    data = namespace_id.bytes + kind.encode() + b"\x00" + word.encode()
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big", signed=True)
