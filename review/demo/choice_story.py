"""Read ``choices.json`` and put it on the calendar. Pure: no Django, no room."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

FILE = Path(__file__).with_name("choices.json")
FIRST_SPEC = 21  # the number in questions that differ by it
WEEK = 7


@dataclass(frozen=True)
class Asked:
    """One question of an agent: the prompt before it, and the answer ("" : Hikae settled it, nobody was asked).

    ``advised``: the agent asked Hikae first. Questions of one week and workspace share a session.
    """

    at: datetime
    session: str
    workspace: str
    prompt: str
    header: str
    question: str
    options: tuple[str, ...]
    answer: str
    advised: bool


@dataclass(frozen=True)
class Odd:
    """A call that contradicts itself: it answers ``answered``, which was not asked."""

    at: datetime
    question: str
    options: tuple[str, ...]
    answered: str
    answer: str


@cache
def _raw() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return data


def asked(day: date, zone: ZoneInfo) -> list[Asked]:
    """Everything that was asked, in the order of time, as it looks when it is loaded on ``day``."""
    found = [each for series in _raw()["series"] for each in _series(series, day, zone)]
    last = _raw()["settled"]
    series = next(each for each in _raw()["series"] if each["key"] == last["series"])
    at = _back(day, last["days_ago"], "08:00", zone)
    found.append(_one(series, at, day, number=len(series["answers"]), letter=""))
    return sorted(found, key=lambda each: each.at)


def odd(day: date, zone: ZoneInfo) -> Odd:
    raw = _raw()["odd"]
    at = _back(day, raw["days_ago"], "15:10", zone)
    return Odd(at, raw["question"], tuple(raw["options"]), raw["answered"], raw["answer"])


def _series(series: dict[str, Any], day: date, zone: ZoneInfo) -> Iterator[Asked]:
    letters = series["answers"]
    for number, letter in enumerate(letters):
        days = series["last"] + (len(letters) - 1 - number) * series["every"]
        yield _one(series, _back(day, days, series["time"], zone), day, number=number, letter=letter)


def _one(series: dict[str, Any], at: datetime, day: date, *, number: int, letter: str) -> Asked:
    options: dict[str, str] = series["options"]
    week = (day - at.date()).days // WEEK
    return Asked(
        at=at,
        session=f"{series['workspace']}-w{week:02}",
        workspace=series["workspace"],
        prompt=series["prompt"].format(n=FIRST_SPEC + number),
        header=series["header"],
        question=series["question"].format(n=FIRST_SPEC + number),
        options=tuple(options.values()),
        answer=options[letter.lower()] if letter else "",
        advised=not letter or letter.isupper(),
    )


def _back(day: date, days: float, clock: str, zone: ZoneInfo) -> datetime:
    """That time of the day so many days before ``day`` began; the fraction of a day shifts it."""
    hour, minute = map(int, clock.split(":"))
    whole = int(days + 0.999)
    start = datetime.combine(day - timedelta(days=whole), time(hour, minute), tzinfo=zone)
    return min(start + (whole - days) * timedelta(days=1), datetime.combine(day, time(0), tzinfo=zone))
