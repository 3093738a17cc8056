"""Nothing is lost: whatever nights propose and people decide, every approved text is recallable or linked."""

from __future__ import annotations

import random
from collections import Counter
from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from hypothesis import HealthCheck, example, given, settings, target
from hypothesis import strategies as st

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
    st.sampled_from(["say", "night", "accept", "accept all", "refuse", "undo", "undo night", "wait"]),
    min_size=4,
    max_size=14,
)
# Everything is said, decided and undone: whatever the draws do, each of these has happened.
_WHOLE = [
    "say all",
    "night",
    "accept all",
    "wait",
    "night",
    "accept all",
    "undo all",
    "accept all",
    "undo night",
]


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
        self.happened: Counter[str] = Counter()

    def do(self, act: str) -> None:
        self.now += days(0.3)
        if act in ("say", "say all"):
            fresh = [text for text in TEXTS if text not in self.approved]
            chosen = self.draw.sample(fresh, min(len(fresh), self.draw.randint(1, 6)))
            if (
                act == "say all"
            ):  # on as many days as there are texts: a correction comes after what it corrects
                for text in fresh:
                    self.now += days(1)
                    said(self.home, self.alice, text, at=self.now, now=self.now)
                self.approved.update(fresh)
                return
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
                self.happened["undo night"] += 1
        else:
            self.decide(act)

    def decide(self, act: str) -> None:
        act, _, whole = act.partition(" ")
        states = ["accepted", "refused"] if act == "undo" else ["open"]
        rows = list(Proposal.objects.filter(namespace=self.home, state__in=states).order_by("pk"))
        for proposal in self.draw.sample(rows, len(rows) if whole else self.draw.randint(0, len(rows))):
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
            self.happened[f"{act} {proposal.kind}"] += 1


def test_every_approved_text_is_recallable_or_linked_from_what_replaced_it() -> None:
    happened: Counter[str] = Counter()

    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(_acts, st.integers(0, 10_000))
    @example(_WHOLE, 3)
    @example([*_WHOLE, "undo night"], 4)
    def run(acts: list[str], seed: int) -> None:
        with transaction.atomic():
            happened.update(lived(acts, seed))
            transaction.set_rollback(True)

    run()
    # It must not pass by doing nothing.
    did = ("accept merge", "accept supersede", "accept retire", "undo merge", "undo supersede", "undo retire")
    assert not [each for each in (*did, "undo night") if not happened[each]], happened


def lived(acts: list[str], seed: int) -> Counter[str]:
    """Does them all and checks after each that nothing is lost; what was done."""
    week = Week(seed)
    week.do("say")
    for act in acts:
        week.do(act)
        check(week.home, week.approved)
    target(float(sum(week.happened.values())))
    week.do("night")
    check(week.home, week.approved)
    before = Proposal.objects.filter(namespace=week.home).count()
    week.do("night")
    assert Proposal.objects.filter(namespace=week.home).count() == before
    return week.happened
