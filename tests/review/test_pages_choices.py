"""The Choices pages: one row a question, its past, and who sees it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from core.models import AgentKey
from decisions.models import DecisionPoint
from tests import build
from tests.review.choosing import QUESTION, answer, ask, habit, person_with_key
from tests.review.scene import share, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def both() -> tuple[User, AgentKey]:
    return person_with_key()


@pytest.fixture
def key(both: tuple[User, AgentKey]) -> AgentKey:
    return both[1]


@pytest.fixture
def hers(both: tuple[User, AgentKey]) -> Client:
    return signed_in(both[0])


def rows(client: Client, **query: str) -> list[str]:
    return [row["point"].title for row in client.get(reverse("choices"), query).context["rows"]]


def test_a_row_says_what_is_usually_picked_and_how_sure_that_is(hers: Client, key: AgentKey) -> None:
    habit(key, ["Tier S"] * 3 + ["Tier L"] + ["Tier M"] * 6)
    page = hers.get(reverse("choices"))
    row = page.context["rows"][0]
    assert (row["leader"], row["known"].share, row["known"].n) == ("Tier M", 0.6, 10)
    said = page.content.decode()
    for words in (QUESTION, "Tier M", "60%", "of 10 choices", "partly known", "workspace:api", "<svg"):
        assert words in said


@pytest.mark.parametrize("count", [1, 50])
def test_many_questions_cost_no_more_queries(
    hers: Client, key: AgentKey, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(count):
        one, other = (
            f"{side} {'abcdefghij'[number % 10]}{'klmno'[number // 10]}" for side in ("left", "right")
        )
        answer(key, one, f"Where does {one} go?", (one, other))
    with django_assert_num_queries(13):
        assert len(rows(hers)) == count


def test_the_page_of_a_question_knows_what_was_chosen_in_other_workspaces(
    hers: Client, key: AgentKey, both: tuple[User, AgentKey]
) -> None:
    for number in range(4):
        answer(key, "Tier M", days_ago=number)
    point = DecisionPoint.objects.visible_to(both[0]).get()
    alone = hers.get(reverse("point", args=[point.pk])).context
    build.session(key, "far", workspace="elsewhere")
    for number in range(6):
        answer(key, "Tier L", days_ago=number, session="far")
    page = hers.get(reverse("point", args=[point.pk]))
    assert (alone["elsewhere"], page.context["elsewhere"]) == (0, 6)
    assert "Same question in other workspaces" in page.content.decode()
    [here] = [row for row in hers.get(reverse("choices")).context["rows"] if row["point"] == point]
    for known in (page.context["known"], here["known"]):
        assert known.n == 4
        assert known.probabilities["tier l"] > alone["known"].probabilities["tier l"]
    stranger = signed_in(build.person("mallory"))
    assert stranger.get(reverse("point", args=[point.pk])).status_code == 404


def test_first_run_and_nothing_found_read_differently(hers: Client, key: AgentKey) -> None:
    assert "No choices yet" in hers.get(reverse("choices")).content.decode()
    answer(key)
    found = hers.get(reverse("choices"), {"q": "nothing like this"}).content.decode()
    assert "Nothing matches" in found
    assert "No choices yet" not in found


def test_filters_stand_in_the_address(hers: Client, key: AgentKey) -> None:
    habit(key, ["Tier M"] * 25, every=0.5)
    answer(key, "Opus", "Which model should write the tests?", ("Opus", "Sonnet"))
    build.session(key, "s2", workspace="shop")
    answer(key, "yes", "Shall I open the draft now?", ("yes", "no"), session="s2")
    assert len(rows(hers)) == 3
    assert rows(hers, category="tier") == [QUESTION]
    assert rows(hers, state="mature") == [QUESTION]
    assert rows(hers, state="warm") == []
    assert len(rows(hers, state="static")) == 2
    assert rows(hers, q="sonnet") == ["Which model should write the tests?"]
    shop = hers.get(reverse("choices")).context["rows"]
    there = next(row["point"].workspace_id for row in shop if "draft" in row["point"].title)
    assert rows(hers, workspace=str(there)) == ["Shall I open the draft now?"]
    assert rows(hers, workspace="none") == []
    assert len(rows(hers, category="nonsense", state="x", workspace="y")) == 3


def test_pages_follow_each_other_without_gap_or_repeat(
    hers: Client, key: AgentKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, name in enumerate("abcde"):
        answer(key, question=f"Which {name * 9}?", days_ago=number)
    monkeypatch.setattr("review.selectors.choices.points.__kwdefaults__", {"size": 2})
    seen: list[str] = []
    after = ""
    for _page in range(3):
        page = hers.get(reverse("choices"), {"after": after, "state": "static"})
        seen += [row["point"].title for row in page.context["rows"]]
        after = page.context["next"]
    assert seen == [f"Which {name * 9}?" for name in "abcde"]
    assert after == ""


def test_the_detail_shows_the_picture_the_log_and_the_way_to_the_source(hers: Client, key: AgentKey) -> None:
    build.turn(key, "Please specify the export.", now=timezone.now().replace(year=2020))
    point = habit(key, ["Tier S"] * 3 + ["Tier M"] * 6)
    answer(key, "Tier L", days_ago=95)
    page = hers.get(reverse("point", args=[point.pk]))
    said = page.content.decode()
    assert page.status_code == 200
    assert said.count('class="dot') == 10
    assert "archived: older than 90 days" in said
    assert "?start=" in said
    assert "The same as a table" in said
    assert page.context["known"].n == 9


def test_the_page_says_that_a_weekly_habit_never_becomes_well_known(hers: Client, key: AgentKey) -> None:
    point = habit(key, ["Tier M"] * 12, every=7)
    said = hers.get(reverse("point", args=[point.pk])).content.decode()
    assert "about every 7 days" in said
    assert "At most 13 such answers fit into 90 days" in said
    daily = habit(key, ["Tier M"] * 12, every=1, question="Which daily kind is it?")
    assert "such answers fit" not in hers.get(reverse("point", args=[daily.pk])).content.decode()


def test_recommendations_given_are_listed_with_their_fate(hers: Client, key: AgentKey) -> None:
    point = habit(key, ["Tier M"] * 9)
    ask(key)
    answer(key, "Tier M")
    ask(key)
    answer(key, "Tier L")
    page = hers.get(reverse("point", args=[point.pk]))
    assert page.context["fates"] == {"followed": 1, "overridden": 1, "resolved": 0}
    assert "ours, followed" in page.content.decode()
    assert "ours, not followed" in page.content.decode()


def test_a_member_of_the_same_workspace_sees_nothing_of_it(hers: Client, key: AgentKey) -> None:
    point = habit(key, ["Tier M"] * 6)
    bob = build.person("bob")
    assert point.workspace is not None
    share(point.workspace, key.user, bob, "owner")
    his = signed_in(bob)
    assert rows(his) == []
    assert QUESTION not in his.get(reverse("choices")).content.decode()
    for name in ("point",):
        assert his.get(reverse(name, args=[point.pk])).status_code == 404


def test_japanese_questions_and_the_japanese_page(both: tuple[User, AgentKey]) -> None:
    user, key = both
    for _number in range(6):
        answer(key, "小さく分ける", "どの規模で進めますか？", ("小さく分ける", "まとめて進める（推奨）"))
    client = signed_in(user, "ja")
    page = client.get(reverse("choices")).content.decode()
    assert "どの規模で進めますか" in page
    point = client.get(reverse("choices")).context["rows"][0]["point"]
    detail = client.get(reverse("point", args=[point.pk])).content.decode()
    assert "小さく分ける" in detail
    assert "（推奨）" in detail or "まとめて進める" in detail
