"""What the people of the story wrote down for their agents, and what agents said about memories: by the services."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from functools import cache, partial
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User

from core.models import AgentKey, Namespace
from knowledge.models import Summary
from knowledge.notes.fields import Note
from knowledge.services.inbox import reports_file
from knowledge.services.notes import knowledge_create
from knowledge.services.summaries import summary_write
from memory.models import Candidate
from memory.services.reports import memory_report
from review.demo.story import zone

FILE = Path(__file__).with_name("reuse.json")


@cache
def _raw() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return data


def reuse_steps(
    user: User, key: AgentKey, wishes: Mapping[str, Candidate], day: date
) -> Iterator[tuple[datetime, partial[None]]]:
    """Notes, summaries and reports; ``wishes`` are the candidates of the story by their keys, as they are by then."""
    for told in _raw()["notes"]:
        yield _at(told, day), partial(_note, user, told, _at(told, day))
    for told in _raw()["summaries"]:
        yield _at(told, day), partial(_summary, user, told, _at(told, day))
    for told in _raw()["reports"]:
        yield _at(told, day), partial(_report, key, wishes, told, _at(told, day))


def _at(told: Mapping[str, Any], day: date) -> datetime:
    then = day - timedelta(days=told["days_ago"])
    return datetime.combine(then, time.fromisoformat(told["time"]), tzinfo=zone())


def _home(user: User, told: Mapping[str, Any]) -> Namespace:
    return Namespace.objects.owned_by(user).get(type=Namespace.WORKSPACE, name=told["workspace"])


def _note(user: User, told: Mapping[str, Any], at: datetime) -> None:
    note = Note(
        title=told["title"],
        slug=told["slug"],
        description=told["description"],
        body=told["body"],
        model_invocation=told["resident"],
    )
    knowledge_create(namespace_id=_home(user, told).pk, user=user, note=note, now=at)


def _summary(user: User, told: Mapping[str, Any], at: datetime) -> None:
    home = _home(user, told)
    there = Summary.objects.filter(namespace=home).values_list("version", flat=True).first() or 0
    summary_write(namespace_id=home.pk, version=there, user=user, body=told["body"], now=at)


def _report(key: AgentKey, wishes: Mapping[str, Candidate], told: Mapping[str, Any], at: datetime) -> None:
    wish = wishes.get(told["memory"])
    if wish is None:  # this person refused the same words before, in real work
        return
    wish.refresh_from_db()
    if wish.memory_id is None:
        return
    memory_report(
        agent_key=key, memory_id=wish.memory_id, reason=told["reason"], text_wanted=told["wanted"], now=at
    )
    reports_file(now=at)
