"""Instants as the database takes them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from core.moments import in_utc

OFFSETS = st.integers(-24 * 60 + 1, 24 * 60 - 1).map(lambda minutes: timezone(timedelta(minutes=minutes)))
DAYS = st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29))  # noqa: DTZ001


@given(day=DAYS, offset=OFFSETS)
def test_the_instant_stays_the_same(day: datetime, offset: timezone) -> None:
    given_at = day.replace(tzinfo=offset)
    assert in_utc(given_at) == given_at
    assert in_utc(given_at).tzinfo is UTC


@pytest.mark.parametrize(
    "raw", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-01:00", "2026-01-01T00:00:00"]
)
def test_what_is_no_instant_of_ours_is_refused(raw: str) -> None:
    with pytest.raises(ValueError, match="time"):
        in_utc(datetime.fromisoformat(raw))


@pytest.mark.django_db
@pytest.mark.parametrize("raw", ["2026-03-01T09:00:00+16:00", "2026-03-01T09:00:00-23:59"])
def test_the_database_takes_every_offset_that_way(raw: str) -> None:
    at = datetime.fromisoformat(raw)
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::timestamptz", [in_utc(at)])
        assert cursor.fetchone() == (at,)
