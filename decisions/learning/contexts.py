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
# How the client happens to run says something about a choice only where it tells it from others.
_AROUND = frozenset({"machine", "permission_mode", "effort", "branch"})


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
    tried = [(name, value) for name, value in context.items() if value] if rows.contexts else []
    rows = rows.single() if tried else rows
    if not tried or len(rows) <= settings.n_static:
        return every, {}
    own = np.where(rows.followed, 0.0, rows.weights(now, settings))
    matrix, size = rows.matrix(keys), len(rows.sets)
    all_counts = np.bincount(rows.code, own, size) @ matrix
    bar = log(settings.context_factor * len(tried))
    best: tuple[float, NDArray[np.bool_], dict[str, str]] | None = None
    for name, value in tried:
        has = np.array([each.get(name) == value for each in rows.contexts], dtype=np.bool_)
        inside = has[rows.around]
        if settings.n_static <= int(inside.sum()) < len(rows):
            counts = np.bincount(rows.code, own * inside, size) @ matrix
            evidence = split_evidence(counts, np.maximum(all_counts - counts, 0.0))
            if evidence >= bar and (not best or evidence > best[0]):
                best = evidence, inside, {name: value}
    return (rows.take(best[1]), best[2]) if best else (every, {})


def contexts_of(rows: Table, leader: str) -> dict[str, str]:
    """The contexts in which the leader was chosen: values over most of its choices that do not speak against it.

    One that stands beside all choices alike is named where it is about the work (phase, workflow, …).
    """
    rows = rows.single()
    if not rows.contexts or not len(rows):
        return {}
    chose = np.array([leader in chosen for chosen in rows.sets], dtype=np.bool_)[rows.code]
    every = np.bincount(rows.around, minlength=len(rows.contexts)).tolist()
    leading = np.bincount(rows.around[chose], minlength=len(rows.contexts)).tolist()
    total, share = int(chose.sum()), float(chose.mean())
    hits = Counter[tuple[str, str]]()
    for each, k in zip(rows.contexts, leading, strict=True):
        if k:
            for item in each.items():
                hits[item] += k
    found: list[tuple[int, str, str]] = []
    for (name, value), n in hits.items():
        if value and n >= max(_AT_LEAST, _COVERS * total):  # most of them: no name has two such values
            seen = sum(k for each, k in zip(rows.contexts, every, strict=True) if each.get(name) == value)
            if n / seen >= share and (seen < len(rows) or name not in _AROUND):
                found.append((-n, name, value))
    return {name: value for _, name, value in sorted(found)[:_NAMED]}
