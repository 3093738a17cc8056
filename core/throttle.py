"""Count tries, so that nobody guesses a password at the speed of a machine.

Counters live in the cache (Redis) for a quarter of an hour. Without the cache everybody may try: a lost Redis must
lock nobody out.
"""

from __future__ import annotations

import structlog
from django.core.cache import cache
from redis import RedisError

from core.hashing import keyed

SECONDS = 15 * 60
TRIES = 10  # a person who has forgotten tries a few times; a machine needs millions

_log = structlog.get_logger(__name__)


def allowed(purpose: str, *who: str) -> bool:
    """Count one more try of ``who`` (such as address and user name); False when there were too many.

    Counted before the try is looked at: many at once are counted like many in a row.
    """
    key = _key(purpose, who)
    try:
        cache.add(key, 0, timeout=SECONDS)
        return cache.incr(key) <= TRIES
    except ValueError:  # it ran out between the two calls
        return True
    except (RedisError, OSError) as error:
        _log.warning("throttle_away", purpose=purpose, error=type(error).__name__)
        return True


def forget(purpose: str, *who: str) -> None:
    """They came in: start again from nothing."""
    try:
        cache.delete(_key(purpose, who))
    except (RedisError, OSError) as error:
        _log.warning("throttle_away", purpose=purpose, error=type(error).__name__)


def _key(purpose: str, who: tuple[str, ...]) -> str:
    """Hashed: a cache is no place for names, and names may be of any length."""
    return f"throttle:{keyed(purpose, chr(0).join(part.casefold() for part in who))}"
