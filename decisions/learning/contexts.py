"""Does the phase, the workflow, … truly split the choice? And in which contexts was the leader chosen?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from math import log

import numpy as np
from numpy.typing import NDArray

from .posterior import split_evidence
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
    contexts looked at, and speaks only with N observations of its own. Rows that stand for several choices hold no
    context: they are read no further once one splits.
    """
    every = rows
    tried = [(name, value) for name, value in context.items() if value] if rows.context else []
    rows = rows.single() if tried else rows
    if not tried or len(rows) <= settings.n_static:
        return every, {}
    distinct, place = _distinct(rows)
    own = rows.matrix(keys)[rows.code] * np.where(rows.followed, 0.0, rows.weights(now, settings))[:, None]
    all_counts, bar = own.sum(axis=0), log(settings.context_factor * len(tried))
    best: tuple[float, NDArray[np.bool_], dict[str, str]] | None = None
    for name, value in tried:
        inside = np.array([each.get(name) == value for each in distinct], dtype=np.bool_)[place]
        if settings.n_static <= int(inside.sum()) < len(rows):
            counts = own[inside].sum(axis=0)
            evidence = split_evidence(counts, np.maximum(all_counts - counts, 0.0))
            if evidence >= bar and (not best or evidence > best[0]):
                best = evidence, inside, {name: value}
    return (rows.take(best[1]), best[2]) if best else (every, {})


def _distinct(rows: Table) -> tuple[list[Mapping[str, str]], NDArray[np.intp]]:
    """The different mapping objects of a table, and which of them each row has: readers share equal ones."""
    ids = np.array([id(each) for each in rows.context], dtype=np.int64)
    _, first, place = np.unique(ids, return_index=True, return_inverse=True)
    return [rows.context[i] for i in first], place


def contexts_of(rows: Table, leader: str) -> dict[str, str]:
    """The contexts in which the leader was chosen: values over most of its choices that do not speak against it."""
    rows = rows.single()
    if not rows.context or not len(rows):
        return {}
    chose = np.array([leader in chosen for chosen in rows.sets], dtype=np.bool_)[rows.code]
    distinct, place = _distinct(rows)
    every = np.bincount(place, minlength=len(distinct))
    leading = np.bincount(place[chose], minlength=len(distinct))
    total, share = int(chose.sum()), float(chose.mean())
    found: list[tuple[int, str, str]] = []
    for name in {name for each, n in zip(distinct, leading, strict=True) if n for name in each}:
        seen, hits = Counter[str](), Counter[str]()
        for each, n, k in zip(distinct, every, leading, strict=True):
            seen[each.get(name, "")] += int(n)
            hits[each.get(name, "")] += int(k)
        value, n = max(hits.items(), key=lambda item: (item[1], item[0]))
        if value and n >= max(_AT_LEAST, _COVERS * total) and n / seen[value] >= share:
            found.append((-n, name, value))
    return {name: value for _, name, value in sorted(found)[:_NAMED]}
