"""Keep a plan between the page that shows it and the word to go: for an hour, for one person alone, in the cache.

Whoever keeps something here has redacted it: what was uploaded is stored nowhere before somebody agrees.
"""

from __future__ import annotations

import json
import secrets
import zlib
from typing import Any

from django.contrib.auth.models import User
from django.core.cache import cache
from django.utils.translation import gettext as _
from redis import RedisError

from core.errors import Busy, Invalid

SECONDS = 3_600
MAX_BYTES = 30_000_000  # compressed


def parked_keep(*, user: User, kind: str, value: Any, field: str) -> str:
    """The token under which ``value``, anything that JSON can say, waits.

    ``kind`` keeps plans of different pages apart, ``field`` is the form's field that an error names. Raises Busy,
    Invalid (``too_large``).
    """
    packed = zlib.compress(json.dumps(value, ensure_ascii=False).encode())
    if len(packed) > MAX_BYTES:
        raise Invalid(_("That is too much at once. Bring it in parts."), code="too_large", field=field)
    token = secrets.token_urlsafe(16)
    try:
        cache.set(_key(user, kind, token), packed, timeout=SECONDS)
    except (RedisError, OSError) as error:
        raise Busy(_("The plan cannot be kept just now. Please try again.")) from error
    return token


def parked(*, user: User, kind: str, token: str, field: str) -> Any:
    """What was kept. Raises Busy; Invalid (``gone``) after an hour, for another person's token, for an unknown one."""
    try:
        packed = cache.get(_key(user, kind, token[:64]))
    except (RedisError, OSError) as error:
        raise Busy(_("The plan cannot be read just now. Please try again.")) from error
    if not isinstance(packed, bytes):
        raise Invalid(_("The plan is gone. Choose the files again."), code="gone", field=field)
    return json.loads(zlib.decompress(packed))


def parked_forget(*, user: User, kind: str, token: str) -> None:
    """It was done. What cannot be forgotten now goes by itself."""
    try:
        cache.delete(_key(user, kind, token[:64]))
    except (RedisError, OSError):
        return


def _key(user: User, kind: str, token: str) -> str:
    return f"{kind}:{user.pk}:{token}"
