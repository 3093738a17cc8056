"""Deliveries and people at the same moment: each choice once, and where its question is."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from core.models import AgentKey
from decisions.inputs import RecordIn
from decisions.learning.types import OptionIn
from decisions.models import Choice, DecisionPoint, Quarantine, Wording
from decisions.services.capture import hook_capture, record_capture
from decisions.services.merging import point_merge
from tests.decisions.capture import post, question

pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = 5


def together(*works: Callable[[], Any]) -> list[Any]:
    barrier = Barrier(len(works))

    def run(work: Callable[[], Any]) -> Any:
        try:
            barrier.wait()
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(run, works))


def send(key: AgentKey, number: int, session: str = "s1") -> Any:
    payload = post({"Which tier?": "Tier M"}, tool_use=f"toolu_{number}", session=session)
    return hook_capture(agent_key=key, payload=payload, now=timezone.now())


def test_one_payload_from_many_deliveries_is_one_choice(key: AgentKey) -> None:
    done = together(*[lambda: send(key, 1)] * AT_ONCE)
    assert Choice.objects.count() == 1
    assert sum(each.new for each in done) == 1
    assert len({each.results[0].id for each in done}) == 1


def test_one_record_without_a_session_is_one_choice(key: AgentKey) -> None:
    record = RecordIn(
        decision_id="d1",
        at=timezone.now() - timedelta(hours=1),
        question="Which tier?",
        options=(OptionIn("Tier S"), OptionIn("Tier M")),
        answer="Tier M",
    )
    together(*[lambda: record_capture(agent_key=key, record=record, now=timezone.now())] * AT_ONCE)
    assert Choice.objects.count() == 1


def test_one_odd_payload_waits_once(key: AgentKey) -> None:
    odd = post({"Which tier?": 5})
    together(*[lambda: hook_capture(agent_key=key, payload=odd, now=timezone.now())] * AT_ONCE)
    assert Quarantine.objects.count() == 1


def test_a_new_question_in_many_sessions_is_one_point(key: AgentKey) -> None:
    together(*[lambda n=n: send(key, n, session=f"s{n}") for n in range(AT_ONCE)])
    assert (DecisionPoint.objects.count(), Wording.objects.count(), Choice.objects.count()) == (1, 1, AT_ONCE)


def test_what_comes_in_during_a_merge_moves_along(key: AgentKey) -> None:
    send(key, 0)
    asked = question("How big is it?", ("Small", "Big"))
    hook_capture(
        agent_key=key,
        payload=post({"How big is it?": "Big"}, asked, tool_use="big", session="s1"),
        now=timezone.now(),
    )
    source = DecisionPoint.objects.get(question="Which tier?")
    target = DecisionPoint.objects.get(question="How big is it?")

    def merge() -> None:
        point_merge(
            source_id=source.pk,
            target_id=target.pk,
            version=source.version,
            user=key.user,
            now=timezone.now(),
        )

    together(merge, *[lambda n=n: send(key, n, session=f"s{n}") for n in range(1, AT_ONCE)])
    assert Choice.objects.filter(point=target).count() == AT_ONCE + 1
    assert Choice.objects.filter(point=source).count() == 0
