"""A scope that cannot be left out (design section 1, rule 9).

Functions that read or write across namespaces take a ``Scope``. It is built from namespaces that an
access selector has checked; an empty scope means "nothing", and there is no value that means "all".
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Scope:
    """The namespaces (by id) that one operation may touch."""

    ids: frozenset[uuid.UUID]

    @classmethod
    def of(cls, ids: Iterable[uuid.UUID]) -> Scope:
        return cls(frozenset(ids))

    def __contains__(self, namespace_id: object) -> bool:
        return namespace_id in self.ids

    def __iter__(self) -> Iterator[uuid.UUID]:
        return iter(sorted(self.ids))

    def __bool__(self) -> bool:
        return bool(self.ids)
