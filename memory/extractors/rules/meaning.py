"""What a sentence embedding adds to the sums of the judge and of the kinds: one number for each direction.

The built-in model is asked only where grammar leaves something open.  What is kept of a text is a digest and
these numbers, never a person's words.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from core.embed.local import UseEmbedder
from core.embed.port import EmbedUnavailable

MAX_CHARS = 300
REMEMBERED = 4096

KEPT = "kept"  # the judge's direction; the others are named after their kinds


@lru_cache(maxsize=1)
def directions() -> dict[str, tuple[float, ...]]:
    """Fitted directions by name: ``KEPT`` from weights.json, one a kind from kinds.json."""
    here = Path(__file__).parent
    judge = json.loads((here / "weights.json").read_text(encoding="utf-8"))["joint"]["vector"]
    kinds = json.loads((here / "kinds.json").read_text(encoding="utf-8"))["joint"]["vectors"]
    return {KEPT: tuple(judge)} | {kind: tuple(vector) for kind, vector in kinds.items()}


@lru_cache(maxsize=1)
def _model() -> UseEmbedder:
    return UseEmbedder()


_known: dict[bytes, dict[str, float]] = {}


def meanings(texts: Sequence[str]) -> list[dict[str, float]] | None:
    """For each text (its first ``MAX_CHARS``) the inner products with ``directions``; None where no model runs.

    One call for all: the engine is three times faster in a batch than text by text.  A text that comes again
    is not embedded again.
    """
    cut = [text[:MAX_CHARS] for text in texts]
    keys = [hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest() for text in cut]
    found = {key: _known[key] for key in keys if key in _known}
    new = {key: text for key, text in zip(keys, cut, strict=True) if key not in found}
    if new:
        try:
            vectors = _model().embed(list(new.values()))
        except EmbedUnavailable:
            return None
        if len(_known) > REMEMBERED:
            _known.clear()
        for key, values in zip(new, vectors, strict=True):
            length = math.sqrt(sum(v * v for v in values)) or 1.0
            found[key] = {
                name: sum(v * w for v, w in zip(values, direction, strict=True)) / length
                for name, direction in directions().items()
            }
        _known.update(found)
    return [found[key] for key in keys]
