"""Split a workspace on its page: places that a person recognises, a preview that is true, and the way back."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.models import AgentKey, AuditEvent, Fingerprint, Namespace
from memory.models import Candidate, Memory
from tests import build
from tests.review.scene import propose, remembered, share, signed_in
from transcripts.models import AgentSession

pytestmark = pytest.mark.django_db

SHOP, SITE = ["r:aaaaaaaa1", "d:bbbbbbbb1"], ["d:cccccccc2"]


@pytest.fixture
def shop(alice: User, key: AgentKey) -> Namespace:
    """Two projects in one workspace: the shop's repository, and a folder of a site."""
    space = build.workspace(alice, "shop")
    build.session(key, "in shop", workspace="shop", fingerprints=SHOP)
    build.session(key, "in site", workspace="shop")
    build.session(key, "nowhere", workspace="shop")
    for value in SITE:  # as linking a place to this workspace leaves it
        Fingerprint.objects.create(namespace=space, owner=alice, value=value)
    AgentSession.objects.filter(key="in site").update(fingerprints=SITE)
    return space


def ids(*values: str) -> list[str]:
    return [str(pk) for pk in Fingerprint.objects.filter(value__in=values).values_list("pk", flat=True)]


def send(
    client: Client, shop: Namespace, do: str, *values: str, name: str = "site", follow: bool = False
) -> HttpResponse:
    form = {"do": do, "name": name, "fingerprints": ids(*values)}
    return client.post(reverse("namespace-split", args=[shop.pk]), form, follow=follow)  # type: ignore[return-value]


def learned(alice: User, key: AgentKey, shop: Namespace) -> Memory:
    """One memory and one candidate from the site alone, one candidate from the shop."""
    site = build.turn(key, "The site uses Astro. Pages are in Japanese.", session="in site")
    here = build.turn(key, "Orders go to Loki.", session="in shop")
    propose(shop, "Pages are in Japanese.", turn=site, quote="Pages are in Japanese.", kind="fact")
    propose(shop, "Orders go to Loki.", turn=here, quote="Orders go to Loki.", kind="fact")
    return remembered(
        alice, shop, "The site uses Astro.", turn=site, quote="The site uses Astro.", kind="fact"
    )


def test_each_place_says_what_happened_there(
    hers: Client, alice: User, key: AgentKey, shop: Namespace
) -> None:
    learned(alice, key, shop)
    said = hers.get(reverse("namespace-split", args=[shop.pk])).content.decode()
    assert said.count('type="checkbox"') == 3
    assert "Orders go to Loki." in said
    assert "The site uses Astro." in said
    assert "1 session came without a place and stays" in said
    repository = said[said.index("Repository") :]
    assert "bbbbbbbb" in repository[: repository.index("</li>")]  # its folder


def test_the_words_of_others_are_not_shown(alice: User, shop: Namespace, key: AgentKey) -> None:
    bob = build.person("bob")
    share(shop, alice, bob, "owner")
    learned(alice, key, shop)
    said = signed_in(bob).get(reverse("namespace-split", args=[shop.pk])).content.decode()
    assert "1 session" in said
    assert "Orders go to Loki." not in said
    assert "Your latest session there" not in said


