"""Advisory locks of PostgreSQL; unless it says otherwise, held to the end of the transaction."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


def _number(name: str) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "big", signed=True)


def lock(*names: str) -> None:
    """Take the named locks, in one order everywhere so that no two transactions wait for each other."""
    if not connection.in_atomic_block:
        raise RuntimeError("an advisory lock is only held inside a transaction")
    with connection.cursor() as cursor:
        for number in sorted({_number(name) for name in names}):
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [number])


@contextmanager
def only_one(name: str) -> Iterator[bool]:
    """A lock of the connection, not of a transaction, for work that computes for long: whether it is ours."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [_number(name)])
        mine = bool(cursor.fetchone()[0])
    try:
        yield mine
    finally:
        if mine:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [_number(name)])
