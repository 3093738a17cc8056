"""The examples of the agreement, exactly (design section 5)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from math import exp

import pytest

from decisions.learning import advise, predict, table_of
from decisions.learning.types import DEFAULTS, Observation, OptionIn, Policy, Prediction, Question, Source

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
OPEN = Policy(sessions=20)
TIER = Question("Which tier?", tuple(OptionIn(label) for label in ("Tier S", "Tier M", "Tier L")))
CYCLE = Question("Which cycle?", tuple(OptionIn(label) for label in ("DDD", "TDD", "Hybrid")))
MARKED = Question(
    "Which tier?", tuple(OptionIn(label) for label in ("Tier S", "Tier M (Recommended)", "Tier L"))
)


def chose(key: str, days: float = 0, source: Source = "hook") -> Observation:
    return Observation(id=f"{key}-{days}", at=NOW - timedelta(days=days), chosen=(key,), source=source)


def habit(**counts: int) -> list[Observation]:
    return [chose(key.replace("_", " ")) for key, n in counts.items() for _ in range(n)]


def within_ten_days(n: int, key: str = "ddd", source: Source = "hook") -> list[Observation]:
    return [chose(key, days=i * 10 / n, source=source) for i in range(n)]


def action(question: Question, said: Prediction, policy: Policy = OPEN) -> tuple[str, str]:
    advice = advise(question, said, policy=policy)
    return advice.action, advice.reason


def test_three_six_one_is_tier_m_at_sixty_percent_and_asked() -> None:
    said = predict(TIER, habit(tier_s=3, tier_m=6, tier_l=1), now=NOW)
    assert (said.leader, said.share, said.n, said.confidence) == ("tier m", 0.6, 10, "medium-high")
    assert said.clear
    assert said.state == "warm"
    advice = advise(TIER, said, policy=Policy(sessions=20), lang="ja")
    assert advice.action == "ask"
    assert advice.options[0].display == "Tier M (推奨) — 直近の選択 60% に基づく"
    assert [o.recommended for o in advice.options] == [True, False, False]


def test_four_five_one_is_no_clear_preference_with_tdd_leading() -> None:
    said = predict(CYCLE, habit(ddd=4, tdd=5, other=1), now=NOW)
    assert (said.leader, said.clear, said.n) == ("tdd", False, 10)
    advice = advise(CYCLE, said, policy=Policy(sessions=3), lang="ja")
    assert (advice.action, advice.reason, advice.labelled) == ("ask", "no_clear_preference", False)
    assert advice.text == "TDD — 観察ベース（明確な傾向なし）"
    assert not any("推奨" in option.display for option in advice.options)


def test_without_observations_the_static_default_is_disclosed() -> None:
    said = predict(MARKED, [], now=NOW)
    assert (said.state, said.layer, said.leader, said.clear) == ("static", "default", "tier m", False)
    advice = advise(MARKED, said, policy=Policy())
    assert "based on static default, 5 observations needed for personalization" in advice.options[0].display
    assert advice.action == "ask"


def test_two_observations_leave_three_to_go() -> None:
    advice = advise(MARKED, predict(MARKED, habit(tier_s=2), now=NOW), policy=Policy())
    assert "based on static default, 3 observations needed for personalization" in advice.text
    one_left = advise(MARKED, predict(MARKED, habit(tier_s=4), now=NOW), policy=Policy())
    assert "1 observation needed" in one_left.text


def test_no_default_and_no_observation_recommends_nothing() -> None:
    said = predict(TIER, [], now=NOW)
    advice = advise(TIER, said, policy=Policy())
    assert (said.leader, said.share, advice.labelled, advice.leader) == (None, 0.0, False, None)
    assert [o.label for o in advice.options] == ["Tier S", "Tier M", "Tier L"]


@pytest.mark.parametrize(("days", "weight"), [(1, 0.905), (7, 0.497), (30, 0.0498)])
def test_a_choice_fades_by_a_tenth_a_day(days: int, weight: float) -> None:
    [told] = table_of([chose("ddd", days)]).weights(NOW, DEFAULTS)
    assert told == pytest.approx(weight, abs=5e-4)
    assert told == pytest.approx(exp(-0.1 * days), rel=1e-12)


def test_day_89_counts_and_day_90_is_archived() -> None:
    almost = NOW - timedelta(days=90) + timedelta(milliseconds=1)
    kept = Observation(id="kept", at=almost, chosen=("ddd",))
    said = predict(CYCLE, [chose("ddd", 89), kept, chose("ddd", 90)], now=NOW)
    assert said.n == 2
    assert said.n_effective == pytest.approx(exp(-8.9) + exp(-9), rel=1e-3)


def test_twenty_five_of_twenty_five_within_ten_days_is_settled() -> None:
    said = predict(CYCLE, within_ten_days(25), now=NOW)
    assert (said.state, said.n, said.confidence) == ("mature", 25, "high")
    assert action(CYCLE, said)[0] == "resolve"


def test_the_same_with_a_drop_of_the_production_database_is_asked() -> None:
    danger = Question("Which way?", (OptionIn("DDD"), OptionIn("Drop the production database")))
    said = predict(danger, within_ten_days(25), now=NOW)
    assert said.state == "mature"
    advice = advise(danger, said, policy=Policy(sessions=20))
    assert (advice.action, advice.reason, advice.strength) == ("ask", "sensitive", "neutral")
    assert not any(option.recommended for option in advice.options)
    assert "DDD" in advice.text


def test_thirteen_weekly_choices_never_mature() -> None:
    weekly = [chose("ddd", 7 * i) for i in range(20)]
    said = predict(CYCLE, weekly, now=NOW)
    assert (said.n, said.state, said.share) == (13, "warm", 1.0)
    assert action(CYCLE, said) == ("ask", "not_mature")


@pytest.mark.parametrize(
    ("policy", "reason"),
    [
        (Policy(always_ask=True), "always_ask"),
        (Policy(resolve_allowed=False), "not_allowed"),
        (Policy(muted=True), "muted"),
    ],
)
def test_a_person_or_a_workspace_can_insist_on_being_asked(policy: Policy, reason: str) -> None:
    assert action(CYCLE, predict(CYCLE, within_ten_days(25), now=NOW), policy) == ("ask", reason)


def test_one_reported_choice_informs_but_never_settles() -> None:
    said = predict(CYCLE, [*within_ten_days(25), chose("ddd", 3, source="reported")], now=NOW)
    assert (said.n, said.state) == (26, "mature")
    assert action(CYCLE, said) == ("ask", "reported")


def test_more_than_twenty_is_needed_and_twenty_is_not_more() -> None:
    assert predict(CYCLE, within_ten_days(20), now=NOW).state == "warm"
    assert predict(CYCLE, within_ten_days(21), now=NOW).state == "mature"
    assert predict(CYCLE, within_ten_days(4), now=NOW).state == "static"
    assert predict(CYCLE, within_ten_days(5), now=NOW).state == "warm"
