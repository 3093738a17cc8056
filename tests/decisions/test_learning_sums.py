"""Sums of old choices say the same as the choices themselves (decisions.learning.table)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from decisions.learning import Table, bundles, joined, predict, table_of
from decisions.learning.types import DEFAULTS, OTHER, Observation, OptionIn, Prediction, Question, Settings
from decisions.models import Choice, DecisionPoint
from decisions.selectors import tables
from tests import build
from tests.decisions.choosing import TIERS, clicked

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
KEYS = ("alpha", "beta", "gamma")
ASKED = Question("Which way?", tuple(OptionIn(label) for label in KEYS))

observations = st.lists(
    st.builds(
        Observation,
        id=st.uuids().map(str),
        at=st.integers(0, 89 * 86_400).map(lambda s: NOW - timedelta(seconds=s)),
        chosen=st.sampled_from([(key,) for key in (*KEYS, OTHER)] + [("alpha", "beta")]),
        session=st.sampled_from(["s0", "s1", "s9"]),
        labelled=st.just(True),
        followed=st.booleans(),
        source=st.sampled_from(["hook", "reported"]),
    ),
    max_size=40,
    unique_by=lambda o: o.at,
)


def summed(rows: list[Observation], settings: Settings) -> Table:
    """Equal choices together, as the database gives them."""
    groups: dict[tuple[object, ...], list[Observation]] = {}
    for row in rows:
        groups.setdefault((row.chosen, row.session, row.followed, row.source), []).append(row)
    weigh = [float(table_of(group).weights(NOW, settings).sum()) for group in groups.values()]
    return bundles(
        chosen=[group[0].chosen for group in groups.values()],
        count=[len(group) for group in groups.values()],
        weight=weigh,
        session=[group[0].session for group in groups.values()],
        followed=[group[0].followed for group in groups.values()],
        reported=[group[0].source != "hook" for group in groups.values()],
        now=NOW,
        settings=settings,
    )


def told(said: Prediction) -> list[float]:
    numbers = [said.p, said.lead, said.share, said.n_effective, said.uncertainty, said.confidence_value]
    numbers += [float(said.n), float(said.n_own), float(said.n_reported), *said.probabilities.values()]
    return numbers + [number for view in said.layers for number in (view.n, view.n_effective, view.share)]


@given(observations, st.integers(0, 40), st.sampled_from([0.0, 0.1, 2.0]))
def test_sums_of_the_older_choices_say_what_the_choices_say(
    rows: list[Observation], newest: int, rate: float
) -> None:
    settings = replace(DEFAULTS, decay_rate=rate)
    ordered = sorted(rows, key=lambda row: row.at)
    cut = max(len(ordered) - newest, 0)
    mixed = joined(summed(ordered[:cut], settings), table_of(ordered[cut:]))
    whole = predict(ASKED, ordered, now=NOW, session="s0", previous=["s1"], settings=settings)
    parts = predict(ASKED, mixed, now=NOW, session="s0", previous=["s1"], settings=settings)
    assert told(parts) == pytest.approx(told(whole), rel=1e-6, abs=1e-9)
    assert (parts.state, parts.layer, parts.clear) == (whole.state, whole.layer, whole.clear)
    assert set(parts.evidence) <= set(whole.evidence)


@pytest.mark.django_db
def test_the_database_sums_what_is_not_read_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    alice: User = build.person("alice")
    key = build.key(alice).key
    for number in range(14):
        clicked(
            key,
            TIERS[number * number % 3],
            ago=timedelta(days=6 * number, hours=number),
            session=f"s{number // 3}",
        )
    clicked(key, TIERS[0], ago=timedelta(days=91))
    Choice.objects.filter(chosen=["tier m"]).update(labelled=True, followed=True)
    bob = build.key(build.person("bob")).key
    clicked(bob, TIERS[2], session="bobs")
    point, now = DecisionPoint.objects.visible_to(alice).get(), timezone.now()
    first = str(Choice.objects.visible_to(alice).latest("at").session_id)
    asked = Question("Which tier?", tuple(OptionIn(label) for label in TIERS))

    def said() -> Prediction:
        found = tables.counted_here(
            user_id=alice.pk, point_ids=[point.pk], sessions=[first], now=now, numbers=DEFAULTS
        )
        assert set(found) == {point.pk}
        return predict(asked, found[point.pk].table(), now=now, session=first)

    whole = said()
    assert whole.n == 14
    monkeypatch.setattr(tables, "NEWEST", 2)
    parts = said()
    assert told(parts) == pytest.approx(told(whole), rel=1e-6)
    assert parts.evidence == whole.evidence[:2]
    assert parts.age_days == whole.age_days
    fast = replace(DEFAULTS, decay_rate=10.0)  # weights too small for a number of the database
    assert tables.counted_here(user_id=alice.pk, point_ids=[point.pk], now=now, numbers=fast)[point.pk].older
