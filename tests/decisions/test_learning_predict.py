"""Layers, follow weight, probes, contexts and the person prior (design section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decisions.learning import advise, order_questions, predict
from decisions.learning.types import DEFAULTS, OTHER, Observation, OptionIn, Policy, Question

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
ASKED = Question("Which way?", tuple(OptionIn(label) for label in ("alpha", "beta", "gamma")))
KEYS = ("alpha", "beta", "gamma")

chosen = st.sampled_from([(key,) for key in (*KEYS, OTHER)] + [("alpha", "beta")])
observations = st.lists(
    st.builds(
        Observation,
        id=st.uuids().map(str),
        at=st.integers(0, 100 * 86_400).map(lambda s: NOW - timedelta(seconds=s)),
        chosen=chosen,
        session=st.sampled_from(["s0", "s1", "s2", "s9"]),
        labelled=st.just(True),
        followed=st.booleans(),
        source=st.sampled_from(["hook", "reported"]),
        resolved=st.booleans(),
    ),
    max_size=40,
)


def made(
    keys: Sequence[str], *, session: str = "", followed: bool = False, days: float = 1
) -> list[Observation]:
    return [
        Observation(
            id=f"{session}{i}",
            at=NOW - timedelta(days=days),
            chosen=(key,),
            session=session,
            labelled=followed,
            followed=followed,
        )
        for i, key in enumerate(keys)
    ]


@given(observations)
def test_whatever_was_chosen_the_answer_is_a_distribution(seen: list[Observation]) -> None:
    said = predict(ASKED, seen, now=NOW, session="s0", previous=["s1", "s2"])
    assert sum(said.probabilities.values()) == pytest.approx(1)
    assert all(0 < p < 1 for p in said.probabilities.values())
    assert 0 <= said.lead <= 1
    assert 0 <= said.uncertainty <= 0.25
    assert said.n_own <= said.n
    assert said.n_effective <= said.n
    assert (OTHER in said.probabilities) == any(
        OTHER in o.chosen and not o.resolved and NOW - o.at < timedelta(days=90) for o in seen
    )
    if said.state == "static":
        assert (said.layer, said.clear, said.leader) == ("default", False, None)
    elif len(said.layers) == 3:
        assert said.p == max(said.probabilities.values())


@given(observations)
def test_the_order_in_which_rows_are_read_does_not_matter(seen: list[Observation]) -> None:
    mixed = sorted(seen, key=lambda o: o.id)
    one, two = predict(ASKED, seen, now=NOW), predict(ASKED, mixed, now=NOW)
    assert one.probabilities == pytest.approx(two.probabilities)
    assert one.n == two.n
    assert one.state == two.state


@given(observations)
def test_auto_resolved_questions_are_never_counted(seen: list[Observation]) -> None:
    asked = [o for o in seen if not o.resolved]
    assert predict(ASKED, seen, now=NOW).probabilities == predict(ASKED, asked, now=NOW).probabilities


@given(observations)
def test_one_more_choice_of_an_option_makes_it_likelier(seen: list[Observation]) -> None:
    more = [*seen, Observation(id="new", at=NOW, chosen=("alpha",))]
    before, after = predict(ASKED, seen, now=NOW), predict(ASKED, more, now=NOW)
    assert after.probabilities["alpha"] > before.probabilities["alpha"]


def test_the_narrowest_layer_with_five_speaks() -> None:
    here, before = made(["beta"] * 5, session="s0"), made(["gamma"] * 6, session="s1")
    older = made(["alpha"] * 9, session="s9", days=2)
    said = predict(ASKED, [*here, *before, *older], now=NOW, session="s0", previous=["s1"])
    assert (said.layer, said.leader, said.share, said.n) == ("L0", "beta", 1.0, 20)
    said = predict(ASKED, [*here[:4], *before, *older], now=NOW, session="s0", previous=["s1"])
    assert (said.layer, said.leader) == ("L1", "gamma")
    said = predict(ASKED, [*here[:4], *before[:4], *older], now=NOW, session="s0", previous=["s1"])
    assert (said.layer, said.leader, said.n) == ("L2", "alpha", 17)
    assert [(view.layer, view.n) for view in said.layers] == [("L0", 4), ("L1", 4), ("L2", 17)]


def test_only_three_sessions_before_make_the_second_layer() -> None:
    far = made(["gamma"] * 6, session="s4")
    said = predict(ASKED, far, now=NOW, session="s0", previous=["s1", "s2", "s3", "s4"])
    assert said.layer == "L2"


def test_a_session_that_contradicts_the_habit_is_asked() -> None:
    habit = made(["alpha"] * 60, session="s9", days=1)
    today = made(["beta"] * 5, session="s0", days=0)
    said = predict(ASKED, [*habit, *today], now=NOW, session="s0")
    assert (said.state, said.leader, said.layer) == ("mature", "beta", "L0")
    advice = advise(ASKED, said, policy=Policy(sessions=20))
    assert (advice.action, advice.reason) == ("ask", "recent_change")


def test_following_our_label_counts_half_in_p_and_nothing_in_lead_or_maturity() -> None:
    free, obedient = made(["alpha"] * 30, days=0), made(["alpha"] * 30, days=0, followed=True)
    own, told = predict(ASKED, free, now=NOW), predict(ASKED, obedient, now=NOW)
    assert (own.n, own.n_own, own.state) == (30, 30, "mature")
    assert (told.n, told.n_own, told.state) == (30, 0, "warm")
    assert told.lead == pytest.approx(1 / 3, abs=1e-9)
    assert told.n_effective == pytest.approx(own.n_effective / 2)


def test_every_fifth_labelled_question_is_shown_without_the_label_and_in_the_askers_order() -> None:
    said = predict(ASKED, made(["beta"] * 12), now=NOW)
    shown = [advise(ASKED, said, policy=Policy(sessions=20, labelled_before=n)).labelled for n in range(10)]
    assert shown == [True, True, True, True, False] * 2
    probe = advise(ASKED, said, policy=Policy(sessions=20, labelled_before=4))
    assert probe.probe
    assert [o.display for o in probe.options] == list(KEYS)
    assert probe.text == ""


def test_other_workspaces_lend_two_observations_at_most() -> None:
    elsewhere = made(["gamma"] * 50, days=0)
    said = predict(ASKED, [], now=NOW, elsewhere=elsewhere)
    assert said.state == "static"
    assert said.probabilities["gamma"] == pytest.approx((2 + 1 / 3) / 3)
    some = predict(ASKED, made(["alpha"] * 6, days=0), now=NOW, elsewhere=elsewhere)
    assert some.leader == "alpha"
    assert some.p == pytest.approx((6 + 1 / 3) / (6 + 3))


def test_the_base_is_an_argument() -> None:
    base = {"alpha": 0.1, "beta": 0.7, "gamma": 0.2}
    said = predict(ASKED, [], now=NOW, base=base)
    assert said.probabilities == pytest.approx(base)


def test_a_tie_goes_to_the_most_recent() -> None:
    rows = [replace(o, id=str(i)) for i, o in enumerate(made(["alpha", "beta"] * 3, days=0))]
    newest = [replace(rows[0], at=NOW - timedelta(microseconds=1)), *rows[1:]]
    said = predict(ASKED, newest, now=NOW, settings=replace(DEFAULTS, decay_rate=0.0))
    assert said.leader == "beta"


def test_a_context_that_truly_splits_the_choice_is_used() -> None:
    def rows(key: str, phase: str) -> list[Observation]:
        return [replace(o, context={"phase": phase}) for o in made([key] * 12, session=phase)]

    split = [*rows("alpha", "plan"), *rows("beta", "run")]
    plan = predict(ASKED, split, now=NOW, context={"phase": "plan"})
    run = predict(ASKED, split, now=NOW, context={"phase": "run"})
    assert (plan.leader, plan.n, plan.context) == ("alpha", 12, {"phase": "plan"})
    assert (run.leader, run.clear) == ("beta", True)
    advice = advise(ASKED, plan, policy=Policy(sessions=3))
    assert advice.premise == "Recommended when phase is plan"
    same = [*rows("alpha", "plan"), *rows("alpha", "run")]
    assert predict(ASKED, same, now=NOW, context={"phase": "plan"}).context == {}


def test_how_the_client_happens_to_run_is_a_premise_only_where_it_makes_a_difference() -> None:
    def rows(key: str, n: int, **context: str) -> list[Observation]:
        return [replace(o, context=context) for o in made([key] * n, session=key)]

    always = {"machine": "laptop", "permission_mode": "default", "branch": "main", "effort": "high"}
    said = predict(ASKED, rows("alpha", 8, **always), now=NOW)
    assert advise(ASKED, said, policy=Policy()).premise.startswith("Recommended when your recent choices")
    working = predict(ASKED, rows("alpha", 8, phase="plan", **always), now=NOW)
    assert advise(ASKED, working, policy=Policy()).premise == "Recommended when phase is plan"
    apart = [*rows("alpha", 8, permission_mode="plan"), *rows("beta", 4, permission_mode="default")]
    said = predict(ASKED, apart, now=NOW)
    assert advise(ASKED, said, policy=Policy()).premise == "Recommended when permission mode is plan"
    assert advise(ASKED, said, policy=Policy(), lang="ja").premise == "権限モードが plan のときに推奨"


@pytest.mark.parametrize(
    ("sessions", "strength", "labelled"),
    [
        (0, "strong", True),
        (9, "strong", True),
        (10, "medium", True),
        (50, "medium", True),
        (51, "weak", False),
    ],
)
def test_the_longer_we_know_a_person_the_quieter_we_speak(
    sessions: int, strength: str, labelled: bool
) -> None:
    said = predict(ASKED, made(["beta"] * 12), now=NOW)
    advice = advise(ASKED, said, policy=Policy(sessions=sessions))
    assert (advice.strength, advice.labelled) == (strength, labelled)
    assert advice.options[0].label == "beta"


def test_the_premise_says_how_old_the_choices_are() -> None:
    said = predict(ASKED, made(["beta"] * 12, days=3), now=NOW)
    assert advise(ASKED, said, policy=Policy()).premise == (
        "Recommended when your recent choices (last: 3 days ago) still hold"
    )
    given = replace(ASKED, premise="when the change is small")
    assert advise(given, said, policy=Policy()).premise == "Recommended when the change is small"


def test_a_preferred_option_set_by_hand_goes_first_but_settles_nothing_alone() -> None:
    said = predict(ASKED, made(["beta"] * 30, days=0), now=NOW)
    advice = advise(ASKED, said, policy=Policy(sessions=20, preferred="gamma"))
    assert (advice.options[0].key, advice.action) == ("gamma", "ask")
    assert "your own setting" in advice.options[0].display


gains = st.lists(st.floats(0, 3), min_size=1, max_size=6)


@given(gains, st.data())
def test_questions_come_by_gain_after_what_they_depend_on(values: list[float], data: st.DataObject) -> None:
    earlier = [
        data.draw(st.lists(st.integers(0, i - 1), max_size=2)) if i else [] for i in range(len(values))
    ]
    asked = [
        Question(
            f"Question {chr(65 + i)}?",
            ASKED.options,
            depends_on=tuple(f"question {chr(65 + n)}?" for n in needs),
        )
        for i, needs in enumerate(earlier)
    ]
    order = order_questions(asked, values)
    place = {index: at for at, index in enumerate(order.indices)}
    assert sorted(order.indices) == list(range(len(values)))
    assert all(place[need] < place[i] for i, needs in enumerate(earlier) for need in needs)
    if not any(earlier):
        assert list(order.indices) == sorted(range(len(values)), key=lambda i: (-values[i], i))
    assert order.defects == ((),) * len(values)


def test_circles_and_unknown_dependencies_are_defects_and_still_ordered() -> None:
    a = Question("A?", ASKED.options, depends_on=("B?",))
    b = Question("B?", ASKED.options, depends_on=("A?", "nowhere"))
    c = Question("C?", ASKED.options, depends_on=("A?",))  # waits for the circle, but stands in none
    order = order_questions([a, b, c], [0.1, 0.9, 1.0])
    assert sorted(order.indices) == [0, 1, 2]
    assert order.indices.index(0) < order.indices.index(2)
    assert order.defects == (("circular_dependency",), ("unknown_dependency", "circular_dependency"), ())
