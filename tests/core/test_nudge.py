"""Nudges: sent after the commit, once a transaction, forgotten with what was rolled back."""

from __future__ import annotations

import pytest
from django.db import transaction

from core import nudge as nudging
from core.nudge import nudge

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    seen: list[tuple[object, ...]] = []
    monkeypatch.setattr(nudging, "send", lambda task, *args, queue=None: seen.append((task, *args, queue)))
    return seen


def test_the_same_is_sent_once_and_only_after_the_commit(sent: list[tuple[object, ...]]) -> None:
    with transaction.atomic():
        for _ in range(3):
            nudge("a", "1", queue="q")
        nudge("a", "2", queue="q")
        assert sent == []
    assert sent == [("a", "1", "q"), ("a", "2", "q")]


def test_what_was_rolled_back_does_not_stand_in_for_what_was_not(sent: list[tuple[object, ...]]) -> None:
    with transaction.atomic():
        with pytest.raises(ZeroDivisionError):
            _nudge_and_fail()
        nudge("a")
        with transaction.atomic():
            nudge("a")
    assert sent == [("a", None)]


def test_a_later_transaction_nudges_again(sent: list[tuple[object, ...]]) -> None:
    for _ in range(2):
        with transaction.atomic():
            nudge("a")
    nudge("a")
    assert sent == [("a", None)] * 3


def test_nothing_is_sent_for_a_transaction_that_failed(sent: list[tuple[object, ...]]) -> None:
    with pytest.raises(ZeroDivisionError):
        _nudge_and_fail()
    assert sent == []


@transaction.atomic
def _nudge_and_fail() -> None:
    nudge("a")
    raise ZeroDivisionError
