"""Who gets a night: every namespace with something in it, once; owners may ask for one now."""

from __future__ import annotations

from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from core.errors import Forbidden, NotFound, Paused
from core.models import AuditEvent, Namespace
from core.services.namespaces import namespace_pause
from knowledge.models import ConsolidationRun
from knowledge.services.night.due import KEEP_EMPTY, night_now, nights_due, nights_open
from knowledge.services.night.lease import LEASE, claim, night_open
from knowledge.tasks import consolidate
from knowledge.tasks import nights_due as nights_due_task
from knowledge.tasks import nights_open as nights_open_task
from review.services.account import account_delete
from review.services.workspaces import namespace_merge
from tests import build
from tests.knowledge.nights import DAWN, days, night, said, waiting
from tests.review.scene import share

pytestmark = pytest.mark.django_db
TWINS = ("Use ripgrep for searching the code.", "For searching code, use ripgrep.")


@pytest.fixture
def home(alice: User) -> Namespace:
    return build.workspace(alice)


def test_empty_and_paused_namespaces_have_no_night(home: Namespace, alice: User) -> None:
    paused = build.workspace(alice, "paused")
    said(paused, alice, *TWINS)
    namespace_pause(namespace=paused, user=alice, paused=True, now=DAWN)
    assert nights_open(now=DAWN) == 0
    said(home, alice, *TWINS)
    assert nights_open(now=DAWN) == 1
    assert nights_open(now=DAWN + days(1)) == 1  # the one that waits still waits
    assert ConsolidationRun.objects.filter(namespace=home).count() == 1


def test_a_night_left_behind_by_a_dead_worker_is_due_again(home: Namespace) -> None:
    run = night_open(namespace=home, now=DAWN)
    assert claim(run_id=run.pk, now=DAWN) is not None
    assert nights_due(now=DAWN + LEASE / 2) == []
    assert nights_due(now=DAWN + LEASE * 2) == [run.pk]


def test_an_owner_asks_for_a_night_now(home: Namespace, alice: User) -> None:
    run = night_now(namespace_id=home.pk, user=alice, now=DAWN)
    assert run.asked_by == alice
    assert AuditEvent.objects.filter(verb="night.asked", object_id=str(run.pk)).exists()
    reviewer, stranger = build.person("rob"), build.person("sam")
    share(home, alice, reviewer, "reviewer")
    with pytest.raises(Forbidden):
        night_now(namespace_id=home.pk, user=reviewer, now=DAWN)
    with pytest.raises(NotFound):
        night_now(namespace_id=home.pk, user=stranger, now=DAWN)
    namespace_pause(namespace=home, user=alice, paused=True, now=DAWN)
    with pytest.raises(Paused):
        night_now(namespace_id=home.pk, user=alice, now=DAWN)


def test_the_tasks_do_a_whole_night(home: Namespace, alice: User) -> None:
    said(home, alice, *TWINS)
    nights_open_task()
    nights_due_task()
    [run] = ConsolidationRun.objects.filter(namespace=home)
    consolidate(str(run.pk))
    run.refresh_from_db()
    assert run.state == "done"
    assert [each.kind for each in waiting(home)][:1] == ["merge"]


def test_the_command_does_a_night_here_and_tells_what_it_did(home: Namespace, alice: User) -> None:
    said(home, alice, *TWINS)
    out = StringIO()
    call_command("consolidate", namespace="workspace:api", user="alice", stdout=out)
    assert "workspace:api of alice: done" in out.getvalue()
    out = StringIO()
    call_command("consolidate", stdout=out)
    assert "workspace:api of alice: done" in out.getvalue()
    for options in ({"namespace": "workspace:api"}, {"namespace": "workspace:none", "user": "alice"}):
        with pytest.raises(CommandError):
            call_command("consolidate", **options)


def test_empty_nights_are_forgotten_after_a_month_but_for_the_latest(home: Namespace, alice: User) -> None:
    said(home, alice, TWINS[0])
    for day in range(3):
        night(home, DAWN + days(day))
    said(home, alice, TWINS[1], now=DAWN + days(3))
    assert night(home, DAWN + days(3)).proposed == 1
    nights_open(now=DAWN + days(40) + KEEP_EMPTY)
    left = ConsolidationRun.objects.filter(namespace=home)
    assert sorted(left.values_list("state", "proposed")) == [("done", 1), ("waiting", 0)]


def test_merged_workspaces_are_looked_at_as_a_whole(home: Namespace, alice: User) -> None:
    other = build.workspace(alice, "other")
    said(home, alice, TWINS[0])
    said(other, alice, TWINS[1])
    night(home, DAWN)
    night(other, DAWN)
    live = night_open(namespace=other, now=DAWN)
    namespace_merge(source_id=other.pk, target_id=home.pk, user=alice, typed_name="other", now=DAWN + days(1))
    live.refresh_from_db()
    assert (live.state, live.namespace) == ("failed", home)
    assert night(home, DAWN + days(2)).proposed == 1


def test_nights_go_with_the_account(home: Namespace, alice: User) -> None:
    said(home, alice, *TWINS)
    night(home, DAWN)
    account_delete(user=alice, typed_name="alice", now=DAWN + days(1))
    assert not ConsolidationRun.objects.exists()
