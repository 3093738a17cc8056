"""Instants as the database takes them: it refuses offsets of sixteen hours and more, which ISO 8601 allows. Pure."""

from __future__ import annotations

from datetime import UTC, datetime


def in_utc(at: datetime) -> datetime:
    """The same instant in UTC. ``at`` must be aware. Raises ValueError where that leaves the years 1 to 9999."""
    if at.tzinfo is None:
        raise ValueError("the time has no offset")
    try:
        return at.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("the time lies outside the years 1 to 9999") from error
