"""Several workers and people at once: one of them does the night, and nothing is filed twice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from core.models import Namespace
from knowledge.models import ConsolidationRun
from knowledge.services.night.lease import night_open
from knowledge.services.night.run import night_run
from knowledge.services.night.undo import night_undo
from memory.models import Memory
from tests import build
from tests.knowledge.nights import CORE, DAWN, days, night, said, waiting

pytestmark = pytest.mark.django_db(transaction=True)
TWINS = ("Use ripgrep for searching the code.", "For searching code, use ripgrep.")
AT_ONCE = 4


def together(act: Any) -> list[str]:
    """What each of several threads got; a refusal by its code."""
    start = Barrier(AT_ONCE)

    def one(_: int) -> str:
        start.wait()
        try:
            return str(act())
        except Exception as error:
            return str(getattr(error, "code", repr(error)))
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return sorted(pool.map(one, range(AT_ONCE)))


@pytest.fixture
def home(alice: User) -> Namespace:
    home = build.workspace(alice)
    said(home, alice, *TWINS)
    return home


def test_one_of_several_workers_does_the_night(home: Namespace) -> None:
    run = night_open(namespace=home, now=DAWN + days(1))
    answers = together(lambda: night_run(run_id=run.pk, now=DAWN + days(1), stages=CORE))
    assert answers == ["busy"] * (AT_ONCE - 1) + ["done"]
    assert len(waiting(home)) == 1


def test_several_who_open_a_night_get_the_same(home: Namespace) -> None:
    answers = together(lambda: night_open(namespace=home, now=DAWN).pk)
    assert len(set(answers)) == 1
    assert ConsolidationRun.objects.filter(namespace=home).count() == 1


def test_a_night_is_undone_by_one_of_several(home: Namespace, alice: User) -> None:
    run = night(home, DAWN + days(1))
    answers = together(lambda: night_undo(run_id=run.pk, user=alice, now=DAWN + days(2)).withdrawn)
    assert answers == ["1", *["not_undoable"] * (AT_ONCE - 1)]
    assert Memory.objects.active().filter(namespace=home).count() == 2
