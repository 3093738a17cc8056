"""Where what recall reads differs from the memories themselves (design section 8: ``doctor`` reports drift)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db import connection

from core.scope import Scope

EXAMPLES = 5


@dataclass(frozen=True)
class Finding:
    """``code`` names the check, ``meaning`` says what it does to recall, ``cure`` the command that mends it.

    ``urgent``: wrong or missing answers; else answers are right, only poorer or slower for a while.
    """

    code: str
    meaning: str
    cure: str
    count: int
    examples: tuple[str, ...]
    urgent: bool


def drift(*, scope: Scope, space: str) -> Iterator[Finding]:
    """Every check that found something. ``space``: of the present embedding model; empty when there is none."""
    for code, meaning, cure, urgent, statement in CHECKS:
        if not space and "%(space)s" in statement:
            continue
        found = _run(statement, scope, space)
        if found:
            yield Finding(code, meaning, cure, len(found), tuple(found[:EXAMPLES]), urgent)


def _run(statement: str, scope: Scope, space: str) -> Sequence[str]:
    with connection.cursor() as cursor:
        cursor.execute(statement, {"namespaces": list(scope), "space": space})
        return [str(row[0]) for row in cursor.fetchall()]


_WORDS = "manage.py reindex --words"
_VECTORS = "manage.py reindex --vectors"
CHECKS = (
    (
        "not_indexed",
        "active memories that recall cannot find at all",
        _WORDS,
        True,
        """
        SELECT m.id FROM memory_memory m WHERE m.namespace_id = ANY(%(namespaces)s::uuid[]) AND m.status = 'active'
            AND NOT EXISTS (SELECT FROM memory_memoryindex i WHERE i.memory_id = m.id) ORDER BY 1
        """,
    ),
    (
        "index_of_none",
        "index entries of memories that are retired or deleted",
        _WORDS,
        True,
        """
        SELECT i.memory_id FROM memory_memoryindex i JOIN memory_memory m ON m.id = i.memory_id
        WHERE i.namespace_id = ANY(%(namespaces)s::uuid[]) AND m.status <> 'active' ORDER BY 1
        """,
    ),
    (
        "words_of_none",
        "words in the index without an entry, left over from a memory that is gone",
        _WORDS,
        True,
        """
        SELECT DISTINCT t.memory_id FROM memory_memoryterm t
        WHERE t.namespace_id = ANY(%(namespaces)s::uuid[])
            AND NOT EXISTS (SELECT FROM memory_memoryindex i WHERE i.memory_id = t.memory_id) ORDER BY 1
        """,
    ),
    (
        "wordless",
        "index entries without a single word, though the text has some",
        _WORDS,
        True,
        """
        SELECT i.memory_id FROM memory_memoryindex i
        WHERE i.namespace_id = ANY(%(namespaces)s::uuid[]) AND i.length > 0
            AND NOT EXISTS (SELECT FROM memory_memoryterm t WHERE t.memory_id = i.memory_id) ORDER BY 1
        """,
    ),
    (
        "former_text",
        "index entries of a former version of the text",
        _WORDS,
        True,
        """
        SELECT i.memory_id FROM memory_memoryindex i JOIN memory_memory m ON m.id = i.memory_id
        WHERE i.namespace_id = ANY(%(namespaces)s::uuid[]) AND m.status = 'active' AND i.version <> m.version
        ORDER BY 1
        """,
    ),
    (
        "elsewhere",
        "index rows that lie in another namespace than their memory",
        _WORDS,
        True,
        """
        SELECT m.id FROM memory_memory m WHERE m.namespace_id = ANY(%(namespaces)s::uuid[]) AND (
            EXISTS (SELECT FROM memory_memoryindex i WHERE i.memory_id = m.id AND i.namespace_id <> m.namespace_id)
            OR EXISTS (SELECT FROM memory_memoryterm t WHERE t.memory_id = m.id AND t.namespace_id <> m.namespace_id)
            OR EXISTS (SELECT FROM memory_memoryvector v WHERE v.memory_id = m.id AND v.namespace_id <> m.namespace_id)
        ) ORDER BY 1
        """,
    ),
    (
        "vector_of_none",
        "vectors of memories that recall must not return",
        _WORDS,
        True,
        """
        SELECT DISTINCT v.memory_id FROM memory_memoryvector v JOIN memory_memory m ON m.id = v.memory_id
        WHERE v.namespace_id = ANY(%(namespaces)s::uuid[]) AND m.status <> 'active' ORDER BY 1
        """,
    ),
    (
        "vector_due",
        "memories that words alone find, because their vector of the present model is not there",
        _VECTORS,
        False,
        """
        SELECT i.memory_id FROM memory_memoryindex i
        WHERE i.namespace_id = ANY(%(namespaces)s::uuid[]) AND NOT EXISTS (
            SELECT FROM memory_memoryvector v
            WHERE v.memory_id = i.memory_id AND v.space = %(space)s AND v.version = i.version
        ) ORDER BY 1
        """,
    ),
    (
        "vector_of_former_text",
        "vectors of a former version of the text",
        _VECTORS,
        True,
        """
        SELECT v.memory_id FROM memory_memoryvector v JOIN memory_memory m ON m.id = v.memory_id
        WHERE v.namespace_id = ANY(%(namespaces)s::uuid[]) AND m.status = 'active' AND v.version <> m.version
        ORDER BY 1
        """,
    ),
)
