"""Which status a refusal has, for every door alike (design section 7)."""

from __future__ import annotations

import structlog
from django.db import InterfaceError, OperationalError
from django.utils.translation import gettext as _

from core import faults
from core.errors import Busy, Conflict, DomainError, Forbidden, Invalid, NotFound, Paused

_STATUS: dict[type[DomainError], int] = {
    Invalid: 422,
    NotFound: 404,
    Forbidden: 403,
    Conflict: 409,
    Paused: 409,
    Busy: 503,
}

# Away, full, locked or in a deadlock: what was sent is not at fault.
TRANSIENT = (OperationalError, InterfaceError)

_log = structlog.get_logger(__name__)


def busy(error: Exception) -> Busy:
    """What a person or a program is told of a ``TRANSIENT`` error; the log gets its trace."""
    _log.error("database_busy", exception=faults.trace(error))
    return Busy(_("The database is busy; nothing was changed. Please try again."))


def status_of(error: DomainError) -> int:
    """The status of an error or of the nearest kind it is one of; 400 for a kind of its own."""
    return next((_STATUS[kind] for kind in type(error).__mro__ if kind in _STATUS), 400)
