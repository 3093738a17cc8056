"""Invented memories in any number, with seeded vectors, to time recall as a namespace grows."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

BATCH = 2_000
SEED = 11
THINGS = [
    "gateway",
    "importer",
    "ledger",
    "scheduler",
    "exporter",
    "cache",
    "queue",
    "parser",
    "mailer",
    "renderer",
    "notifier",
    "crawler",
]
DEEDS = [
    "retries",
    "rejects",
    "compresses",
    "encrypts",
    "mirrors",
    "archives",
    "validates",
    "throttles",
    "signs",
]
OBJECTS = [
    "invoices",
    "orders",
    "images",
    "sessions",
    "coupons",
    "shipments",
    "refunds",
    "reports",
    "webhooks",
]
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


@dataclass(frozen=True)
class Timing:
    """Milliseconds; ``load`` in memories a second, ``megabytes`` of postings, entries and vectors with indexes."""

    memories: int
    p50: float
    p95: float
    p50_words: float
    p95_words: float
    load: float
    megabytes: float


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


def questions(count: int) -> list[str]:
    chance = random.Random(SEED + 1)
    ja = [f"{chance.choice(JA_THINGS)}サービスの再試行は何回?" for _ in range(count // 2)]
    en = [
        f"Which {chance.choice(THINGS)} {chance.choice(DEEDS)} {chance.choice(OBJECTS)}?"
        for _ in range(count // 2)
    ]
    return ja + en


def fill(namespace: Any, count: int, space: str) -> float:
    """Store that many memories with random unit vectors; returns memories a second."""
    from django.db import connection, transaction
    from django.utils import timezone

    from core import text
    from memory.models import Memory, MemoryIndex, MemoryVector, TrustTier
    from memory.services.indexing import index_memories

    now = timezone.now()
    dims = int(space.rpartition("/")[2])
    chance = np.random.default_rng(SEED)
    started = time.perf_counter()
    pending: list[Memory] = []
    for number, content in enumerate(contents(count), start=1):
        pending.append(
            Memory(
                namespace=namespace,
                kind="fact",
                content=content,
                language=text.language(content),
                normal_hash=text.normal_hash(content),
                trust=TrustTier.HUMAN,
                actor="operator",
                valid_from=now,
                approved_at=now,
                changed_at=now,
            )
        )
        if len(pending) == BATCH or number == count:
            vectors = chance.standard_normal((len(pending), dims))
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
            with transaction.atomic():
                index_memories(memories=Memory.objects.bulk_create(pending))
                MemoryVector.objects.bulk_create(
                    MemoryVector(
                        memory=memory, namespace=namespace, space=space, version=1, vector=vector.tolist()
                    )
                    for memory, vector in zip(pending, vectors, strict=True)
                )
                MemoryIndex.objects.filter(memory__in=pending).update(vector_space=space)
            pending = []
    took = time.perf_counter() - started
    with connection.cursor() as cursor:
        cursor.execute(
            "VACUUM ANALYZE memory_memory, memory_memoryindex, memory_memoryterm, memory_memoryvector"
        )
    return count / took


def megabytes() -> float:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sum(pg_total_relation_size(t::regclass)) / 1048576.0 "
            "FROM unnest(ARRAY['memory_memoryindex', 'memory_memoryterm', 'memory_memoryvector']) AS t"
        )
        return float(cursor.fetchone()[0])
