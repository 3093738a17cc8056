"""The demo's choices: sound by themselves, and something of everything on the pages once they are loaded."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from core.services.bootstrap import owner_bootstrap
from decisions.models import Choice, Quarantine, Recommendation
from memory.models import Candidate
from review.demo.choice_story import asked, odd
from review.demo.load import demo_load
from review.demo.story import zone
from tests.review.scene import signed_in

NOW = datetime(2026, 5, 20, 3, 0, tzinfo=UTC)
days = st.dates(min_value=date(2024, 1, 1), max_value=date(2040, 1, 1))


@pytest.fixture(scope="module")
def hers(django_db_setup: None, django_db_blocker: Any) -> Iterator[Client]:
    with django_db_blocker.unblock(), transaction.atomic():
        owner_bootstrap(password="", want_key=False, now=NOW)
        User.objects.create_user("stranger")
        demo_load(username="owner", now=NOW)
        yield signed_in(User.objects.get(username="owner"))
        transaction.set_rollback(True)


@pytest.fixture
def by_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("choices", "choice_acts", "quarantine"):
        monkeypatch.setattr(f"review.views.{module}.clock", lambda: NOW)


class TestStory:
    @given(days)
    def test_nothing_lies_in_the_future_of_the_loading_day(self, day: date) -> None:
        midnight = datetime.combine(day, time(0, 0), tzinfo=zone())
        told = asked(day, zone())
        assert all(each.at <= midnight for each in told)
        assert odd(day, zone()).at <= midnight
        assert told == sorted(told, key=lambda each: each.at)

    @given(days)
    def test_some_of_it_is_older_than_ninety_days(self, day: date) -> None:
        start = datetime.combine(day, time(0, 0), tzinfo=zone())
        ages = [start - each.at for each in asked(day, zone())]
        assert max(ages) > timedelta(days=90)
        assert sum(age > timedelta(days=90) for age in ages) < len(ages) / 4

    def test_every_answer_is_one_of_the_options_and_one_question_had_none(self) -> None:
        told = asked(NOW.date(), zone())
        assert all(each.answer in each.options for each in told if each.answer)
        assert [each.advised for each in told if not each.answer] == [True]


@pytest.mark.django_db
class TestLoaded:
    pytestmark = pytest.mark.usefixtures("by_clock")

    def rows(self, client: Client) -> dict[str, Any]:
        return {row["point"].title: row for row in client.get(reverse("choices")).context["rows"]}

    def test_the_pages_show_every_state_in_both_languages(self, hers: Client) -> None:
        rows = self.rows(hers)
        assert len(rows) == 6
        assert {row["known"].state for row in rows.values()} == {"static", "warm", "mature"}
        assert any("依存の更新" in title for title in rows)

    def test_questions_that_differ_by_a_number_are_one(self, hers: Client) -> None:
        tier = next(row for title, row in self.rows(hers).items() if "SPEC" in title)
        assert tier["leader"] == "Tier M"
        assert tier["known"].n >= 10

    def test_a_changed_mind_is_found(self, hers: Client) -> None:
        assert self.rows(hers)["この変更の PR はどう出しますか？"]["leader"] == "ドラフトで出す"

    def test_one_question_was_settled_and_says_why(self, hers: Client) -> None:
        settled = hers.get(reverse("choices-settled")).context["rows"]
        assert [each.question for each in settled] == ["Which model should write the tests?"]
        fates = set(Recommendation.objects.exclude(action="resolve").values_list("fate", flat=True))
        assert fates >= {"followed", "overridden"}

    def test_the_weekly_habit_shows_its_note(self, hers: Client) -> None:
        weekly = self.rows(hers)["依存の更新はどう進めますか？"]["point"]
        assert "13" in hers.get(reverse("point", args=[weekly.pk])).content.decode()
        assert hers.get(reverse("point", args=[weekly.pk])).context["pace"].most == 13

    def test_one_call_waits_to_be_understood(self, hers: Client) -> None:
        assert Quarantine.objects.get().reason == "answer_to_a_question_not_asked"
        assert len(hers.get(reverse("choices-quarantine")).context["rows"]) == 1

    def test_the_replay_has_enough_to_say_something(self, hers: Client) -> None:
        page = hers.get(reverse("choices-backtest"))
        assert not page.context["few"]

    def test_prompts_before_questions_propose_no_memories(self, hers: Client) -> None:
        sessions = {choice.session_id for choice in Choice.objects.all()}
        assert not Candidate.objects.filter(session__in=sessions).exists()

    def test_a_stranger_sees_nothing_of_it(self, hers: Client) -> None:
        stranger = signed_in(User.objects.get(username="stranger"))
        assert self.rows(stranger) == {}
        assert stranger.get(reverse("choices-settled")).context["rows"] == []
