"""Monthly partitions of exposures, made ahead (design section 8)."""

from __future__ import annotations

from datetime import UTC, datetime

from django.db import connection, transaction

from core.locks import lock

TABLE = "transcripts_exposure"
MONTHS_AHEAD = 2


def partitions_ensure(*, now: datetime) -> list[str]:
    """Make the partitions of this month and the next two, in UTC; returns the names of new ones. Safe to repeat.

    Rows that the default partition caught meanwhile move into the new one, in one transaction a month.
    """
    first = now.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    made = []
    for _month in range(MONTHS_AHEAD + 1):
        following = (
            first.replace(year=first.year + 1, month=1)
            if first.month == 12
            else first.replace(month=first.month + 1)
        )
        name = f"{TABLE}_y{first.year}m{first.month:02}"
        if _make(name, first, following):
            made.append(name)
        first = following
    return made


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
