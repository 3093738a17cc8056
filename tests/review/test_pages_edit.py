"""The editor, and memories typed by hand."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.models import Namespace
from core.services.namespaces import persona_default
from memory.models import Candidate, Memory
from tests import build
from tests.review.scene import approved, propose, remembered, share, signed_in

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def home(alice: User) -> Namespace:
    return persona_default(user=alice, now=timezone.now())


@pytest.fixture
def page(alice: User) -> Client:
    return signed_in(alice)


def _form(waiting: Candidate, **changes: object) -> dict[str, object]:
    kept = {
        "content": waiting.content,
        "kind": waiting.kind,
        "namespace": str(waiting.namespace_id),
        "version": waiting.version,
    }
    return kept | changes


def test_saving_keeps_it_waiting_with_the_new_text(page: Client, home: Namespace) -> None:
    waiting = propose(home, "Use npm.")
    page.post(
        reverse("candidate-edit", args=[waiting.pk]), _form(waiting, content="Use pnpm.", kind="decision")
    )
    waiting.refresh_from_db()
    assert (waiting.content, waiting.kind, waiting.status) == ("Use pnpm.", "decision", "pending")
    assert waiting.original == "Use npm."


def test_save_and_approve_remembers_exactly_the_new_text(page: Client, home: Namespace) -> None:
    waiting = propose(home, "Use npm.")
    form = _form(waiting, content="Use pnpm,\r\nnever npm.", then="approve")
    page.post(reverse("candidate-edit", args=[waiting.pk]), form)
    assert Memory.objects.get().content == "Use pnpm,\nnever npm."
    page.post(reverse("undo"))
    waiting.refresh_from_db()
    assert waiting.status == "pending"


def test_a_secret_typed_into_the_editor_is_cut_out(page: Client, home: Namespace) -> None:
    waiting = propose(home)
    secret = "ghp_" + "EXAMPLE0" * 4 + "abcd"
    page.post(reverse("candidate-edit", args=[waiting.pk]), _form(waiting, content=f"The token is {secret}."))
    waiting.refresh_from_db()
    assert secret not in waiting.content
    assert "[redacted:github-token]" in waiting.content


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"content": "  "}, "required"),
        ({"content": "。。。"}, "empty"),
        ({"content": "x" * 8001}, "at most 8000"),
        ({"content": "a\x00b"}, "cannot be stored"),
        ({"kind": "rumour"}, "rumour is not one of"),
        ({"namespace": "0190f3b4-0000-7000-8000-000000000000"}, "is not one of"),
    ],
)
def test_what_cannot_be_saved_stays_typed_and_says_why(
    page: Client, home: Namespace, changes: dict[str, str], sentence: str
) -> None:
    waiting = propose(home)
    answer = page.post(reverse("candidate-edit", args=[waiting.pk]), _form(waiting, **changes))
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    waiting.refresh_from_db()
    assert (waiting.content, waiting.version) == ("Use pnpm, not npm.", 1)


def test_a_namespace_of_others_cannot_be_chosen(page: Client, home: Namespace) -> None:
    waiting = propose(home)
    foreign = build.workspace(build.person("charlie"), "secret")
    answer = page.post(
        reverse("candidate-edit", args=[waiting.pk]), _form(waiting, namespace=str(foreign.pk))
    )
    assert answer.status_code == 422
    waiting.refresh_from_db()
    assert waiting.namespace == home


def test_a_text_typed_against_somebody_elses_is_not_lost(page: Client, alice: User, home: Namespace) -> None:
    bob = build.person("bob")
    share(home, alice, bob, "reviewer")
    waiting = propose(home, "Use npm.")
    signed_in(bob).post(reverse("candidate-edit", args=[waiting.pk]), _form(waiting, content="Use yarn."))
    mine = _form(waiting, content="Use pnpm.")
    answer = page.post(reverse("candidate-edit", args=[waiting.pk]), mine, headers=HTMX)
    said = answer.content.decode()
    assert "Changed by bob" in said
    assert "Use yarn." in said
    assert ">\nUse pnpm.</textarea>" in said
    again = {
        name: field.value()
        for name, field in zip(mine, map(answer.context["form"].__getitem__, mine), strict=True)
    }
    page.post(reverse("candidate-edit", args=[waiting.pk]), again)
    waiting.refresh_from_db()
    assert waiting.content == "Use pnpm."


def test_a_decided_candidate_is_not_edited(page: Client, alice: User, home: Namespace) -> None:
    waiting = propose(home)
    approved(alice, waiting)
    answer = page.post(reverse("candidate-edit", args=[waiting.pk]), _form(waiting, content="Use yarn."))
    assert answer.status_code == 422
    assert "Already approved by alice" in answer.content.decode()
    assert Memory.objects.get().content == "Use pnpm, not npm."


def test_a_typed_memory_waits_and_shows_what_it_resembles(page: Client, alice: User, home: Namespace) -> None:
    old = remembered(alice, home, "Use pnpm, not npm.")
    form = {"content": "Use pnpm, not npm!", "kind": "preference", "namespace": str(home.pk)}
    answer = page.post(reverse("memory-new"), form, follow=True)
    made = Candidate.objects.get(source="manual")
    assert (made.status, made.trust) == ("pending", "human")
    said = answer.content.decode()
    assert "It resembles" in said
    assert reverse("memory", args=[old.pk]) in said


def test_an_empty_memory_is_refused_in_the_form(page: Client, home: Namespace) -> None:
    answer = page.post(reverse("memory-new"), {"content": "", "kind": "fact", "namespace": str(home.pk)})
    assert answer.status_code == 422
    assert not Candidate.objects.exists()


def test_resembling_ids_of_others_show_nothing(page: Client, home: Namespace) -> None:
    charlie = build.person("charlie")
    foreign = remembered(charlie, build.workspace(charlie, "secret"), "The vault is in room 9.")
    mine = propose(home)
    answer = page.get(reverse("candidate", args=[mine.pk]), {"like": str(foreign.pk)})
    assert "room 9" not in answer.content.decode()
