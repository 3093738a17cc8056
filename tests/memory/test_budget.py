"""The daily token budget is hard, also when many workers ask at once (lessons row 7)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier

import pytest
from django.db import connection
from pytest_django import Settings

from core.models import Namespace
from memory.models import TokenMeter
from memory.services.budget import budget_reserve, budget_settle
from tests import build

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)


def meter(namespace: Namespace) -> TokenMeter:
    return TokenMeter.objects.get(namespace=namespace, day=NOW.date())


@pytest.fixture
def api() -> Namespace:
    return build.workspace(build.person(), "api")


@pytest.fixture
def _thousand(settings: Settings) -> None:
    settings.LLM_DAILY_TOKENS = 1_000


@pytest.mark.django_db
@pytest.mark.usefixtures("_thousand")
class TestOneWorker:
    def test_the_last_token_may_be_spent_and_no_more(self, api: Namespace) -> None:
        assert budget_reserve(namespace=api, tokens=600, now=NOW)
        assert budget_reserve(namespace=api, tokens=400, now=NOW)
        assert not budget_reserve(namespace=api, tokens=1, now=NOW)
        assert (meter(api).tokens, meter(api).calls, meter(api).refused) == (1_000, 2, 1)

    def test_more_than_a_whole_day_is_refused(self, api: Namespace) -> None:
        assert not budget_reserve(namespace=api, tokens=1_001, now=NOW)
        assert meter(api).tokens == 0

    def test_what_was_not_used_is_given_back(self, api: Namespace) -> None:
        budget_reserve(namespace=api, tokens=900, now=NOW)
        budget_settle(namespace=api, reserved=900, used=100, now=NOW)
        assert meter(api).tokens == 100
        assert budget_reserve(namespace=api, tokens=900, now=NOW)

    def test_what_was_used_beyond_the_reservation_counts(self, api: Namespace) -> None:
        budget_reserve(namespace=api, tokens=900, now=NOW)
        budget_settle(namespace=api, reserved=900, used=1_200, now=NOW)
        assert meter(api).tokens == 1_200
        assert not budget_reserve(namespace=api, tokens=1, now=NOW)

    def test_a_new_day_and_another_namespace_have_budgets_of_their_own(self, api: Namespace) -> None:
        assert budget_reserve(namespace=api, tokens=1_000, now=NOW)
        assert not budget_reserve(namespace=api, tokens=1, now=NOW + timedelta(hours=11, minutes=59))
        assert budget_reserve(namespace=api, tokens=1, now=NOW + timedelta(hours=12))
        other = build.workspace(build.person("mallory"), "api")
        assert budget_reserve(namespace=other, tokens=1_000, now=NOW)

    def test_a_call_over_midnight_is_settled_on_the_day_it_began(self, api: Namespace) -> None:
        late = NOW + timedelta(hours=11, minutes=59)
        budget_reserve(namespace=api, tokens=500, now=late)
        budget_settle(namespace=api, reserved=500, used=200, now=late)
        assert meter(api).tokens == 200
        assert TokenMeter.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_thousand")
def test_eight_workers_together_do_not_pass_the_cap(api: Namespace) -> None:
    barrier = Barrier(8)

    def work(number: int) -> int:
        try:
            barrier.wait()
            return sum(budget_reserve(namespace=api, tokens=90, now=NOW) for _attempt in range(4))
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        granted = sum(pool.map(work, range(8)))
    assert granted == 11
    assert (meter(api).tokens, meter(api).calls, meter(api).refused) == (990, 11, 21)
