"""Read the lines of ``benchmarks/choices.py``: ``{person, t_days, question, options, choice}``, in any order.

``options``: what could be chosen that time. Where the times of a person are equal, the order of the lines is that of
the choices.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from decisions.learning.replay import Floats, Series, offered_of

_MOMENT = 1e-7  # days


def lines_of(path: Path) -> list[dict[str, Any]]:
    """SystemExit, with the line and the field that is wrong."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SystemExit(f"{path}: {error}") from error
    rows = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                rows.append(_row(json.loads(line)))
            except (KeyError, TypeError, ValueError) as error:
                needs = "needs person, t_days (a number), question, options (a list) and choice"
                raise SystemExit(
                    f"{path}, line {number}: {needs}; {type(error).__name__}: {error}"
                ) from error
    if not rows:
        raise SystemExit(f"{path}: no choices")
    return rows


def _row(line: Mapping[str, Any]) -> dict[str, Any]:
    days, options = float(line["t_days"]), line["options"]
    if not math.isfinite(days) or not isinstance(options, list):
        raise ValueError(f"t_days {days}, options {options!r}")
    choice = str(line["choice"])
    return {
        "person": str(line["person"]),
        "days": days,
        "question": str(line["question"]),
        "options": list(dict.fromkeys([*map(str, options), choice])),
        "choice": choice,
    }


def load(path: Path) -> dict[str, list[Series]]:
    """person -> one series a question, in time order; the options are those of the question in the whole file."""
    rows = lines_of(path)
    options: dict[str, dict[str, None]] = {}
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        options.setdefault(row["question"], {}).update(dict.fromkeys(row["options"]))
        groups.setdefault((row["person"], row["question"]), []).append(row)
    people: dict[str, list[Series]] = {}
    for (person, question), events in groups.items():
        keys = tuple(options[question])
        events.sort(key=lambda event: event["days"])
        chosen = np.array([keys.index(event["choice"]) for event in events])
        offered = offered_of(keys, [event["options"] for event in events], chosen)
        days = _apart(np.array([event["days"] for event in events]))
        people.setdefault(person, []).append(Series(keys, days, chosen, offered))
    return people


def _apart(days: Floats) -> Floats:
    """Choices of the same moment become moments apart, so that each one knows those of the lines before it."""
    same = np.concatenate(([False], np.diff(days) == 0))
    runs = np.arange(len(days)) - np.maximum.accumulate(np.where(same, 0, np.arange(len(days))))
    return days + runs * _MOMENT


if __name__ == "__main__":  # a part of other benchmarks: says what it is
    print(__doc__)
