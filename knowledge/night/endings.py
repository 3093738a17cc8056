"""The end that a text itself names: "until 31 March", 「3月末まで」. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from core.text import fold

_MONTHS = {
    name: number
    for number, names in enumerate(
        ("jan january", "feb february", "mar march", "apr april", "may", "jun june", "jul july", "aug august",
         "sep sept september", "oct october", "nov november", "dec december"), start=1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_UNTIL = (
    r"\b(?:until|till|through|valid until|expires on|only until|up to and including)(?: the)?(?: end of)?\s+"
)
_ISO = re.compile(_UNTIL + r"(?P<y>20\d\d)-(?P<m>\d{1,2})(?:-(?P<d>\d{1,2}))?\b(?!:)")
_SPOKEN = re.compile(
    _UNTIL
    + rf"(?:(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s+)?(?P<m>{_MONTH})\b\.?(?:\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d))?"
    r"(?:,?\s+(?P<y>20\d\d))?"
)
_JAPANESE = re.compile(
    r"(?:(?P<y>20\d\d)年)?(?P<m>\d{1,2})月(?:(?P<d>\d{1,2})日)?(?:末|いっぱい)?(?:まで(?!に)|に終了(?:予定|する)|で終わる)"
)


def ends_on(text: str, *, said_on: date) -> date | None:
    """The last day that the text itself names ("until 31 March", 「3月末まで」); None without one.

    A day without a year is the first one after it was said; a month without a day ends with the month. "Not until",
    and a deadline (「…までに」, "by Friday"), are no end.
    """
    folded = fold(text)
    if re.search(
        r"\bnot\b[^.]{0,40}\b(?:until|till)\b|\b(?:don't|never|nothing)\b[^.]{0,60}\b(?:until|till)\b", folded
    ):
        return None
    days = sorted(_days(folded, said_on))
    return days[-1] if days else None


def _days(folded: str, said_on: date) -> Iterator[date]:
    for pattern in (_ISO, _SPOKEN, _JAPANESE):
        for match in pattern.finditer(folded):
            got = match.groupdict()
            month = _MONTHS.get(got["m"]) or int(got["m"])
            day = got.get("d") or got.get("d2")
            found = _day(int(got["y"]) if got["y"] else None, month, int(day) if day else None, said_on)
            if found is not None:
                yield found


def _day(year: int | None, month: int, day: int | None, said_on: date) -> date | None:
    if not 1 <= month <= 12:
        return None
    for candidate in (year,) if year else (said_on.year, said_on.year + 1):
        after = date(candidate + month // 12, month % 12 + 1, 1)
        try:
            found = date(candidate, month, day) if day else after - timedelta(days=1)
        except ValueError:
            return None
        if year or found >= said_on:
            return found
    return None
