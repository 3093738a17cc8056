"""Memories to recall, made as a reviewer or an operator makes them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

from django.contrib.auth.models import User
from django.utils import timezone

from core.actor import Actor
from core.embed import Embedder, build
from core.models import Namespace
from core.scope import Scope
from memory import embedder
from memory.models import Memory
from memory.recall import RecallQuery, RecallResult, recall
from memory.services.candidates import candidate_propose
from memory.services.gate import candidate_approve
from memory.services.loading import memories_load
from tests.memory.make import proposal

DATA = Path(__file__).resolve().parent.parent / "data" / "recall"


def remember(
    namespace: Namespace, content: str, *, kind: str = "fact", now: datetime | None = None
) -> Memory:
    """A memory that the owner of the namespace approved."""
    now = now or timezone.now()
    candidate = candidate_propose(proposal=proposal(namespace, content, kind=kind), now=now).candidate
    assert candidate is not None
    return candidate_approve(
        candidate_id=candidate.pk, version=candidate.version, user=namespace.owner, now=now
    )


def load(user: User, rows: Iterable[dict[str, Any]]) -> dict[str, Memory]:
    """Memories that an operator vouches for, by external id."""
    report = memories_load(
        user=user,
        lines=[json.dumps(row, ensure_ascii=False) for row in rows],
        actor=Actor.operator("test"),
        now=timezone.now(),
    )
    assert not report.problems
    return {memory.external_id: memory for memory in Memory.objects.filter(namespace__owner=user)}


def row(
    external_id: str, content: str, *, namespace: str = "workspace:api", kind: str = "fact", **more: Any
) -> Any:
    return {"external_id": external_id, "namespace": namespace, "kind": kind, "content": content, **more}


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def ask(question: str, *namespaces: Namespace, **kwargs: Any) -> RecallResult:
    scope = Scope.of(namespace.pk for namespace in namespaces)
    return recall(query=RecallQuery(question, scope, **kwargs))


def texts(result: RecallResult) -> list[str]:
    return [hit.content for hit in result.hits]


@contextmanager
def model(name: str) -> Iterator[None]:
    """Recall with this embedding model; ``none`` leaves words alone."""
    chosen = _built(name)
    with mock.patch.object(embedder, "embedder", return_value=chosen):
        yield


@cache
def _built(name: str) -> Embedder | None:
    """Loaded once for all tests."""
    return None if name == "none" else build(name, None, None, None, 10.0)
