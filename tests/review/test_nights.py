"""The night shift's pages: what it did, a night now, and the undo of one."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from core.models import Namespace
from core.services.namespaces import namespace_pause
from knowledge.models import ConsolidationRun
from knowledge.services.night.lease import night_open
from knowledge.services.proposals import proposal_accept
from memory.models import Memory
from memory.services.memories import memory_edit
from tests import build
from tests.knowledge.nights import DAWN, days, night, said, waiting
from tests.review.scene import share, signed_in

pytestmark = pytest.mark.django_db
TWINS = ("Use ripgrep for searching the code.", "For searching code, use ripgrep.")
OLD = "The session cookie expires after 12 hours."
NEW = "The session cookie expires after 8 hours now."


@pytest.fixture
def home(alice: User) -> Namespace:
    return build.workspace(alice)


@pytest.fixture
def client(alice: User) -> Client:
    return signed_in(alice)


@pytest.fixture
def run(home: Namespace, alice: User) -> ConsolidationRun:
    said(home, alice, *TWINS, OLD, at=DAWN - days(9))
    said(home, alice, NEW)
    return night(home, DAWN + days(1))


def text(client: Client, name: str, *args: object) -> str:
    return client.get(reverse(name, args=args)).content.decode()


def test_before_the_first_night_the_page_says_when_it_comes(client: Client, home: Namespace) -> None:
    page = text(client, "nights")
    assert "no night yet" in page
    assert "None yet." in page
    assert "Look now: workspace:api" in page


def test_a_night_is_listed_and_reported(client: Client, run: ConsolidationRun) -> None:
    assert "2 proposals" in text(client, "nights")
    page = text(client, "night", run.pk)
    assert "Duplicates and corrections" in page
    assert "says that this has changed" in page
    assert "everything: it was the first night" in page
    assert "not used" in page
    assert "Undo the whole night" in page


def test_look_now_opens_a_night_and_shows_it(client: Client, home: Namespace) -> None:
    answer = client.post(reverse("namespace-night", args=[home.pk]), follow=True)
    page = answer.content.decode()
    assert "on its way" in page
    assert "It waits for a worker." in page
    assert "asked for by alice" in page
    assert ConsolidationRun.objects.get(namespace=home).state == "waiting"


def test_undo_takes_the_night_back_and_says_what_stays(
    client: Client, run: ConsolidationRun, alice: User, home: Namespace
) -> None:
    supersede = next(each for each in waiting(home) if each.kind == "supersede")
    proposal_accept(proposal_id=supersede.pk, version=1, user=alice, now=DAWN + days(1))
    newer = Memory.objects.get(content=NEW)
    memory_edit(
        memory_id=newer.pk,
        version=1,
        user=alice,
        content="Cookies last 8 hours.",
        kind="fact",
        now=DAWN + days(2),
    )
    page = client.post(reverse("night-undo", args=[run.pk]), follow=True).content.decode()
    assert "1 proposal was taken back. 1 stays, because something touched it since." in page
    assert "Undone by alice." in page
    assert "Undo the whole night" not in page
    assert client.post(reverse("night-undo", args=[run.pk])).status_code == 409


def test_readers_see_numbers_and_no_texts(run: ConsolidationRun, home: Namespace, alice: User) -> None:
    reader = build.person("rita")
    share(home, alice, reader, "reader")
    page = text(signed_in(reader), "night", run.pk)
    assert "Duplicates and corrections" in page
    assert "What it proposed" not in page
    assert "Undo the whole night" not in page
    assert "Look now: workspace" not in text(signed_in(reader), "nights")


def test_a_stranger_sees_neither_night_nor_namespace(run: ConsolidationRun, home: Namespace) -> None:
    stranger = signed_in(build.person("sam"))
    assert run.pk.hex not in text(stranger, "nights").replace("-", "")
    assert "workspace:api" not in text(stranger, "nights")
    assert stranger.get(reverse("night", args=[run.pk])).status_code == 404
    assert stranger.post(reverse("night-undo", args=[run.pk])).status_code == 404
    assert len(waiting(home)) == 2


def test_a_failed_night_shows_its_error_and_a_paused_namespace_offers_none(
    client: Client, home: Namespace, alice: User
) -> None:
    run = night_open(namespace=home, now=DAWN)
    ConsolidationRun.objects.filter(pk=run.pk).update(
        state="failed", error="TimeoutError: model", ended_at=DAWN
    )
    page = text(client, "night", run.pk)
    assert "It gave up after several attempts." in page
    assert "TimeoutError: model" in page
    namespace_pause(namespace=home, user=alice, paused=True, now=DAWN)
    assert "Look now: workspace:api" not in text(client, "nights")


def test_nights_are_paged(client: Client, home: Namespace, alice: User) -> None:
    for number in range(27):
        run = night_open(namespace=home, now=DAWN + days(number))
        ConsolidationRun.objects.filter(pk=run.pk).update(state="done", proposed=1)
    first = client.get(reverse("nights"))
    assert first.content.decode().count("1 proposal<") >= 25
    second = client.get(reverse("nights"), {"after": first.context["next"]}).content.decode()
    assert second.count("1 proposal<") == 2
    assert "First page" in second
