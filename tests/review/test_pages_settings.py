"""Settings: keys, personas, members; and the pages for what goes wrong."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from core.models import AgentKey, Fingerprint, Membership, Namespace
from core.services.keys import agent_key_authenticate
from core.services.namespaces import persona_default
from memory.models import Candidate
from tests import build
from tests.review.scene import propose, signed_in

pytestmark = pytest.mark.django_db

KEY = {
    "name": "phone",
    "scopes": ["ingest", "recall"],
    "reach": "all",
    "speaks_for_person": "on",
    "expires": "",
}


def test_a_key_is_made_as_asked_and_shown_once(hers: Client, alice: User) -> None:
    shop = build.workspace(alice, "shop")
    form = {**KEY, "reach": "list", "namespaces": [str(shop.pk)], "expires": "30", "speaks_for_person": ""}
    answer = hers.post(reverse("key-new"), form)
    secret = answer.context["secret"]
    found = agent_key_authenticate(secret=secret, now=timezone.now())
    assert isinstance(found, AgentKey)
    assert (found.scopes, found.reach, found.speaks_for_person) == (["ingest", "recall"], "list", False)
    assert list(found.namespaces.all()) == [shop]
    assert found.expires_at is not None
    assert abs(found.expires_at - timezone.now() - timedelta(days=30)) < timedelta(minutes=1)
    assert "no-store" in answer.headers["Cache-Control"]
    assert secret not in hers.get(reverse("settings")).content.decode()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"name": ""}, "required"),
        ({"name": "x" * 101}, "at most 100"),
        ({"scopes": []}, "required"),
        ({"scopes": ["approve"]}, "not one of the available"),
        ({"reach": "list"}, "at least one namespace"),
        (
            {"reach": "list", "namespaces": ["0190f3b4-0000-7000-8000-000000000000"]},
            "not one of the available",
        ),
        ({"expires": "-5"}, "not one of the available"),
    ],
)
def test_a_key_that_cannot_be_made_says_why(hers: Client, change: dict[str, object], sentence: str) -> None:
    answer = hers.post(reverse("key-new"), {**KEY, **change})
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not AgentKey.objects.exists()


def test_rotating_shows_the_new_secret_and_stops_the_old(hers: Client, alice: User) -> None:
    old = build.key(alice)
    new = hers.post(reverse("key-rotate", args=[old.key.pk])).context["secret"]
    assert agent_key_authenticate(secret=old.secret, now=timezone.now()) == "revoked"
    assert isinstance(agent_key_authenticate(secret=new, now=timezone.now()), AgentKey)


def test_a_revoked_key_is_said_to_be(hers: Client, alice: User) -> None:
    key = build.key(alice).key
    said = hers.post(reverse("key-revoke", args=[key.pk]), follow=True).content.decode()
    assert "no longer works" in said
    assert ">revoked</span>" in said


@pytest.mark.parametrize("count", [1, 20])
def test_many_keys_and_namespaces_cost_no_more_queries(
    hers: Client, alice: User, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(count):
        space = build.workspace(alice, f"w{number}")
        build.key(alice, reach="list", namespaces=[space])
    with django_assert_num_queries(
        10
    ):  # session, user, two of keys, memberships, two of offers, own, two of the frame
        hers.get(reverse("settings"))


def test_a_persona_is_made_and_its_name_checked(hers: Client, alice: User) -> None:
    hers.post(reverse("persona-new"), {"name": "仕事"})
    assert Namespace.objects.filter(owner=alice, type="persona", name="仕事").exists()
    for name, sentence in (("仕事", "already have"), ("two words", "without spaces"), ("", "required")):
        answer = hers.post(reverse("persona-new"), {"name": name})
        assert answer.status_code == 422
        assert sentence in answer.content.decode()


def test_pausing_is_shown_and_resumed(hers: Client, alice: User) -> None:
    home = persona_default(user=alice, now=timezone.now())
    assert (
        "paused"
        in hers.post(
            reverse("namespace-pause", args=[home.pk]), {"paused": "1"}, follow=True
        ).content.decode()
    )
    form = {"content": "Use pnpm.", "kind": "fact", "namespace": str(home.pk)}
    refused = hers.post(reverse("memory-new"), form)
    assert refused.status_code == 422
    assert "is paused" in refused.content.decode()
    hers.post(reverse("namespace-pause", args=[home.pk]), {"paused": "0"})
    home.refresh_from_db()
    assert not home.is_paused


def test_members_come_change_and_go(hers: Client, alice: User) -> None:
    shop = build.workspace(alice, "shop")
    bob = build.person("bob")
    waiting = propose(shop)
    his = signed_in(bob)
    address = reverse("candidate", args=[waiting.pk])
    for role, status in (("reader", 403), ("reviewer", 200)):
        hers.post(reverse("member", args=[shop.pk]), {"username": "bob", "role": role})
        assert his.get(address).status_code == status
    hers.post(reverse("member-gone", args=[shop.pk]), {"username": "bob"})
    assert his.get(address).status_code == 404


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"username": "nobody", "role": "reader"}, "no person with this user name"),
        ({"username": "alice", "role": "reader"}, "at least one owner"),
        ({"username": "alice", "role": "king"}, "not one of the available"),
    ],
)
def test_a_member_who_cannot_be_set_says_why(
    hers: Client, alice: User, form: dict[str, str], sentence: str
) -> None:
    shop = build.workspace(alice, "shop")
    answer = hers.post(reverse("member", args=[shop.pk]), form)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert Membership.objects.get(namespace=shop).role == "owner"


def test_the_last_owner_stays(hers: Client, alice: User) -> None:
    shop = build.workspace(alice, "shop")
    answer = hers.post(reverse("member-gone", args=[shop.pk]), {"username": "alice"})
    assert answer.status_code == 409
    assert "at least one owner" in answer.content.decode()


def test_a_missing_page_keeps_the_frame(hers: Client, client: Client) -> None:
    for visitor in (hers, client):
        answer = visitor.get("/settings/memory/nowhere/")
        assert answer.status_code == 404
        assert "There is nothing here" in answer.content.decode()
    assert 'aria-label="Main pages"' in hers.get("/settings/memory/nowhere/").content.decode()


@override_settings(ALLOWED_HOSTS=["testserver"])
def test_a_broken_request_says_that_nothing_changed(hers: Client) -> None:
    answer = hers.get(reverse("review"), headers={"host": "evil.example"})
    assert answer.status_code == 400
    assert "could not be read" in answer.content.decode()


def test_a_crash_says_sorry_without_asking_the_database(
    hers: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: object, **_kwargs: object) -> None:
        raise RuntimeError("the disk is on fire")

    hers.raise_request_exception = False
    monkeypatch.setattr(Candidate.objects, "reviewable_by", broken)
    answer = hers.get(reverse("review"))
    assert answer.status_code == 500
    said = answer.content.decode()
    assert "Something broke on our side" in said
    assert "on fire" not in said


def test_every_page_comes_with_the_strict_policy(hers: Client) -> None:
    for name in ("review", "memories", "history", "sessions", "settings", "sign-in"):
        policy = hers.get(reverse(name), follow=True).headers["Content-Security-Policy"]
        assert "unsafe" not in policy
        assert "script-src 'self'" in policy
        assert "style-src 'self'" in policy


def test_merging_wants_the_name_and_takes_everything_along(hers: Client, alice: User) -> None:
    shop, store = build.workspace(alice, "shop"), build.workspace(alice, "store")
    row = propose(shop, "Logs go to Loki.")
    form = {"target": str(store.pk), "typed_name": "sho"}
    assert hers.post(reverse("namespace-merge", args=[shop.pk]), form).status_code == 422
    stranger = signed_in(build.person("bob"))
    form["typed_name"] = "shop"
    assert stranger.post(reverse("namespace-merge", args=[shop.pk]), form).status_code == 404
    hers.post(reverse("namespace-merge", args=[shop.pk]), form)
    row.refresh_from_db()
    assert row.namespace_id == store.pk
    assert not Namespace.objects.filter(pk=shop.pk).exists()


def test_an_account_goes_only_with_its_name_typed(hers: Client, alice: User) -> None:
    propose(build.workspace(alice, "shop"), "Logs go to Loki.")
    assert "nothing brings it back" in hers.get(reverse("account-delete")).content.decode()
    refused = hers.post(reverse("account-delete"), {"typed_name": "alic"})
    assert "Type your user name to confirm" in refused.content.decode()
    assert User.objects.filter(username="alice").exists()
    hers.post(reverse("account-delete"), {"typed_name": "alice"})
    assert not User.objects.filter(username="alice").exists()
    assert not Candidate.objects.exists()
    assert hers.get(reverse("settings")).status_code == 302


def test_a_folder_with_another_remote_is_offered_to_be_linked(hers: Client, alice: User) -> None:
    key = build.key(alice).key
    build.session(key, "s1", fingerprints=["r:oldremote1", "d:samefolder"])
    build.session(key, "s2", fingerprints=["r:newremote1", "d:samefolder"])
    said = hers.get(reverse("settings")).content.decode()
    assert "Are they one?" in said
    older = Namespace.objects.get(name="api", owner=alice)
    place = Fingerprint.objects.get(value="r:newremote1")
    stranger = signed_in(build.person("bob"))
    address, form = reverse("namespace-link", args=[older.pk]), {"place": str(place.pk)}
    assert stranger.post(address, form).status_code == 404
    hers.post(address, form)
    place.refresh_from_db()
    assert place.namespace_id == older.pk
    assert "Are they one?" not in hers.get(reverse("settings")).content.decode()
