"""The way in."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.services.sign_in import sign_in_link_create
from tests import build

pytestmark = pytest.mark.django_db


def test_the_root_leads_to_the_review_page(client: Client) -> None:
    assert client.get("/").headers["Location"] == "/settings/memory/"


def test_a_visitor_is_asked_to_sign_in_and_comes_back(client: Client) -> None:
    answer = client.get("/settings/memory/memories/")
    assert answer.headers["Location"] == "/sign-in/?next=/settings/memory/memories/"


def test_a_password_signs_in(client: Client) -> None:
    alice = build.person("alice")
    alice.set_password("correct horse EXAMPLE")
    alice.save()
    answer = client.post("/sign-in/", {"username": "alice", "password": "correct horse EXAMPLE"}, follow=True)
    assert answer.redirect_chain[-1][0] == reverse("review")
    assert answer.wsgi_request.user == alice


def test_a_wrong_password_says_so_without_telling_which_is_wrong(client: Client) -> None:
    build.person("alice")
    answer = client.post("/sign-in/", {"username": "alice", "password": "nonsense"})
    assert "do not match" in answer.content.decode()


def test_signing_out_needs_a_form(client: Client) -> None:
    client.force_login(build.person())
    assert client.get("/sign-out/").status_code == 405
    client.post("/sign-out/")
    assert client.get("/settings/memory/").status_code == 302


def test_looking_at_a_link_does_not_use_it_up(client: Client) -> None:
    alice = build.person("alice")
    address = reverse("sign-in-link", args=[sign_in_link_create(user=alice, now=timezone.now())])
    for _scanner in range(3):
        assert client.get(address).status_code == 200
    answer = client.post(address, follow=True)
    assert answer.wsgi_request.user == alice


def test_a_link_works_once(client: Client) -> None:
    alice = build.person("alice")
    address = reverse("sign-in-link", args=[sign_in_link_create(user=alice, now=timezone.now())])
    client.post(address)
    second = Client()
    answer = second.post(address)
    assert answer.status_code == 410
    assert "manage.py sign_in_link" in answer.content.decode()
    assert second.get("/settings/memory/").status_code == 302


def test_an_old_link_says_how_to_make_another(client: Client) -> None:
    made = timezone.now() - timedelta(minutes=16)
    answer = client.post(reverse("sign-in-link", args=[sign_in_link_create(user=build.person(), now=made)]))
    assert answer.status_code == 410
    assert "manage.py sign_in_link" in answer.content.decode()


def test_the_language_is_remembered_in_a_cookie(client: Client) -> None:
    answer = client.post("/i18n/setlang/", {"language": "ja", "next": "/sign-in/"})
    assert answer.cookies["django_language"].value == "ja"
    assert int(answer.cookies["django_language"]["max-age"]) > 86_400
    assert '<html lang="ja">' in client.get("/sign-in/").content.decode()
