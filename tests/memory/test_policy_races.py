"""The policy and people at the same moment: one of them decides, and nothing is decided twice."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connections
from django.utils import timezone

from core.errors import DomainError
from core.models import AuditEvent
from core.services import audit
from memory.models import Candidate, Memory, ReviewPolicy
from memory.services import gate
from memory.services.policy import policy_run, policy_set
from tests import build
from tests.memory.seen import seen

pytestmark = pytest.mark.django_db(transaction=True)
TEXTS = ["Logs go to Loki.", "CI runs on Buildkite.", "The office has a cat.", "Backups go to Ceph."]


def together(*acts: Callable[[], object]) -> list[BaseException]:
    """Run all at once; returns what went wrong apart from refusals."""
    ready, failed = threading.Barrier(len(acts)), list[BaseException]()

    def run(act: Callable[[], object]) -> None:
        try:
            ready.wait()
            act()
        except DomainError:
            pass  # somebody else was faster
        except BaseException as error:
            failed.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return failed


def test_two_runs_a_reviewer_and_a_switch_decide_each_candidate_once() -> None:
    alice = build.person("alice")
    api, laptop, now = build.workspace(alice), build.key(alice).key, timezone.now()
    rows = [seen(laptop, api, text, at=now - timedelta(days=2), kind="fact") for text in TEXTS]
    rule = {"min_sessions": 3, "min_confidence": 0.9, "min_age_hours": 24, "kinds": ["fact"], "now": now}

    def switch(on: bool) -> None:
        policy_set(namespace=api, user=alice, enabled=on, typed_name="api", **rule)  # type: ignore[arg-type]

    def reject() -> None:
        for row in rows:
            gate.candidate_reject(candidate_id=row.pk, version=row.version, user=alice, now=now)

    switch(True)
    runs = [lambda: policy_run(now=now)] * 2
    assert together(*runs, reject, lambda: switch(False)) == []
    approved = Candidate.objects.filter(status="approved").count()
    assert Memory.objects.active().count() == approved
    verbs = ["candidate.approved", "candidate.rejected"]
    decided = AuditEvent.objects.filter(verb__in=verbs).values_list("object_id", flat=True)
    assert len(decided) == len(set(decided))
    assert not ReviewPolicy.objects.get().enabled
    assert policy_run(now=now) == 0
    assert audit.verify() == []


def test_undoing_while_it_runs_neither_hangs_nor_lets_it_go_on() -> None:
    alice = build.person("alice")
    api, laptop, now = build.workspace(alice), build.key(alice).key, timezone.now()
    for text in TEXTS[:3]:
        seen(laptop, api, text, at=now - timedelta(days=2), kind="fact")
    policy_set(
        namespace=api,
        user=alice,
        enabled=True,
        min_sessions=3,
        min_confidence=0.9,
        min_age_hours=24,
        kinds=["fact"],
        typed_name="api",
        now=now,
    )
    policy_run(now=now)
    rows = list(Candidate.objects.filter(status="approved"))
    seen(laptop, api, TEXTS[3], at=now - timedelta(days=2), kind="fact")

    def undo(row: Candidate) -> Callable[[], object]:
        return lambda: gate.candidate_undo(candidate_id=row.pk, version=row.version, user=alice, now=now)

    def loosen() -> object:
        return policy_set(
            namespace=api,
            user=alice,
            enabled=True,
            min_sessions=2,
            min_confidence=0.9,
            min_age_hours=24,
            kinds=["fact"],
            typed_name="api",
            now=now,
        )

    assert together(*(undo(row) for row in rows), lambda: policy_run(now=now), loosen) == []
    switched_off = AuditEvent.objects.get(verb="policy.disabled")
    assert switched_off.data["because"] == "undone"
    assert audit.verify() == []
    assert Memory.objects.active().count() <= 1  # the fourth, if it came in before the third undo
    assert Candidate.objects.filter(pk__in=[row.pk for row in rows], status="pending").count() == 3
