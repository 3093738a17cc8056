"""The admin site shows every table and changes none."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from core.admin import LookOnly
from tests import build
from tests.review.scene import propose, remembered

pytestmark = pytest.mark.django_db

OURS = ("core", "transcripts", "memory", "review")


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("operator"))
    return client


def test_every_list_and_detail_opens_and_offers_no_change(operator: Client) -> None:
    alice = build.person("alice")
    key = build.key(alice).key
    build.session(key)
    turn = build.turn(key, "From now on use pnpm.", build.tool("the word is walnut"))
    propose(turn.session.home, "Use pnpm.", turn=turn, quote="use pnpm")
    remembered(alice, turn.session.home, "Answer briefly.")
    opened = 0
    for model, site in admin.site._registry.items():
        if model._meta.app_label not in OURS:
            continue
        assert isinstance(site, LookOnly), model
        label = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        assert operator.get(reverse(f"{label}_changelist")).status_code == 200, label
        assert operator.get(reverse(f"{label}_add")).status_code == 403, label
        row = model._default_manager.first()
        if row is not None:
            detail = operator.get(reverse(f"{label}_change", args=[row.pk]))
            assert detail.status_code == 200, label
            assert 'name="_save"' not in detail.content.decode(), label
            assert (
                operator.post(reverse(f"{label}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
            )
            opened += 1
    assert opened >= 8


def test_what_people_said_to_their_agents_is_not_shown(operator: Client) -> None:
    key = build.key(build.person("alice")).key
    turn = build.turn(key, "the word is walnut")
    message = build.messages(turn)[0]
    shown = operator.get(reverse("admin:transcripts_message_change", args=[message.pk])).content.decode()
    assert "walnut" not in shown


def test_a_member_without_staff_rights_gets_no_admin(client: Client) -> None:
    client.force_login(build.person("alice"))
    assert client.get("/admin/").status_code == 302