def test_the_preview_changes_nothing_and_comes_true(
    hers: Client, alice: User, key: AgentKey, shop: Namespace
) -> None:
    memory = learned(alice, key, shop)
    events = AuditEvent.objects.count()
    said = send(hers, shop, "preview", *SITE).content.decode()
    plan = said[said.index("What would move") :]
    assert re.search(r"<dt>Sessions</dt><dd>1</dd>", plan)
    assert "1 move, 0 stay" in plan  # memories
    assert "2 move, 1 stay" in plan  # candidates, the approved one among them
    assert "The site uses Astro." in plan
    assert "Pages are in Japanese." in plan
    assert "Orders go to Loki." not in plan
    assert AuditEvent.objects.count() == events
    assert not Namespace.objects.filter(name="site").exists()

    done = send(hers, shop, "split", *SITE, follow=True).content.decode()
    site = Namespace.objects.get(name="site")
    memory.refresh_from_db()
    assert memory.namespace == site
    assert Candidate.objects.filter(namespace=site).count() == 2
    assert Candidate.objects.get(namespace=shop).content == "Orders go to Loki."
    assert [each.key for each in AgentSession.objects.filter(workspace=site)] == ["in site"]
    assert "workspace:site now holds 1 session, 1 memory, 2 candidates" in done
    assert f'value="{shop.pk}" selected' in done  # the way back is one typed name away
    assert AuditEvent.objects.filter(verb="namespace.split").count() == 2


def test_merging_again_is_the_way_back(hers: Client, alice: User, key: AgentKey, shop: Namespace) -> None:
    memory = learned(alice, key, shop)
    send(hers, shop, "split", *SITE)
    site = Namespace.objects.get(name="site")
    form = {"target": str(shop.pk), "typed_name": "site"}
    assert hers.post(reverse("namespace-merge", args=[site.pk]), form).status_code == 302
    memory.refresh_from_db()
    assert memory.namespace == shop
    assert AgentSession.objects.filter(workspace=shop).count() == 3


@pytest.mark.parametrize("do", ["preview", "split"])
@pytest.mark.parametrize(
    ("values", "name", "status", "sentence"),
    [
        ([], "site", 422, "Choose at least one place."),
        ([*SHOP, *SITE], "site", 422, "Leave at least one place behind"),
        (["d:bbbbbbbb1"], "site", 422, "A folder goes with its repository"),
        (SITE, "two words", 422, "without spaces"),
        (SITE, "", 422, "required"),
        (SITE, "shop", 409, "You already have"),
    ],
)
def test_what_cannot_be_split_says_why_and_keeps_what_was_typed(
    hers: Client, shop: Namespace, do: str, values: list[str], name: str, status: int, sentence: str
) -> None:
    answer = send(hers, shop, do, *values, name=name)
    said = answer.content.decode()
    assert answer.status_code == status
    assert sentence in said
    assert said.count(" checked") == len(values)
    assert Namespace.objects.filter(type="workspace").count() == 1


def test_a_place_of_another_workspace_is_none_of_this_one(
    hers: Client, alice: User, key: AgentKey, shop: Namespace
) -> None:
    build.session(key, "x", workspace="other", fingerprints=["d:dddddddd3"])
    assert send(hers, shop, "split", "d:dddddddd3").status_code == 422
    assert not Namespace.objects.filter(name="site").exists()


def test_one_place_alone_offers_no_form(hers: Client, alice: User, key: AgentKey) -> None:
    build.session(key, workspace="one", fingerprints=["d:eeeeeeee4"])
    bare = build.workspace(alice, "bare")
    one = Namespace.objects.get(name="one")
    for space, sentence in ((one, "ran in one place"), (bare, "cannot be told apart")):
        said = hers.get(reverse("namespace-split", args=[space.pk])).content.decode()
        assert sentence in said
        assert 'name="fingerprints"' not in said
    persona = Namespace.objects.get(owner=alice, type="persona")
    assert hers.get(reverse("namespace-split", args=[persona.pk])).status_code == 404


@pytest.mark.parametrize(("role", "status"), [("reviewer", 403), ("reader", 403), ("stranger", 404)])
def test_owners_alone(alice: User, shop: Namespace, role: str, status: int) -> None:
    bob = build.person("bob")
    if role != "stranger":
        share(shop, alice, bob, role)
    assert send(signed_in(bob), shop, "split", *SITE).status_code == status
    assert not Namespace.objects.filter(name="site").exists()
    assert (
        AgentSession.objects.filter(workspace=shop, started_at__lte=timezone.now() + timedelta(1)).count()
        == 3
    )
