"""Which reminder is due? Wall-clock time of the person's zone (design section 8: UTC inside). Pure."""

from __future__ import annotations

from datetime import datetime, time, timedelta, tzinfo

MORNING = time(8)


def due(*, frequency: str, since: datetime, now: datetime, zone: tzinfo) -> str | None:
    """The period whose moment has come: a date (daily), an ISO week (weekly); None when none has.

    The moment is eight in the morning, for weekly ones on Mondays. One that lay before ``since`` is passed over, so
    that switching on does not send at once; one that was missed is made up for within its own period.
    """
    local = now.astimezone(zone)
    day = local.date()
    if frequency == "daily":
        period = day.isoformat()
    elif frequency == "weekly":
        year, week, weekday = day.isocalendar()
        day -= timedelta(days=weekday - 1)
        period = f"{year}-W{week:02}"
    else:
        return None
    moment = datetime.combine(day, MORNING, tzinfo=zone)
    return period if since <= moment <= now else None
