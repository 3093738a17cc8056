"""Does the phase, the workflow, … truly split the choice? And in which contexts was the leader chosen?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from math import log

import numpy as np
from numpy.typing import NDArray

from .posterior import own_counts, split_evidence
from .table import Table
from .types import Settings

_COVERS = 0.6  # of the leader's choices a context must cover to be named in a premise
_AT_LEAST = 3  # such choices
_NAMED = 2  # contexts in a premise: more read like a query


def narrowed(
    rows: Table,
    keys: Sequence[str],
    context: Mapping[str, str],
    *,
    now: datetime,
    settings: Settings,
) -> tuple[Table, dict[str, str]]:
    """The rows of the one context value that splits the choice best, and which; all rows and {} where none truly does.

    A value splits when the Bayes factor "two habits" against "one habit" reaches CONTEXT_FACTOR times the number of
    contexts looked at, and speaks only with N observations of its own.
    """
    tried = [(name, value) for name, value in context.items() if value] if rows.context else []
    best: tuple[float, Table, dict[str, str]] | None = None
    for name, value in tried:
        inside = _having(rows, name, value)
        if settings.n_static <= int(inside.sum()) < len(rows):
            one, two = rows.take(inside), rows.take(~inside)
            evidence = split_evidence(
                own_counts(one, keys, now=now, settings=settings),
                own_counts(two, keys, now=now, settings=settings),
            )
            if evidence >= log(settings.context_factor * len(tried)) and (not best or evidence > best[0]):
                best = evidence, one, {name: value}
    return (best[1], best[2]) if best else (rows, {})


def contexts_of(rows: Table, leader: str) -> dict[str, str]:
    """The contexts in which the leader was chosen: values over most of its choices that do not speak against it."""
    chose = [leader in rows.sets[code] for code in rows.code] if rows.context else []
    total = sum(chose)
    found: list[tuple[float, str, str]] = []
    for name in {name for context, hit in zip(rows.context, chose, strict=False) if hit for name in context}:
        values = [context.get(name, "") for context in rows.context]
        value, n = Counter(v for v, hit in zip(values, chose, strict=True) if hit).most_common(1)[0]
        if value and n >= max(_AT_LEAST, _COVERS * total) and n / values.count(value) >= total / len(chose):
            found.append((-n, name, value))
    return {name: value for _, name, value in sorted(found)[:_NAMED]}


def _having(rows: Table, name: str, value: str) -> NDArray[np.bool_]:
    return np.array([context.get(name) == value for context in rows.context], dtype=np.bool_)
