"""What the night would let go, what protects, and how much may wait for a person."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from core.models import AgentKey, Namespace
from knowledge.models import Proposal
from knowledge.services.night.lease import night_open
from knowledge.services.proposals import proposal_accept, proposal_refuse
from memory.models import Memory
from memory.services.memories import memory_retire
from tests import build
from tests.knowledge.nights import DAWN, days, night, said, shown, waiting

pytestmark = pytest.mark.django_db
LATER = DAWN + days(100)


@pytest.fixture
def home(alice: User) -> Namespace:
    return build.workspace(alice)


def retiring(home: Namespace) -> dict[str, str]:
    """Text and category of what waits to be retired."""
    texts = {str(row.pk): row.content for row in Memory.objects.filter(namespace=home)}
    return {
        texts[each.payload["memory"]["id"]]: each.payload["category"]
        for each in waiting(home)
        if each.kind == "retire"
    }


def test_the_category_is_named_and_accepting_makes_it_outdated(home: Namespace, alice: User) -> None:
    said(home, alice, "Deploys are frozen until 2026-02-10.", "Merged PR #123.", "Use ripgrep.")
    night(home, DAWN + days(1))
    assert retiring(home) == {
        "Deploys are frozen until 2026-02-10.": "outdated",
        "Merged PR #123.": "noisy",
    }
    for each in waiting(home):
        proposal_accept(proposal_id=each.pk, version=1, user=alice, now=DAWN + days(1))
    gone = Memory.objects.filter(namespace=home, status="superseded")
    assert set(gone.values_list("status_reason", flat=True)) == {"outdated"}


def test_unused_is_proposed_where_agents_work_and_only_there(
    home: Namespace, alice: User, key: AgentKey
) -> None:
    recalled, _idle = said(home, alice, "Use ripgrep.", "Logs go to Loki.")
    night(home, LATER)
    assert retiring(home) == {}  # nobody was here
    shown(recalled, key, at=LATER - days(5))
    night(home, LATER + days(1))
    assert retiring(home) == {"Logs go to Loki.": "unused"}
    [proposal] = waiting(home)
    assert "90" in proposal.reason


def test_an_agents_own_request_protects_for_thirty_days_and_recall_does_not(
    home: Namespace, alice: User, key: AgentKey
) -> None:
    asked, recalled = said(home, alice, "Merged PR #123.", "Merged PR #124.")
    shown(asked, key, path="get", at=DAWN)
    shown(recalled, key, at=DAWN)
    run = night(home, DAWN + days(29))
    assert retiring(home) == {"Merged PR #124.": "noisy"}
    assert run.skipped["protected"] == 1
    night(home, DAWN + days(31))
    assert set(retiring(home)) == {"Merged PR #123.", "Merged PR #124."}


def test_words_that_were_replaced_elsewhere_are_superseded(home: Namespace, alice: User) -> None:
    first, second = said(home, alice, "Logs go to Loki.", "Logs go to Loki!")
    assert first.normal_hash == second.normal_hash
    memory_retire(memory_id=first.pk, version=1, user=alice, reason="outdated", now=DAWN + days(1))
    night(home, DAWN + days(2))
    assert retiring(home) == {"Logs go to Loki!": "superseded"}


def test_at_most_twenty_retirements_wait(home: Namespace, alice: User) -> None:
    said(home, alice, *(f"Merged PR #{number}." for number in range(1, 26)))
    run = night(home, DAWN + days(1))
    assert (len(retiring(home)), run.skipped["enough"]) == (20, 5)
    assert night(home, DAWN + days(2)).proposed == 0
    refused = next(each for each in waiting(home) if each.kind == "retire")
    proposal_refuse(proposal_id=refused.pk, version=1, user=alice, now=DAWN + days(2))
    assert night(home, DAWN + days(3)).proposed == 1
    kept = Memory.objects.get(pk=refused.payload["memory"]["id"])
    assert kept.content not in retiring(home)  # a person has said that it stays


def test_so_many_pairs_wait_and_the_rest_comes_back_by_itself(
    home: Namespace, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("knowledge.services.night.compare.PAIRS_A_NIGHT", 1)
    said(home, alice, "Functions should be no longer than 40 lines.", "Keep functions under 40 lines.")
    said(home, alice, "Use ripgrep for searching the code.", "For searching code, use ripgrep.")
    run = night(home, DAWN + days(1))
    assert (run.proposed, run.skipped["enough"]) == (1, 1)
    assert night(home, DAWN + days(2)).proposed == 0
    [first] = waiting(home)
    proposal_accept(proposal_id=first.pk, version=1, user=alice, now=DAWN + days(2))
    assert night(home, DAWN + days(3)).proposed == 1
    assert night(home, DAWN + days(4)).carried == {}


def test_more_than_a_row_should_carry_leaves_the_mark_where_it_was(
    home: Namespace, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("knowledge.services.night.compare.PAIRS_A_NIGHT", 0)
    monkeypatch.setattr("knowledge.services.night.lease.MAX_CARRIED", 1)
    said(home, alice, "Use ripgrep for searching the code.", "For searching code, use ripgrep.")
    run = night(home, DAWN + days(1))
    assert (run.until_event, run.carried) == (run.since_event, {})
    monkeypatch.setattr("knowledge.services.night.compare.PAIRS_A_NIGHT", 9)
    assert night(home, DAWN + days(2)).proposed == 1


def test_a_night_that_waits_has_proposed_nothing(home: Namespace) -> None:
    run = night_open(namespace=home, now=DAWN)
    assert (run.state, run.proposed) == ("waiting", 0)
    assert not Proposal.objects.filter(batch=run.pk).exists()
