"""History: who decided what, when, together with what else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from core.models import Namespace
from memory.models import Candidate
from memory.services import archive
from memory.services.policy import policy_run, policy_set
from review.selectors.history import Group, HistoryFilter, decided, grouped
from review.services import acts
from tests import build
from tests.memory.seen import seen
from tests.review.scene import propose, share

pytestmark = pytest.mark.django_db


def history(user: object, **wanted: str) -> list[Group]:
    found = decided(user=user, wanted=HistoryFilter(**wanted), after=None)  # type: ignore[arg-type]
    return grouped(user=user, rows=found.rows)  # type: ignore[arg-type]


def refs(*rows: Candidate) -> list[acts.ItemRef]:
    return [acts.ItemRef(row.pk, row.version) for row in rows]


@pytest.fixture
def api() -> Namespace:
    return build.workspace(build.person("alice"))


def test_shows_who_decided_and_what_went_together(api: Namespace) -> None:
    alice, now = api.owner, timezone.now()
    old = propose(api, "The lift is slow.", kind="fact", days_ago=31)
    archive.archive_due(now=now - timedelta(minutes=9))
    laptop = build.key(alice).key
    auto = seen(laptop, api, "The office has a cat.", at=now - timedelta(days=3), kind="fact")
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
    policy_run(now=now - timedelta(minutes=5))
    bulk = [propose(api, text, kind="fact") for text in ("Logs go to Loki.", "CI runs on Buildkite.")]
    act = acts.act_approve(user=alice, items=refs(*bulk), now=now - timedelta(minutes=3)).act
    alone = propose(api, "Backups go to Ceph.", kind="fact")
    acts.act_reject(user=alice, items=refs(alone), now=now)

    groups = history(alice)
    assert [(g.actor, {row.pk for row in g.rows}) for g in groups] == [
        ("person", {alone.pk}),
        ("person", {row.pk for row in bulk}),
        ("policy", {auto.pk}),
        ("system", {old.pk}),
    ]
    assert (groups[1].by, groups[1].act, groups[1].total) == ("alice", act, 2)
    assert [len(history(alice, by=by)) for by in ("me", "policy", "clock")] == [2, 1, 1]
    assert [g.rows[0].pk for g in history(alice, by="policy")] == [auto.pk]


def test_offers_undo_of_ones_own_acts_alone_and_nothing_to_strangers(api: Namespace) -> None:
    bob = build.person("bob")
    share(api, api.owner, bob, "reviewer")
    row = propose(api, "Logs go to Loki.", kind="fact")
    acts.act_reject(user=bob, items=refs(row), now=timezone.now())
    (group,) = history(api.owner)
    assert (group.by, group.act) == ("bob", None)
    assert history(build.person("charlie")) == []
