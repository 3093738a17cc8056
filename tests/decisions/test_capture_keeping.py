"""Archive, resets that reach late events, and workspaces that are merged (design sections 2 and 5)."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from core.models import AgentKey, Namespace
from decisions.models import Choice, DecisionPoint, Wording
from decisions.services.archive import choices_archive
from decisions.services.capture import hook_capture
from decisions.services.rehousing import choices_rehouse
from decisions.services.resets import reset_all, reset_category, reset_point
from decisions.tasks import archive_choices
from tests import build
from tests.decisions.capture import post, question

pytestmark = pytest.mark.django_db
TIER = "Which tier?"


class Clicks:
    def __init__(self) -> None:
        self.number = 0

    def click(
        self, key: AgentKey, *, at: datetime | None = None, session: str = "s1", **kwargs: str
    ) -> Choice:
        self.number += 1
        text = kwargs.get("text", TIER)
        labels = ("Tier S", "Tier M") if text == TIER else ("Short", "Long")
        asked = question(text, labels, header="")
        payload = post({text: labels[1]}, asked, tool_use=f"toolu_{self.number}", session=session)
        captured = hook_capture(agent_key=key, payload=payload, now=timezone.now(), at=at)
        return Choice.objects.get(pk=captured.results[0].id)


@pytest.fixture
def clicks() -> Clicks:
    return Clicks()


def test_day_89_counts_and_day_90_is_archived(alice: User, key: AgentKey, clicks: Clicks) -> None:
    now = timezone.now()
    choice = clicks.click(key, at=now)
    last = now + timedelta(days=90) - timedelta(microseconds=1)
    assert choices_archive(now=last) == 0
    assert Choice.objects.counted(last).count() == 1
    due = now + timedelta(days=90)
    assert Choice.objects.counted(due).count() == 0  # even before the nightly run
    assert choices_archive(now=due) == 1
    assert choices_archive(now=due) == 0
    choice.refresh_from_db()
    assert choice.archived_at == due
    assert Choice.objects.visible_to(alice).observed().count() == 1


def test_the_nightly_task_archives_in_batches(key: AgentKey, clicks: Clicks) -> None:
    for _ in range(3):
        clicks.click(key)
    Choice.objects.update(at=timezone.now() - timedelta(days=100))
    assert choices_archive(now=timezone.now(), batch=2) == 3
    Choice.objects.update(archived_at=None)
    archive_choices()
    assert not Choice.objects.filter(archived_at=None).exists()


@pytest.mark.parametrize("reach", ["point", "category", "all"])
def test_a_choice_from_before_a_reset_that_arrives_late_is_out_too(
    alice: User, key: AgentKey, clicks: Clicks, reach: str
) -> None:
    first = clicks.click(key)
    assert first.point is not None
    now = timezone.now()
    if reach == "point":
        made = reset_point(user=alice, point_id=first.point.pk, now=now)
    elif reach == "category":
        made = reset_category(user=alice, category="tier", now=now)
    else:
        made = reset_all(user=alice, now=now)
    late = clicks.click(key, at=now - timedelta(hours=1))
    other = clicks.click(key, at=now - timedelta(hours=1), text="How shall we name it?")
    fresh = clicks.click(key)
    assert (late.reset, fresh.reset) == (made.preference, None)
    assert other.reset == (made.preference if reach == "all" else None)


def test_another_persons_reset_reaches_nobody_else(alice: User, key: AgentKey, clicks: Clicks) -> None:
    reset_all(user=build.person("bob"), now=timezone.now())
    assert clicks.click(key, at=timezone.now() - timedelta(hours=1)).reset is None


class TestMergedWorkspaces:
    @pytest.fixture
    def two(self, alice: User, key: AgentKey, clicks: Clicks) -> tuple[Namespace, Namespace]:
        """Both know the tier question; only the first one knows the other question."""
        for name in ("api", "api-old"):
            build.session(key, f"in-{name}", workspace=name)
            clicks.click(key, session=f"in-{name}")
        clicks.click(key, session="in-api-old", text="How shall we name it?")
        found = Namespace.objects.visible_to(alice)
        return found.get(name="api-old"), found.get(name="api")

    def test_equal_questions_become_one_point_and_the_rest_comes_along(
        self, alice: User, two: tuple[Namespace, Namespace]
    ) -> None:
        source, target = two
        choices_rehouse(source=source, target=target)
        live = DecisionPoint.objects.visible_to(alice).live()
        assert {(p.question, p.workspace, p.choices.count()) for p in live} == {
            ("Which tier?", target, 2),
            ("How shall we name it?", target, 1),
        }
        assert Wording.objects.filter(workspace=source).count() == 0
        assert Wording.objects.visible_to(alice).count() == 2

    def test_persons_stay_apart(self, alice: User, two: tuple[Namespace, Namespace], clicks: Clicks) -> None:
        bob = build.person("bob")
        key = build.key(bob).key
        build.session(key, "bobs", workspace="mine")
        clicks.click(key, session="bobs")
        choices_rehouse(source=two[0], target=two[1])
        assert Choice.objects.visible_to(bob).get().point in DecisionPoint.objects.visible_to(bob)
        assert Choice.objects.visible_to(alice).count() == 3
