"""What every page's frame shows: the person's waiting count, keys and colours."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from review.keys import effective
from review.models import PersonSettings
from review.selectors.person import settings_of
from review.selectors.queue import waiting_count


def frame(request: HttpRequest) -> dict[str, Any]:
    """Template context of the frame; nothing for a visitor who is not signed in.

    All of it is lazy, so that answers without a side bar do not ask the database. ``keys``: which key does what;
    ``key_map``: the same for review.js, empty when the person switched single keys off.
    """
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {}
    own: Any = SimpleLazyObject(lambda: settings_of(user=user))
    return {
        "pending_count": cache(lambda: waiting_count(user=user)),
        "own_settings": own,
        "keys": SimpleLazyObject(lambda: effective(own.key_map)),
        "key_map": cache(lambda: key_map_of(own)),
    }


def key_map_of(own: PersonSettings) -> str:
    """Key to action as JSON, for review.js."""
    return "{}" if own.keys_off else json.dumps({key: act for act, key in effective(own.key_map).items()})
