"""Keep what was found between the plan and the word to go (``core.services.parked``)."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User

from core.services.parked import parked, parked_forget, parked_keep
from integrations.importers.base import Found, Item, Problem

_KIND = "bring"


def bring_keep(*, user: User, found: Found) -> str:
    """The token under which it waits. The texts are redacted by the plan. Raises Busy, Invalid (``too_large``)."""
    return parked_keep(user=user, kind=_KIND, value=_plain(found), field="files")


def bring_kept(*, user: User, token: str) -> Found:
    """What was kept. Raises Busy, Invalid (``gone``)."""
    return _found(parked(user=user, kind=_KIND, token=token, field="files"))


def bring_forget(*, user: User, token: str) -> None:
    parked_forget(user=user, kind=_KIND, token=token)


def _plain(found: Found) -> dict[str, Any]:
    return {
        "format": found.format,
        "items": [{**asdict(item), "at": item.at.isoformat() if item.at else None} for item in found.items],
        "problems": [asdict(problem) for problem in found.problems],
        "unsupported": dict(found.unsupported),
        "choices": found.choices,
        "conversations": found.conversations,
    }


def _found(held: dict[str, Any]) -> Found:
    items = [
        Item(**{**item, "at": datetime.fromisoformat(item["at"]) if item["at"] else None})
        for item in held["items"]
    ]
    return Found(
        held["format"],
        items=items,
        problems=[Problem(**problem) for problem in held["problems"]],
        unsupported=Counter(held["unsupported"]),
        choices=held["choices"],
        conversations=held["conversations"],
    )
