"""Keep what was found between the plan and the word to go, for an hour: redacted, and for one person alone."""

from __future__ import annotations

import json
import secrets
import zlib
from collections import Counter
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.core.cache import cache
from django.utils.translation import gettext as _
from redis import RedisError

from core.errors import Busy, Invalid
from integrations.importers.base import Found, Item, Problem

SECONDS = 3_600
MAX_BYTES = 30_000_000  # compressed


def bring_keep(*, user: User, found: Found) -> str:
    """The token under which it waits. The texts are redacted by the plan. Raises Busy, Invalid (``too_large``)."""
    value = zlib.compress(json.dumps(_plain(found), ensure_ascii=False).encode())
    if len(value) > MAX_BYTES:
        raise Invalid(_("That is too much at once. Bring it in parts."), code="too_large", field="files")
    token = secrets.token_urlsafe(16)
    try:
        cache.set(_key(user, token), value, timeout=SECONDS)
    except (RedisError, OSError) as error:
        raise Busy(_("The plan cannot be kept just now. Please try again.")) from error
    return token


def bring_kept(*, user: User, token: str) -> Found:
    """What was kept. Raises Invalid (``gone``) after an hour, for another person's token, and for an unknown one."""
    try:
        value = cache.get(_key(user, token[:64]))
    except (RedisError, OSError) as error:
        raise Busy(_("The plan cannot be read just now. Please try again.")) from error
    if not isinstance(value, bytes):
        raise Invalid(_("The plan is gone. Choose the files again."), code="gone", field="files")
    return _found(json.loads(zlib.decompress(value)))


def bring_forget(*, user: User, token: str) -> None:
    try:
        cache.delete(_key(user, token[:64]))
    except (RedisError, OSError):
        return  # it goes by itself


def _key(user: User, token: str) -> str:
    return f"bring:{user.pk}:{token}"


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
