"""What a person set for themselves holds on every Settings page: language, colours, zone."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.models import Namespace
from core.services.namespaces import persona_default
from core.services.sign_in import sign_in_link_create
from review.services.person import SettingsIn, person_settings_set
from tests import build
from tests.review.scene import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def alice() -> User:
    alice = build.person("alice")
    key = build.key(alice).key
    build.session(key, workspace="shop", fingerprints=["r:aaaaaaaa1"])
    build.turn(key, "Hello.")
    return alice


def pages(alice: User) -> list[str]:
    shop = Namespace.objects.get(name="shop")
    home = persona_default(user=alice, now=timezone.now())
    names = ("settings", "settings-person", "prompts", "data", "key-new", "account-delete")
    return [
        *(reverse(name) for name in names),
        reverse("namespace", args=[home.pk]),
        reverse("namespace", args=[shop.pk]),
        reverse("namespace-split", args=[shop.pk]),
        reverse("policy", args=[shop.pk]),
        reverse("prompt", args=[shop.pk, "extract"]),
    ]


def look(client: Client, **changes: str) -> None:
    form = {"part": "look", "language": "", "theme": "", "time_zone": "", **changes}
    assert client.post(reverse("settings-person"), form).status_code == 302


def test_language_and_colours_hold_on_every_page(alice: User) -> None:
    client = signed_in(alice)
    look(client, language="ja", theme="dark")
    for address in pages(alice):
        said = client.get(address).content.decode()
        assert '<html lang="ja" data-theme="dark"' in said, address
        assert "設定" in said, address


def test_every_page_says_that_it_belongs_to_the_settings(alice: User) -> None:
    client = signed_in(alice)
    for address in pages(alice):
        said = client.get(address).content.decode()
        entry = f'<a href="{reverse("settings")}" aria-current="page">Settings</a>'
        assert entry in said, address


def test_the_chosen_zone_wins_over_the_browsers(alice: User) -> None:
    client = signed_in(alice)
    client.cookies["hikae_tz"] = "America/New_York"
    assert ("-04:00" in moments(client)) or ("-05:00" in moments(client))
    look(client, time_zone="Asia/Tokyo")
    assert "+09:00" in moments(client)
    look(client)
    assert "+09:00" not in moments(client)


def test_a_person_who_signs_in_elsewhere_has_it_at_once(alice: User) -> None:
    changes = SettingsIn(language="ja", time_zone="Asia/Tokyo")
    person_settings_set(user=alice, changes=changes, now=timezone.now())
    client = Client()
    token = sign_in_link_create(user=alice, now=timezone.now())
    client.post(reverse("sign-in-link", args=[token]))
    assert "+09:00" in moments(client)
    assert '<html lang="ja"' in client.get(reverse("data")).content.decode()


@pytest.mark.parametrize("strange", ["Mars/Olympus", "../../etc/passwd", "a" * 300])
def test_a_strange_cookie_is_passed_over(alice: User, strange: str) -> None:
    client = signed_in(alice)
    client.cookies["hikae_zone"] = strange
    client.cookies["hikae_tz"] = "Asia/Tokyo"
    assert "+09:00" in moments(client)


def moments(client: Client) -> str:
    """The times on the Data page, as machines read them."""
    answer = client.get(reverse("data"))
    assert answer.status_code == 200
    return answer.content.decode()
