"""What would this person choose? (design section 5: layers, posterior, states, confidence)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from .contexts import contexts_of, narrowed
from .labels import keys_of, marked_default
from .posterior import Posterior, posterior, prior_of
from .table import DAY_SECONDS, Table, table_of
from .types import (
    DEFAULTS,
    OTHER,
    Confidence,
    Layer,
    LayerView,
    Observation,
    Prediction,
    Question,
    Settings,
    State,
)


def predict(
    question: Question,
    observations: Sequence[Observation] | Table,
    *,
    now: datetime,
    session: str = "",
    previous: Sequence[str] = (),
    elsewhere: Sequence[Observation] | Table = (),
    base: Mapping[str, float] | None = None,
    context: Mapping[str, str] | None = None,
    settings: Settings = DEFAULTS,
) -> Prediction:
    """Learn from one person's own choices on one decision point in one workspace.

    ``session``: the present one (L0). ``previous``: sessions before it, newest first (L1 takes the first three).
    ``elsewhere``: the same person's choices on the same template in other workspaces (the person prior). ``base``:
    share per option key before anything was seen; uniform by default. ValueError for a question without options.
    """
    keys = tuple(dict.fromkeys(keys_of(question)))
    if not keys:
        raise ValueError("a question needs options to be predicted")
    known = table_of(observations).live(now, settings).offered(keys)
    if OTHER not in keys and any(OTHER in known.sets[code] for code in set(known.code.tolist())):
        keys = (*keys, OTHER)
    rows, split = narrowed(known, keys, context or {}, now=now, settings=settings)
    prior = prior_of(keys, table_of(elsewhere), now=now, base=base, settings=settings)
    recent = set(previous[: settings.session_layer]) - {session, ""}
    tables: dict[Layer, Table] = {
        "L0": rows.take(_in_sessions(rows, {session} - {""})),
        "L1": rows.take(_in_sessions(rows, recent)),
        "L2": rows,
    }
    layers = {
        layer: posterior(table, keys, prior, now=now, settings=settings)
        for layer, table in tables.items()
        if len(table) or layer == "L2"
    }
    wide = layers["L2"]
    speaking: Layer = next((layer for layer in layers if layers[layer].n >= settings.n_static), "L2")
    voice, heard = layers[speaking], tables[speaking]
    wide_lead = wide.lead()
    static = wide.n < settings.n_static
    default = marked_default(question)
    leader = keys.index(default) if static and default else None if static else voice.leader
    lead = (
        0.0
        if leader is None
        else wide_lead
        if voice is wide and leader == wide.leader
        else voice.lead(leader)
    )
    p = voice.p
    shown = voice.leader if leader is None else leader
    share = 0.0 if leader is None else _share(voice, leader)
    certainty = round(_share(wide, wide.leader) * min(wide.n / settings.confidence_full_n, 1), 9)
    return Prediction(
        state=_state(wide, wide_lead, settings),
        layer="default" if static else speaking,
        leader=None if leader is None else keys[leader],
        p=float(p[shown]),
        lead=lead,
        clear=not static and lead >= settings.clear_lead,
        share=share,
        n=wide.n,
        n_effective=wide.n_effective,
        n_own=wide.n_own,
        n_reported=int(rows.count[rows.reported].sum()),
        layers=tuple(_view(layer, layers.get(layer), keys) for layer in tables),
        confidence=_confidence(certainty, wide_lead, settings),
        confidence_value=certainty,
        uncertainty=float(p[shown] * (1 - p[shown])),
        information_gain=float(-(p * np.log2(p)).sum()),
        age_days=_age(heard, now),
        run=0 if leader is None else _run(rows, keys[leader]),
        probabilities=dict(zip(keys, p.tolist(), strict=True)),
        counts={key: int(n) for key, n in zip(keys, voice.raw, strict=True)},
        shares={key: _share(voice, i) for i, key in enumerate(keys)},
        evidence=tuple(name for name in heard.ids[::-1] if name),
        premise_context={} if leader is None or static else {**split, **contexts_of(heard, keys[leader])},
        context=split,
        settings=settings,
    )


def _in_sessions(rows: Table, sessions: set[str]) -> NDArray[np.bool_]:
    if not sessions:
        return np.zeros(len(rows), dtype=np.bool_)
    return np.array([each in sessions for each in rows.session.tolist()], dtype=np.bool_)


def _share(layer: Posterior, option: int) -> float:
    return float(layer.raw[option]) / layer.n if layer.n else 0.0


def _state(wide: Posterior, lead: float, settings: Settings) -> State:
    if wide.n < settings.n_static:
        return "static"
    return "mature" if wide.n_own > settings.n_mature and lead >= settings.mature_lead else "warm"


def _confidence(value: float, lead: float, settings: Settings) -> Confidence:
    if value < settings.confidence_medium:
        return "low"
    if value < settings.confidence_medium_high:
        return "medium"
    if value < settings.confidence_high or lead < settings.mature_lead:
        return "medium-high"
    return "high"


def _view(layer: Layer, counts: Posterior | None, keys: Sequence[str]) -> LayerView:
    if counts is None or not counts.n:
        return LayerView(layer, 0, 0.0, None, 0.0)
    return LayerView(layer, counts.n, counts.n_effective, keys[counts.leader], _share(counts, counts.leader))


def _age(rows: Table, now: datetime) -> float | None:
    return max(0.0, now.timestamp() - float(rows.at[-1])) / DAY_SECONDS if len(rows) else None


def _run(rows: Table, leader: str) -> int:
    """How many of the newest unprompted choices are the leader alone, without a break."""
    run = 0
    for code in rows.code[~rows.labelled][::-1]:
        if rows.sets[code] != (leader,):
            break
        run += 1
    return run
