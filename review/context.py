"""What every page's frame shows: the person's waiting count and language."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.http import HttpRequest

from memory.selectors.queue import pending_count


def frame(request: HttpRequest) -> dict[str, Any]:
    """Template context for the side bar; nothing for a visitor who is not signed in.

    The count is a callable, so that answers without a side bar do not ask the database.
    """
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {}
    return {"pending_count": cache(lambda: pending_count(user=user))}
