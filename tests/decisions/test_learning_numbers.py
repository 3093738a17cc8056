"""The integral behind `lead`, the replay, the scores, and two simulations in small (design section 5)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.fitting import FOR_EVER, INERTIAS, RATES, STRENGTHS, base_of, far, fit, stacks_of, told
from benchmarks.simulations import calibration, self_reinforcement
from decisions.learning import backtest, option_key, predict, suggest_rate
from decisions.learning.dirichlet import incomplete_gamma, lead_probability
from decisions.learning.replay import Series, losses, replayed, series_of
from decisions.learning.scoring import Guess, score
from decisions.learning.types import DEFAULTS, OTHER, Asked, Observation, OptionIn, Question

START = datetime(2026, 1, 1, tzinfo=UTC)
KEYS = ("alpha", "beta", "gamma")

weights = st.lists(st.floats(0.01, 10_000), min_size=2, max_size=6)


@given(weights)
@settings(max_examples=50, deadline=None)
def test_the_chances_to_lead_add_up_to_one(values: list[float]) -> None:
    total = sum(lead_probability(values, i) for i in range(len(values)))
    assert total == pytest.approx(1, abs=1e-9)


@given(weights)
@settings(max_examples=50, deadline=None)
def test_a_finer_grid_says_the_same(values: list[float]) -> None:
    assert lead_probability(values, 0) == pytest.approx(lead_probability(values, 0, refine=5), abs=1e-9)


@pytest.mark.parametrize(("a", "b"), [(1, 1), (3, 1), (7, 4), (20, 25)])
def test_two_options_agree_with_the_binomial_sum(a: int, b: int) -> None:
    """P(Beta(a, b) > 1/2) for whole a, b is a tail of a binomial distribution."""
    n = a + b - 1
    exact = sum(math.comb(n, k) for k in range(a)) / 2**n
    assert lead_probability([a, b], 0) == pytest.approx(exact, abs=1e-10)


def test_equal_weights_share_the_lead_and_more_weight_leads_more() -> None:
    assert lead_probability([2.5] * 4, 1) == pytest.approx(0.25, abs=1e-10)
    leads = [lead_probability([x, 3.0, 1.0], 0) for x in (1.0, 2.0, 4.0, 8.0, 16.0)]
    assert leads == sorted(leads)
    assert lead_probability([5.0], 0) == 1.0


def test_the_incomplete_gamma_function_agrees_with_erf() -> None:
    x = np.exp(np.linspace(-20, 4, 60))
    exact = [math.erf(math.sqrt(value)) for value in x]
    assert incomplete_gamma([0.5], np.log(x))[0] == pytest.approx(exact, abs=1e-12)


def log_of(
    keys: Sequence[str], *, step: float = 1.0, question: str = "q", default: str | None = None
) -> list[Asked]:
    return [
        Asked(
            Observation(id=str(i), at=START + timedelta(days=i * step), chosen=(key,), session=f"s{i}"),
            question,
            KEYS,
            default,
        )
        for i, key in enumerate(keys)
    ]


choices = st.lists(st.sampled_from(KEYS), min_size=1, max_size=25)


@given(
    choices,
    st.sampled_from([0.3, 1.0, 9.0, 91.0]),
    st.sampled_from([0.0, 0.1, 0.4]),
    st.sampled_from([0.0, 0.2]),
)
@settings(deadline=None, max_examples=30)
def test_the_replay_says_what_predict_says(keys: list[str], step: float, rate: float, inertia: float) -> None:
    log = log_of(keys, step=step)
    tuned = replace(DEFAULTS, decay_rate=rate, inertia=inertia)
    [series] = series_of(log)
    told = replayed(series, base=None, settings=tuned)
    asked = Question("q", tuple(OptionIn(key) for key in KEYS))
    at = log[-1].observation.at
    said = predict(asked, [a.observation for a in log[:-1]], now=at, settings=tuned).probabilities
    assert dict(zip(series.keys, told[-1], strict=True)) == pytest.approx(said)


@given(choices, st.data(), st.sampled_from([0.3, 9.0, 40.0]), st.sampled_from([0.0, 0.2]))
@settings(deadline=None, max_examples=30)
def test_the_replay_says_what_predict_says_of_options_that_come_and_go(
    keys: list[str], data: st.DataObject, step: float, inertia: float
) -> None:
    log = [
        replace(each, options=tuple(k for k in KEYS if k == key or data.draw(st.booleans())))
        for each, key in zip(log_of(keys, step=step), keys, strict=True)
    ]
    tuned = replace(DEFAULTS, inertia=inertia)
    [series] = series_of(log)
    base = {"alpha": 0.5, "beta": 0.3, "gamma": 0.2}
    told = dict(zip(series.keys, replayed(series, base=base, settings=tuned)[-1], strict=True))
    asked = Question("q", tuple(OptionIn(key) for key in log[-1].options))
    at = log[-1].observation.at
    earlier = [a.observation for a in log[:-1]]
    said = predict(asked, earlier, now=at, base=base, settings=tuned).probabilities
    assert {key: p for key, p in told.items() if p} == pytest.approx(said, abs=1e-3)


def test_the_future_never_leaks_into_a_prediction() -> None:
    series = Series(KEYS, np.array([0.0, 1.0, 1.0, 2.0]), np.array([0, 1, 1, 2]))
    told = replayed(series, base=None, settings=DEFAULTS)
    assert told[0] == pytest.approx([1 / 3] * 3)
    assert told[1] == pytest.approx(told[2])  # of the same moment: neither knows the other
    assert told[1][0] > told[1][1]


def test_scores_by_hand() -> None:
    told = score("x", [Guess({"a": 0.8, "b": 0.2}, "a"), Guess({"a": 0.8, "b": 0.2}, "b")], spread=0.0)
    assert told.accuracy == 0.5
    assert told.log_loss == pytest.approx(-(math.log(0.8) + math.log(0.2)) / 2)
    assert told.brier == pytest.approx((2 * 0.04 + 2 * 0.64) / 2)
    assert told.ece == pytest.approx(0.3)
    assert [(b.low, b.n) for b in told.bins] == [(0.8, 2)]
    assert [(c.threshold, c.share) for c in told.coverage if c.share] == [
        (t, 1.0) for t in (0.5, 0.6, 0.7, 0.8)
    ]
    with pytest.raises(ValueError, match="nothing"):
        score("x", [])


def test_an_unforeseen_answer_costs_much_but_not_everything() -> None:
    told = score("x", [Guess({"a": 1.0}, OTHER)])
    assert told.accuracy == 0
    assert 1 < told.log_loss < 10


def test_a_backtest_beats_the_default_for_a_person_with_a_habit() -> None:
    told = backtest(log_of(["beta"] * 40, default="alpha"))
    scores = {s.predictor: s for s in told.scores}
    assert set(scores) == {"hikae", "last choice", "majority", "default"}
    assert told.n == 40
    assert scores["hikae"].accuracy > 0.95
    assert scores["default"].accuracy == 0
    assert scores["hikae"].log_loss < scores["default"].log_loss


def test_a_backtest_knows_what_was_chosen_on_the_same_template_elsewhere() -> None:
    first = [replace(each, template="t") for each in log_of(["beta"] * 8)]
    at = first[-1].observation.at + timedelta(days=1)
    there = Observation(id="there", at=at, chosen=("beta",), session="there", workspace="there")

    def told(template: str) -> float:
        log = [*first, Asked(there, "q elsewhere", KEYS, None, template)]
        [score, *_rivals] = backtest(log, newest=1).scores
        return score.log_loss

    assert told("t") < told("") == told("other")


def test_a_backtest_of_nothing_says_nothing() -> None:
    assert backtest([]).scores == ()
    assert suggest_rate([]) is None


def test_a_person_who_changes_often_is_offered_a_faster_rate_and_a_steady_one_is_not() -> None:
    fickle = [KEYS[i // 6 % 3] for i in range(120)]
    suggested = suggest_rate(log_of(fickle))
    assert suggested is not None
    assert suggested > DEFAULTS.decay_rate
    assert suggest_rate(log_of(["beta"] * 15)) is None


def never_changing(people: int) -> list[list[Series]]:
    return [series_of(log_of([KEYS[i % 3]] * 20)) for i in range(people)]


def test_settings_are_fitted_to_those_who_never_change() -> None:
    people = never_changing(12)
    fitted = fit(people)
    base = base_of(people)
    lost = [
        sum(losses(s, replayed(s, base=base, settings=each)).sum() for one in people for s in one)
        for each in (fitted, DEFAULTS)
    ]
    assert lost[0] < lost[1]


def test_people_who_chose_but_once_say_nothing_about_the_numbers() -> None:
    assert fit([series_of(log_of([KEYS[i % 3]])) for i in range(30)]) == DEFAULTS


def test_settings_far_from_the_agreed_ones_must_earn_it() -> None:
    slow, slower = (replace(DEFAULTS, decay_rate=rate) for rate in (0.04, 0.01))
    assert 0 == far(DEFAULTS, DEFAULTS) < far(slow, DEFAULTS) < far(slower, DEFAULTS)
    costs_of_weightless = {far(replace(DEFAULTS, prior_strength=s), DEFAULTS) for s in (30.0, 1000.0)}
    assert len(costs_of_weightless) == 1


def test_too_few_people_to_fit_on_leave_the_numbers_as_they_are() -> None:
    assert fit([]) == fit(never_changing(4)) == DEFAULTS


@given(
    st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=9), min_size=1, max_size=4),
    st.sampled_from(RATES),
    st.sampled_from(STRENGTHS),
    st.sampled_from(INERTIAS),
)
def test_fitting_tells_what_the_replay_tells(
    picks: list[list[int]], rate: float, strength: float, inertia: float
) -> None:
    tuned = replace(DEFAULTS, decay_rate=rate, prior_strength=strength, inertia=inertia)
    people = [series_of(log_of([KEYS[i] for i in one])) for one in picks]
    base = base_of(people)
    whole = np.vstack([replayed(s, base=base, settings=tuned) for one in people for s in one])
    [stack] = stacks_of(people, tuned)
    assert np.allclose(told(stack, base, tuned), whole)


def test_choices_that_lie_months_apart_count_for_longer_where_people_say_so() -> None:
    sparse = [series_of(log_of([KEYS[i % 3]] * 8, step=100.0)) for i in range(12)]
    assert fit(sparse).archive_days == FOR_EVER
    assert fit(never_changing(12)).archive_days == DEFAULTS.archive_days


def test_option_keys_of_a_log_may_be_spelled_in_any_way() -> None:
    log = [replace(a, options=("Alpha", "beta", "gamma")) for a in log_of([option_key("beta")] * 6)]
    assert {s.predictor: s for s in backtest(log).scores}["hikae"].accuracy > 0.8


def test_people_without_a_preference_are_not_talked_into_one() -> None:
    for per_day in (1, 5):
        assert self_reinforcement(6, per_day=per_day)["not_mature_at_200"] == 1.0


def test_what_is_told_comes_true_and_a_change_is_noticed() -> None:
    told = calibration(60)
    assert told["ece"] <= 0.045  # 0.027 on 1,000 people; 60 add noise
    assert told["found_after_median"] <= 15
