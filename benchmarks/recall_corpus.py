"""Invented memories in any number over many namespaces, their texts and vectors seeded, stored by COPY."""

from __future__ import annotations

import random
import struct
import sys
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from core import text
from core.ids import new_id

SEED = 11
MODELS = 600  # texts whose vectors the others scatter around
NOISE = 0.02  # of each coordinate, before scaling back to length one
BATCH = 5_000
THINGS = (
    "gateway importer ledger scheduler exporter cache queue parser mailer renderer notifier crawler".split()  # noqa: SIM905 - reads better than thirty strings
)
DEEDS = "retries rejects compresses encrypts mirrors archives validates throttles signs".split()  # noqa: SIM905 - reads better than thirty strings
OBJECTS = "invoices orders images sessions coupons shipments refunds reports webhooks".split()  # noqa: SIM905 - reads better than thirty strings
JA_THINGS = ["請求", "認証", "在庫", "配送", "通知", "予約", "集計", "監視", "検索", "決済"]
JA_DEEDS = [
    "は毎晩2時に再計算する",
    "は失敗したら三回まで再試行する",
    "は別の地域に複製する",
    "は署名してから送る",
]
CLAUSES = [
    "because the partner asked for it",
    "since the incident in May",
    "unless the flag is off",
    "before the nightly run",
    "担当は経理",
    "根拠は社内規程",
]
TABLES = ("memory_memory", "memory_memoryindex", "memory_memoryterm", "memory_memoryvector")


@dataclass(frozen=True)
class Loaded:
    """Seconds for loading rows and for building indexes afterwards."""

    rows: float
    indexes: float


def contents(count: int) -> Iterator[str]:
    """Distinct sentences, a third of them Japanese, with the skew of real words: some are everywhere."""
    chance = random.Random(SEED)
    for number in range(count):
        code = f"{chance.choice('abcdefgh')}{chance.randrange(count // 3 + 9)}"
        clause = chance.choice(CLAUSES)
        if number % 3 == 0:
            yield f"{chance.choice(JA_THINGS)}サービス {code} {chance.choice(JA_DEEDS)}。{clause}。第{number}項。"
        else:
            yield (
                f"The {chance.choice(THINGS)} {code} {chance.choice(DEEDS)} {chance.choice(OBJECTS)} "
                f"{clause}; rule {number}."
            )


