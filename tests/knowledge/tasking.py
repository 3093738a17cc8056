"""Task sentences against the descriptions that the night drafted, among notes that people wrote about other things."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from django.contrib.auth.models import User

from core.models import Namespace
from knowledge.selectors.finding import found
from tests.knowledge.make import knowledge

DATA = Path(__file__).parent.parent / "data" / "knowledge"
# Written by hand about the same subjects as the drafts: as good an answer, so no fair rival.
_SAME = {"deploy-checklist", "rollback", "db-migrations", "log-search", "invoice-rounding", "test-data"}


def tasks() -> list[dict[str, str]]:
    """``{"slug", "task"}``: which drafted note a task should find. Written before anything was measured."""
    return rows("night_tasks.jsonl")


def rivals(home: Namespace, user: User) -> int:
    """Notes about other things, so that three of five is no luck; returns how many."""
    others = [row for row in rows("notes.jsonl") if row["slug"] not in _SAME]
    for row in others:
        knowledge(home, user, row["slug"], title=row["title"], description=row["description"])
    return len(others)


def placed(home: Namespace, asked: Sequence[Mapping[str, str]]) -> dict[str, int | None]:
    """At which place each task finds its note; None when it does not."""
    scope = Namespace.objects.filter(pk=home.pk).scope()
    places: dict[str, int | None] = {}
    for each in asked:
        slugs = [note.slug for note in found(scope=scope, q=each["task"]).notes]
        places[each["task"]] = slugs.index(each["slug"]) + 1 if each["slug"] in slugs else None
    return places


def misses(home: Namespace) -> list[str]:
    """The tasks whose note is not among the first three found."""
    return [task for task, place in placed(home, tasks()).items() if place is None or place > 3]


def rows(name: str) -> list[dict[str, str]]:
    """One of the files of tests/data/knowledge."""
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]
