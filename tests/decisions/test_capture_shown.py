"""Which recommendation a dialog shows, where a session saw several (design section 5)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from core.models import AgentKey
from decisions.models import Choice, DecisionPoint, LearningSetting, Recommendation
from decisions.services import preferences
from tests import build
from tests.decisions.capture import post, question, sent
from tests.decisions.choosing import TIERS, asked, asking, clicked, habit, opened, spread
from transcripts.models import AgentSession

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(alice: User, key: AgentKey) -> APIClient:
    opened(key)
    return build.api(build.key(alice, name="asks").secret)


def test_two_questions_of_one_kind_in_a_call_each_settle_their_own_recommendation(
    client: APIClient, key: AgentKey
) -> None:
    habit(key, TIERS, spread(1, 8, 1))
    one, two = "Which tier for SPEC-A-001?", "Which tier for SPEC-B-002?"
    advised = asked(client, asking(one), asking(two))
    shown = [option["display"] for option in advised[0]["options"]]
    answers = {one: shown[0], two: shown[1]}
    sent(client, post(answers, question(one, shown), question(two, shown), session="ask"))
    fates = {each.question: each.fate for each in Recommendation.objects.all()}
    assert fates == {one: "followed", two: "overridden"}
    for each in Recommendation.objects.select_related("choice"):
        assert each.choice is not None
        assert each.choice.question == each.question


def test_questions_of_one_kind_in_other_words_settle_one_each_too(client: APIClient, key: AgentKey) -> None:
    habit(key, TIERS, spread(1, 8, 1))
    asked(client, asking("Which tier for SPEC-A-001?"), asking("Which tier for SPEC-B-002?"))
    asks = [f"Which tier for SPEC-{name}-003?" for name in "CD"]
    sent(client, post(dict.fromkeys(asks, "Tier M"), *map(question, asks), session="ask"))
    assert {each.fate for each in Recommendation.objects.all()} == {"followed"}


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_our_line_about_the_leader_is_no_option_of_its_own(
    client: APIClient, key: AgentKey, lang: str
) -> None:
    """An agent may show it instead of the label: 「TDD — 観察ベース（明確な傾向なし）」."""
    ways = ("DDD", "TDD", "Another way")
    habit(key, ways, spread(4, 5, 1), text="Which way?")
    [said] = asked(client, asking("Which way?", ways), lang=lang)
    assert not said["clear"]
    sent(
        client,
        post(
            {"Which way?": said["text"]},
            question("Which way?", [said["text"], "DDD", "Another way"]),
            session="ask",
        ),
    )
    assert Choice.objects.get(session__key="ask").chosen == ["tdd"]
    assert DecisionPoint.objects.count() == 1


def test_an_answer_in_the_words_of_an_earlier_language_is_understood(
    client: APIClient, key: AgentKey
) -> None:
    habit(key, TIERS, spread(1, 8, 1))
    [before] = asked(client, lang="ja")
    asked(client, lang="en")
    shown = [option["display"] for option in before["options"]]
    sent(client, post({"Which tier?": shown[0]}, question(labels=shown), session="ask"))
    row = Choice.objects.get(session__key="ask")
    assert (row.chosen, row.marked, row.marked_by) == (["tier m"], "tier m", "hikae")


def test_a_dialog_composed_without_us_is_not_told_by_an_answered_recommendation(
    client: APIClient, key: AgentKey
) -> None:
    """Else one labelled question would weigh down all later ones of its session."""
    habit(key, TIERS, spread(1, 8, 1))
    [said] = asked(client)
    shown = [option["display"] for option in said["options"]]
    sent(client, post({"Which tier?": shown[0]}, question(labels=shown), tool_use="toolu_a", session="ask"))
    sent(client, post({"Which tier?": "Tier M"}, tool_use="toolu_b", session="ask"))
    labelled = Choice.objects.filter(session__key="ask").order_by("received_at")
    assert [(row.labelled, row.followed) for row in labelled] == [(True, True), (False, False)]


def test_a_label_shown_a_second_time_is_still_ours(client: APIClient, key: AgentKey) -> None:
    habit(key, TIERS, spread(1, 8, 1))
    [said] = asked(client)
    shown = [option["display"] for option in said["options"]]
    for tool_use in ("toolu_a", "toolu_b"):
        answer = post({"Which tier?": shown[0]}, question(labels=shown), tool_use=tool_use, session="ask")
        sent(client, answer)
    rows = Choice.objects.filter(session__key="ask")
    assert [(row.labelled, row.followed, row.marked_by) for row in rows] == [(True, True, "hikae")] * 2


def test_while_a_session_is_muted_the_options_stay_as_shown(
    client: APIClient, key: AgentKey, alice: User
) -> None:
    """An order is a hint, too; and what was recommended before the mute is still known as followed."""
    habit(key, TIERS, [1] * 8)
    [before] = asked(client)
    session = AgentSession.objects.get(key="ask")
    preferences.session_mute(user=alice, session_id=session.pk, now=timezone.now())
    [muted] = asked(client, asking("Which tier for SPEC-A-001?"))
    assert [option["label"] for option in muted["options"]] == list(TIERS)
    assert (muted["text"], muted["reason"]) == ("", "muted")
    shown = [option["display"] for option in before["options"]]
    sent(client, post({"Which tier?": shown[0]}, question(labels=shown), session="ask"))
    row = Choice.objects.get(session__key="ask")
    assert (row.chosen, row.followed) == (["tier m"], True)


@pytest.mark.parametrize(
    ("lang", "basis"), [("en", "based on your own setting"), ("ja", "ご本人の設定に基づく")]
)
def test_what_was_set_by_hand_is_said_where_no_label_is_due(
    client: APIClient, key: AgentKey, alice: User, lang: str, basis: str
) -> None:
    """After fifty sessions labels end; what the person set goes on being recommended, in words."""
    clicked(key, "Tier M", ago=timedelta(days=1))
    point = DecisionPoint.objects.visible_to(alice).get()
    preferences.preferred_set(user=alice, point_id=point.pk, option="Tier L", now=timezone.now())
    LearningSetting.objects.create(user=alice, human_sessions=51, changed_at=timezone.now())
    for picks in ([], [1] * 8):
        habit(key, TIERS, picks)
        [said] = asked(client, lang=lang)
        assert (said["strength"], said["leader"], said["text"]) == ("weak", "Tier L", f"Tier L — {basis}")
        assert not any(option["recommended"] for option in said["options"])


def test_words_of_ones_own_are_not_the_option_called_other(client: APIClient, key: AgentKey) -> None:
    labels = ("A thing", "Other")
    for text in ("my own words", "Other", "other (Recommended)"):
        clicked(key, text, text="Which thing?", labels=labels)
    chosen = [row.chosen for row in Choice.objects.order_by("at", "pk")]
    assert chosen == [["other"], ["other (offered)"], ["other (offered)"]]
    [said] = asked(client, asking("Which thing?", labels))
    shares = {option["label"]: option["share"] for option in said["options"]}
    assert shares == {"A thing": 0.0, "Other": pytest.approx(2 / 3)}
