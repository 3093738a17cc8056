"""What a namespace needs once it is large: recall is right without it, only slower (design section 8, sizes)."""

from __future__ import annotations

from memory.services.common_terms import common_terms_tend
from memory.services.vector_indexes import vector_indexes_tend


def growth_tend() -> None:
    """Count common terms and build vector indexes where they are missing or stale. Call it outside transactions."""
    common_terms_tend()
    vector_indexes_tend()
