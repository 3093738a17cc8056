"""The examples of the contract, from the captured answers to what an agent is told (design section 5)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from core.models import AgentKey
from core.services.members import member_set
from decisions.learning.types import DEFAULTS
from decisions.models import Choice, DecisionPoint, Recommendation
from tests import build
from tests.decisions.choosing import TIERS, WHICH, asked, asking, clicked, habit, opened, reported, spread

pytestmark = pytest.mark.django_db
CYCLES = ("DDD", "TDD", "Other cycle")
DAY = timedelta(days=1)


@pytest.fixture
def client(alice: User, key: AgentKey) -> APIClient:
    opened(key)
    return build.api(build.key(alice, name="asks").secret)


def test_three_six_and_one_lean_to_the_middle_tier_and_are_asked(client: APIClient, key: AgentKey) -> None:
    habit(key, TIERS, spread(3, 6, 1))
    [found] = asked(client, lang="ja")
    assert (found["leader"], found["n"], found["state"], found["action"]) == ("Tier M", 10, "warm", "ask")
    assert found["share"] == pytest.approx(0.6)
    assert found["confidence"] == pytest.approx(0.6)
    assert found["confidence_label"] == "中〜高"
    assert found["clear"]
    assert found["layer"] == "L2"
    first = found["options"][0]
    assert first["display"] == "Tier M (推奨) — 直近の選択 60% に基づく"
    assert (first["label"], first["recommended"]) == ("Tier M", True)
    assert [option["recommended"] for option in found["options"][1:]] == [False, False]
    assert found["premise"]
    assert asked(client, lang="en")[0]["confidence_label"] == "medium-high"


def test_four_to_five_is_no_clear_preference_and_carries_no_label(client: APIClient, key: AgentKey) -> None:
    habit(key, CYCLES, spread(4, 5, 1), text="Which development cycle?")
    [found] = asked(client, asking("Which development cycle?", CYCLES), lang="ja")
    assert (found["leader"], found["clear"], found["action"]) == ("TDD", False, "ask")
    assert found["reason"] == "no_clear_preference"
    assert found["text"] == "TDD — 観察ベース（明確な傾向なし）"
    assert not any(option["recommended"] for option in found["options"])


def test_with_nothing_observed_the_static_default_is_disclosed(client: APIClient) -> None:
    [found] = asked(client, asking(default="Tier S"))
    assert (found["state"], found["layer"], found["n"], found["leader"]) == ("static", "default", 0, "Tier S")
    assert (found["clear"], found["action"], found["evidence"]) == (False, "ask", [])
    assert "based on static default, 5 observations needed for personalization" in found["text"]
    [unmarked] = asked(client)
    assert unmarked["leader"] is None
    assert "based on static default, 5 observations needed" in unmarked["text"]
    [marked] = asked(client, asking(labels=("Tier S", "Tier M (Recommended)", "Tier L")))
    assert marked["leader"] == "Tier M"


def test_two_observations_leave_three_to_go(client: APIClient, key: AgentKey) -> None:
    habit(key, TIERS, [1, 1])
    [found] = asked(client)
    assert (found["state"], found["n"]) == ("static", 2)
    assert "based on static default, 3 observations needed for personalization" in found["text"]


def test_twenty_five_of_twenty_five_within_ten_days_are_settled(client: APIClient, key: AgentKey) -> None:
    habit(key, TIERS, [1] * 25)
    [found] = asked(client)
    assert (found["action"], found["state"], found["leader"]) == ("resolve", "mature", "Tier M")
    assert found["reason"] in ("certain", "identical")
    assert found["reason_text"]
    assert found["n"] == 25
    row = Recommendation.objects.get(pk=found["id"])
    assert (row.action, row.fate, row.choice) == ("resolve", "resolved", None)
    assert Choice.objects.count() == 25  # resolved is not observed


def test_the_same_with_an_irreversible_option_is_asked(client: APIClient, key: AgentKey) -> None:
    labels = ("Keep going", "Wait", "drop the production database")
    habit(key, labels, [0] * 25, text="What next?")
    [found] = asked(client, asking("What next?", labels))
    assert (found["state"], found["action"], found["reason"]) == ("mature", "ask", "sensitive")
    assert found["strength"] == "neutral"
    assert not any(option["recommended"] for option in found["options"])


def test_the_same_but_reported_informs_and_never_settles(client: APIClient, key: AgentKey) -> None:
    habit(key, TIERS, [1] * 24)
    reported(key, "Tier M", session="ask")
    [found] = asked(client)
    assert (found["n"], found["action"], found["reason"]) == (25, "ask", "reported")


def test_weekly_and_unanimous_is_always_asked(client: APIClient, key: AgentKey) -> None:
    for week in range(20):
        clicked(key, "Tier M", ago=7 * week * DAY)
    [found] = asked(client)
    assert found["n"] == 13
    assert (found["action"], found["state"]) == ("ask", "warm")


def test_day_89_counts_and_day_90_does_not(client: APIClient, key: AgentKey) -> None:
    clicked(key, "Tier M", ago=89 * DAY)
    assert asked(client)[0]["n"] == 1
    clicked(key, "Tier M", ago=90 * DAY)
    clicked(key, "Tier M", ago=90 * DAY - timedelta(seconds=60))
    [found] = asked(client)
    assert found["n"] == 2
    assert found["age_days"] == pytest.approx(89, abs=0.01)


def test_weights_fall_as_the_formula_says(client: APIClient, key: AgentKey) -> None:
    for days, weight in ((1, 0.905), (7, 0.497), (30, 0.0498)):
        labels = (f"plan {days} a", f"plan {days} b")
        clicked(key, labels[0], ago=days * DAY, labels=labels)
        assert asked(client, asking(labels=labels))[0]["n_effective"] == pytest.approx(weight, abs=5e-4)


def test_a_second_members_choices_change_nothing(client: APIClient, key: AgentKey, alice: User) -> None:
    habit(key, TIERS, spread(3, 6, 1))
    workspace = DecisionPoint.objects.visible_to(alice).get().workspace
    assert workspace is not None
    bob = build.person("bob")
    member_set(namespace=workspace, by=alice, user=bob, role="reviewer", now=Choice.objects.latest("at").at)
    before = asked(client, session="ask")[0]
    bobs = build.key(bob).key
    for _each in range(25):
        clicked(bobs, "Tier L", session="bobs", workspace=f"{alice.username}/api")
    after = asked(client, session="ask")[0]
    same = ("leader", "n", "share", "state", "evidence", "layers", "action")
    assert [after[name] for name in same[:5]] == [before[name] for name in same[:5]]
    assert DecisionPoint.objects.visible_to(bob).get().workspace == workspace
    theirs = asked(build.api(build.key(bob, name="b").secret), session="bobs")[0]
    assert (theirs["leader"], theirs["n"]) == ("Tier L", 25)
    assert not set(theirs["evidence"]) & set(after["evidence"])


def test_every_answer_names_its_evidence_and_how_to_correct_it(
    client: APIClient, key: AgentKey, alice: User
) -> None:
    habit(key, TIERS, spread(3, 6, 1))
    [found] = asked(client)
    rows = Choice.objects.visible_to(alice).order_by("-at")
    assert found["evidence"] == [str(pk) for pk in rows.values_list("pk", flat=True)]
    assert found["correct_at"].endswith(f"/choices/{found['point']}/")
    assert {each["layer"]: each["n"] for each in found["layers"]} == {"L0": 0, "L1": 3, "L2": 10}
    assert found["uncertainty"] == pytest.approx(found["p"] * (1 - found["p"]))
    assert found["n_effective"] < found["n"]
    assert DEFAULTS.decay_rate == 0.1
    assert found["question"] == WHICH
