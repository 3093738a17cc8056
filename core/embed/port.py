"""What the house knows about embeddings: texts in, unit vectors out, and the name of the space they live in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol, runtime_checkable


class EmbedUnavailable(Exception):
    """No vectors now (not installed, unreachable, refused, or a wrong shape). Recall then goes on with words alone."""


@runtime_checkable
class Embedder(Protocol):
    """A model that turns texts into vectors.

    Vectors of two spaces must never be compared; `space` is stored with each vector (design section 7).
    """

    @property
    def space(self) -> str:
        """Model and dimensions, for example ``use-multilingual-v3/512``."""
        ...

    @property
    def dims(self) -> int:
        """Length of every vector."""
        ...

    def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
        """One unit vector per text, in order. `query` marks search queries, which some models treat differently.

        Raises EmbedUnavailable. Empty input gives an empty list; blank texts get a vector too.
        """
        ...


def unit(vector: Sequence[float], *, dims: int) -> list[float]:
    """The vector scaled to length one; EmbedUnavailable if its size is not `dims` or it has no direction."""
    if len(vector) != dims:
        raise EmbedUnavailable(f"the embedding has {len(vector)} dimensions, expected {dims}")
    length = math.sqrt(math.fsum(x * x for x in vector))
    if not math.isfinite(length) or length == 0:
        raise EmbedUnavailable("the embedding is not a finite, non-zero vector")
    return [x / length for x in vector]
