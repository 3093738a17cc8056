"""Monthly partitions of exposures, made ahead and dropped when nothing is left in them (design section 8)."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from django.db import OperationalError, connection, transaction

from core.locks import lock

TABLE = "transcripts_exposure"
MONTHS_AHEAD = 2
_MONTH = re.compile(TABLE + r"_y(\d{4})m(\d{2})")


def partitions_ensure(*, now: datetime) -> list[str]:
    """Make the partitions of this month and the next two, in UTC; returns the names of new ones. Safe to repeat.

    Rows that the default partition caught meanwhile move into the new one, in one transaction a month.
    """
    first = now.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    made = []
    for _month in range(MONTHS_AHEAD + 1):
        following = _following(first)
        name = f"{TABLE}_y{first.year}m{first.month:02}"
        if _make(name, first, following):
            made.append(name)
        first = following
    return made


def partitions_drop(*, before: datetime) -> int:
    """Drop partitions whose month ended before ``before`` and that hold no row; returns how many. Safe to repeat.

    One that still holds exposures stays, whatever its age: they belong to a session that a pin keeps, and what comes
    back in that session is known by them. One that is in use just now is left for the next night.
    """
    dropped = 0
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = %s::regclass", [TABLE]
        )
        names = sorted(row[0] for row in cursor.fetchall())
    for name in names:
        month = _MONTH.fullmatch(name)
        if month and _following(datetime(int(month[1]), int(month[2]), 1, tzinfo=UTC)) <= before:
            try:
                dropped += _drop(name)
            except OperationalError:
                continue  # somebody held it for longer than the lock's time-out
    return dropped


def _following(first: datetime) -> datetime:
    """The first moment of the month after."""
    return (first + timedelta(days=31)).replace(day=1)


@transaction.atomic
def _drop(name: str) -> bool:
    lock("transcripts:partitions")
    if _holds_rows(name):
        return False
    with connection.cursor() as cursor:
        # Writers of the whole table wait while this waits: not for long.
        cursor.execute("SET LOCAL lock_timeout = '1s'")
        cursor.execute(f"LOCK TABLE {connection.ops.quote_name(TABLE)} IN ACCESS EXCLUSIVE MODE")
        if _holds_rows(name):  # a late writer was faster
            return False
        cursor.execute(f"DROP TABLE {connection.ops.quote_name(name)}")
    return True


def _holds_rows(name: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT EXISTS (SELECT 1 FROM {connection.ops.quote_name(name)})")  # noqa: S608 (a name of ours)
        return bool(cursor.fetchone()[0])


@transaction.atomic
def _make(name: str, first: datetime, following: datetime) -> bool:
    lock("transcripts:partitions")
    quoted, table, default = (connection.ops.quote_name(each) for each in (name, TABLE, f"{TABLE}_default"))
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s) IS NOT NULL", [name])
        if cursor.fetchone()[0]:
            return False
        # Attaching fails while the default partition holds rows of this month, and writers may add more: keep them out.
        cursor.execute(f"LOCK TABLE {default} IN ACCESS EXCLUSIVE MODE")
        cursor.execute(f"CREATE TABLE {quoted} (LIKE {table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)")
        cursor.execute(
            f"WITH caught AS (DELETE FROM {default} WHERE at >= %s AND at < %s RETURNING *)"  # noqa: S608
            f" INSERT INTO {quoted} SELECT * FROM caught",
            [first, following],
        )
        cursor.execute(
            f"ALTER TABLE {table} ATTACH PARTITION {quoted} FOR VALUES FROM (%s) TO (%s)", [first, following]
        )
    return True