def clear() -> None:
    """Empty the tables, so that the next size stands alone."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE memory_memory CASCADE")


def questions(count: int) -> list[str]:
    """Half Japanese; every one asks by words that stand in thousands of memories."""
    chance = random.Random(SEED + 1)
    ja = [
        f"{chance.choice(JA_THINGS)}サービスの再試行は何回? 担当は{chance.choice(('経理', '監視'))}?"
        for _ in range(count // 2)
    ]
    en = [
        f"Which {chance.choice(THINGS)} {chance.choice(DEEDS)} {chance.choice(OBJECTS)} {chance.choice(CLAUSES[:4])}?"
        for _ in range(count - count // 2)
    ]
    return [question for pair in zip_longest(ja, en) for question in pair if question]


def store(namespaces: Sequence[tuple[uuid.UUID, int]], *, space: str, models: np.ndarray[Any, Any]) -> Loaded:
    """Fill each namespace with its number of memories. ``models``: vectors of real texts to scatter around."""
    from django.db import connection

    started = time.perf_counter()
    homes = [key for key, count in namespaces for _ in range(count)]
    random.Random(SEED).shuffle(homes)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT indexdef, indexname FROM pg_indexes WHERE tablename = ANY(%s) AND indexname NOT IN "
            "(SELECT conname FROM pg_constraint)",
            [list(TABLES)],
        )
        later = cursor.fetchall()
        for _definition, name in later:
            cursor.execute(f'DROP INDEX "{name}"')
        cursor.execute(
            "SET session_replication_role = replica"
        )  # no triggers: neither history nor foreign keys
    chance = np.random.default_rng(SEED)
    texts = contents(len(homes))
    for start in range(0, len(homes), BATCH):
        some = homes[start : start + BATCH]
        _copy([(new_id(), home, next(texts)) for home in some], space, _scattered(models, len(some), chance))
    rows = time.perf_counter() - started
    started = time.perf_counter()
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = DEFAULT")
        cursor.execute("SET maintenance_work_mem = '512MB'")
        for definition, _name in later:
            cursor.execute(definition)
        for table in TABLES:
            cursor.execute(f"VACUUM ANALYZE {table}")
    return Loaded(rows, time.perf_counter() - started)


def _scattered(models: np.ndarray[Any, Any], count: int, chance: np.random.Generator) -> Any:
    vectors = models[chance.integers(0, len(models), count)]
    vectors = vectors + NOISE * chance.standard_normal(vectors.shape)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _copy(rows: Sequence[tuple[uuid.UUID, uuid.UUID, str]], space: str, vectors: Any) -> None:
    from django.db import connection
    from django.utils import timezone

    from memory.services.indexing import length_of

    now = timezone.now()
    counts = [Counter(text.terms(content)) for _pk, _home, content in rows]
    with connection.cursor() as cursor:
        with cursor.copy(
            "COPY memory_memory (id, namespace_id, kind, content, language, aliases, status, status_reason, version,"
            " normal_hash, blocks, trust, actor, external_id, valid_from, approved_at, changed_at) FROM STDIN"
        ) as copy:
            for pk, home, content in rows:
                shown: tuple[object, ...] = (
                    "fact",
                    content,
                    text.language(content),
                    [],
                    "active",
                    "",
                    1,
                    text.sha256(content),
                    [],
                )
                copy.write_row((pk, home, *shown, "human", "operator", "", now, now, now))
        with cursor.copy(
            "COPY memory_memoryindex (memory_id, namespace_id, length, version, vector_space) FROM STDIN"
        ) as copy:
            for (pk, home, _content), found in zip(rows, counts, strict=True):
                copy.write_row((pk, home, length_of(found), 1, space))
        with cursor.copy(
            "COPY memory_memoryterm (namespace_id, memory_id, term, count, length) FROM STDIN"
        ) as copy:
            for (pk, home, _content), found in zip(rows, counts, strict=True):
                length = length_of(found)
                lines = (f"{home}\t{pk}\t{_safe(term)}\t{n}\t{length}\n" for term, n in found.items())
                copy.write("".join(lines))
        with cursor.copy(
            "COPY memory_memoryvector (memory_id, namespace_id, space, version, vector) FROM STDIN (FORMAT BINARY)"
        ) as copy:
            copy.write(_BINARY_HEADER)
            for (pk, home, _content), vector in zip(rows, vectors, strict=True):
                copy.write(
                    _binary(pk.bytes, home.bytes, space.encode(), struct.pack(">i", 1), _vector(vector))
                )
            copy.write(struct.pack(">h", -1))


# PostgreSQL's binary COPY, written here because the driver knows no binary form of a vector.
_BINARY_HEADER = b"PGCOPY\n\377\r\n\0" + bytes(8)


def _binary(*values: bytes) -> bytes:
    return struct.pack(">h", len(values)) + b"".join(
        struct.pack(">i", len(value)) + value for value in values
    )


def _vector(vector: np.ndarray[Any, Any]) -> bytes:
    return struct.pack(">hh", len(vector), 0) + vector.astype(">f4").tobytes()


def _safe(term: str) -> str:
    return term.replace("\\", "\\\\")


def megabytes() -> dict[str, float]:
    """Of the tables that recall reads, indexes included, and of the vector indexes among them."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT t, pg_total_relation_size(t::regclass) / 1048576.0 FROM unnest(%s::text[]) AS t "
            "UNION ALL SELECT 'vector indexes', coalesce(sum(pg_relation_size(indexrelid)) / 1048576.0, 0) "
            "FROM pg_index WHERE indexrelid::regclass::text LIKE 'memory_vector_near_%%'",
            [list(TABLES)],
        )
        return {name: float(size) for name, size in cursor.fetchall()}


if __name__ == "__main__":  # a part of other benchmarks: says what it is
    print(__doc__)
