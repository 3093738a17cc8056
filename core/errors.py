"""What can go wrong, in the product's words. Doors map these to statuses; services only raise them."""

from __future__ import annotations

from typing import Any


class DomainError(Exception):
    """One clear error: a code for programs, a sentence for people, details for both.

    ``details`` names the field and what is allowed, for example ``{"field": "kind", "allowed": [...]}``.
    """

    code = "error"

    def __init__(self, message: str, *, code: str | None = None, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.code
        self.details = details


class Invalid(DomainError):
    """The request cannot be understood or breaks a rule."""

    code = "invalid"


class NotFound(DomainError):
    """There is no such thing, or it is not the caller's: the two are not told apart."""

    code = "not_found"


class Forbidden(DomainError):
    """The caller is known, but may not do this."""

    code = "forbidden"


class Conflict(DomainError):
    """Somebody else decided, or the same key came with another content."""

    code = "conflict"


class Paused(DomainError):
    """The namespace is paused: nothing is stored, extracted, recalled or injected there."""

    code = "paused"


class Busy(DomainError):
    """The database cannot take it just now; nothing was changed, and the same call may work in a moment."""

    code = "busy"
