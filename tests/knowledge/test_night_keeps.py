"""Nothing is lost: whatever nights propose and people decide, every approved text is recallable or linked."""

from __future__ import annotations

import random
from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from core.errors import Conflict
from core.models import Namespace
from knowledge.models import ConsolidationRun, Proposal
from knowledge.services.night.undo import night_undo
from knowledge.services.proposals import proposal_accept, proposal_refuse, proposal_undo
from memory.models import Memory, MemoryTerm
from tests import build
from tests.knowledge.nights import DAWN, days, night, said

pytestmark = pytest.mark.django_db

# Repeats, corrections, near misses, what has had its time: every stage finds something in these.
TEXTS = (
    "Use ripgrep for searching the code.",
    "For searching code, use ripgrep.",
    "Search the code with ripgrep.",
    "The session cookie expires after 12 hours.",
    "The session cookie expires after 8 hours now.",
    "The session cookie expires after 4 hours now, no longer 8.",
    "Functions should be no longer than 40 lines.",
    "Keep functions under 40 lines.",
    "The limit for functions was raised: at most 60 lines from now on.",
    "関数は40行以内に収める。",
    "関数は40行以下にする。",
    "CI runs on Jenkins.",
    "We moved CI from Jenkins to Buildkite.",
    "Deploys are frozen until 2026-01-10.",
    "Merged PR #123.",
    "Secrets are kept in Vault.",
)
_acts = st.lists(
    st.sampled_from(["say", "night", "accept", "refuse", "undo", "undo night", "wait"]),
    min_size=4,
    max_size=14,
)


def check(home: Namespace, approved: set[str]) -> None:
    """Every text that was ever approved is active and indexed, or leads to an active one, or a person retired it."""
    by_pk = {row.pk: row for row in Memory.objects.filter(namespace=home)}
    indexed = set(MemoryTerm.objects.filter(namespace=home).values_list("memory_id", flat=True))
    assert indexed == {pk for pk, row in by_pk.items() if row.status == "active"}
    assert {row.content for row in by_pk.values()} == approved  # no text was overwritten, none deleted
    retired = {
        ref
        for payload in Proposal.objects.filter(namespace=home, kind="retire", state="accepted").values_list(
            "payload", flat=True
        )
        for ref in [payload["memory"]["id"]]
    }
    for row in by_pk.values():
        seen = set()
        while row.status == "superseded" and row.superseded_by_id is not None:
            assert row.pk not in seen, "a circle of successors"
            seen.add(row.pk)
            row = by_pk[row.superseded_by_id]
        assert row.status == "active" or str(row.pk) in retired, row.content
    for proposal in Proposal.objects.filter(namespace=home, state="open"):
        assert proposal.batch is not None


class Week:
    """A namespace, its clock, and somebody who does things at random."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.alice: User = build.person(f"alice{seed}")
        self.home = build.workspace(self.alice)
        self.now: datetime = DAWN
        self.approved: set[str] = set()

    def do(self, act: str) -> None:
        self.now += days(0.3)
        if act == "say":
            fresh = [text for text in TEXTS if text not in self.approved]
            chosen = self.draw.sample(fresh, min(len(fresh), self.draw.randint(1, 6)))
            said(self.home, self.alice, *chosen, at=self.now, now=self.now)
            self.approved.update(chosen)
        elif act == "night":
            assert night(self.home, self.now).state == "done"
        elif act == "wait":
            self.now += days(100)
        elif act == "undo night":
            runs = ConsolidationRun.objects.filter(namespace=self.home, state="done", proposed__gt=0)
            if run := self.draw.choice([*runs.order_by("pk"), None]):
                night_undo(run_id=run.pk, user=self.alice, now=self.now)
        else:
            self.decide(act)

    def decide(self, act: str) -> None:
        states = ["accepted", "refused"] if act == "undo" else ["open"]
        rows = list(Proposal.objects.filter(namespace=self.home, state__in=states).order_by("pk"))
        for proposal in self.draw.sample(rows, self.draw.randint(0, len(rows))):
            services: dict[str, Any] = {
                "accept": proposal_accept,
                "refuse": proposal_refuse,
                "undo": proposal_undo,
            }
            proposal.refresh_from_db()
            try:
                services[act](
                    proposal_id=proposal.pk, version=proposal.version, user=self.alice, now=self.now
                )
            except Conflict:
                continue  # something else was decided meanwhile; nothing may have changed


class TestNothingIsLost(TestCase):
    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(_acts, st.integers(0, 10_000))
    def test_every_approved_text_is_recallable_or_linked_from_what_replaced_it(
        self, acts: list[str], seed: int
    ) -> None:
        week = Week(seed)
        week.do("say")
        for act in acts:
            week.do(act)
            check(week.home, week.approved)
        week.do("night")
        check(week.home, week.approved)
        before = Proposal.objects.filter(namespace=week.home).count()
        week.do("night")
        assert Proposal.objects.filter(namespace=week.home).count() == before
