"""The "try recall" page, and short forms on the edit page."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from core.models import Namespace
from memory.models import Memory
from tests import build
from tests.review.scene import remembered, signed_in

pytestmark = pytest.mark.django_db


def test_the_memories_page_has_a_box_to_try_recall(hers: Client, alice: User, shop: Namespace) -> None:
    remembered(alice, shop, "The staging database is Postgres 16.", kind="fact")
    said = hers.get(reverse("memories"), {"namespace": str(shop.pk)}).content.decode()
    assert f'action="{reverse("memories-search")}"' in said
    assert f'name="namespace" value="{shop.pk}"' in said
    assert "Try recall" in said


def test_a_trial_shows_both_rankings_and_the_switch_only_what_an_agent_sees(
    hers: Client, alice: User, shop: Namespace
) -> None:
    served = remembered(alice, shop, "The staging database is Postgres 16.", kind="fact")
    kept = remembered(alice, shop, "Invoices are printed for the database of the tax office.", kind="fact")
    for word in ("cheese", "gardens", "violins"):
        remembered(alice, shop, f"Somebody likes {word} very much.", kind="fact")
    question = {"q": "which postgres version is the staging database?"}
    said = hers.get(reverse("memories-search"), question).content.decode()
    assert "By words: place 1" in said
    assert "Relevance:" in said
    assert reverse("memory", args=[kept.pk]) in said
    assert "below the floor" in said
    agent = hers.get(reverse("memories-search"), question | {"agent": "on"}).content.decode()
    assert reverse("memory", args=[served.pk]) in agent
    assert reverse("memory", args=[kept.pk]) not in agent
    assert "By words" not in agent


def test_nothing_of_a_stranger_is_tried(alice: User, shop: Namespace) -> None:
    memory = remembered(alice, shop, "The staging database is Postgres 16.", kind="fact")
    carol = signed_in(build.person("carol"))
    for more in ({}, {"namespace": str(shop.pk)}):
        said = carol.get(reverse("memories-search"), {"q": "staging postgres", **more}).content.decode()
        assert memory.content not in said
        assert str(memory.pk) not in said


@pytest.mark.parametrize("question", ["", "🎉", "'; DROP TABLE x; --", "a" * 5_000, "\u202eabc"])
def test_odd_questions_are_answered_like_any_other(hers: Client, shop: Namespace, question: str) -> None:
    assert hers.get(reverse("memories-search"), {"q": question}).status_code == 200


def test_short_forms_are_typed_and_ticked_on_the_edit_page(
    hers: Client, alice: User, shop: Namespace
) -> None:
    memory = remembered(alice, shop, "CI runs on GitHub Actions.", kind="fact")
    address = reverse("memory-edit", args=[memory.pk])
    assert "Short forms" in hers.get(address).content.decode()
    typed = {
        "content": memory.content,
        "kind": "fact",
        "version": memory.version,
        "aliases": "GHA、ビルド, gha",
    }
    assert hers.post(address, typed).status_code == 302
    memory = Memory.objects.get(pk=memory.pk)
    assert memory.aliases == ["GHA", "ビルド"]
    said = hers.get(reverse("memory", args=[memory.pk])).content.decode()
    assert "GHA, ビルド" in said
    late = hers.post(address, typed | {"version": memory.version, "aliases": "x" * 101})
    assert late.status_code == 422
    assert "at most 100 characters" in late.content.decode()


def test_a_form_without_the_field_leaves_short_forms_alone(
    hers: Client, alice: User, shop: Namespace
) -> None:
    memory = remembered(alice, shop, "CI runs on GitHub Actions.", kind="fact")
    address = reverse("memory-edit", args=[memory.pk])
    form = {"content": memory.content, "kind": "fact", "version": memory.version}
    hers.post(address, form | {"aliases": "GHA"})
    hers.post(address, form | {"version": memory.version + 1, "content": "CI runs on Forgejo."})
    assert Memory.objects.get(pk=memory.pk).aliases == ["GHA"]
