"""How pages refuse: in the reader's language, with what is allowed, and without a crash when the database is busy."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import translation

from core.errors import Conflict, DomainError, Forbidden, Invalid, NotFound, Paused
from core.statuses import status_of
from memory.services.candidates import validate
from memory.services.gate import PromotionFailed
from review.selectors.wanted import parse
from tests import build
from tests.review.scene import propose

pytestmark = pytest.mark.django_db


def test_every_kind_of_refusal_has_its_status() -> None:
    kinds = {Invalid: 422, NotFound: 404, Forbidden: 403, Conflict: 409, Paused: 409}
    assert {kind: status_of(kind("no")) for kind in kinds} == kinds
    assert status_of(PromotionFailed("no")) == status_of(DomainError("no")) == 400


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["page", "htmx"])
def test_a_busy_database_asks_for_another_try(
    hers: Client, monkeypatch: pytest.MonkeyPatch, headers: dict[str, str]
) -> None:
    def away(**_kwargs: object) -> None:
        raise OperationalError("deadlock detected")

    monkeypatch.setattr("review.selectors.sessions.sessions", away)
    answer = hers.get(reverse("sessions"), headers=headers)
    assert answer.status_code == (200 if headers else 503)
    said = answer.content.decode()
    assert "The database is busy; nothing was changed." in said
    assert "deadlock" not in said


@pytest.mark.parametrize(
    ("allowed", "shown"),
    [
        ("a name such as Asia/Tokyo", ["<code>a name such as Asia/Tokyo</code>"]),
        (["persona:a", "b"], ["<code>persona:a</code>", "<code>b</code>"]),
    ],
)
def test_what_is_allowed_is_shown_as_one_sentence_or_as_values(
    hers: Client, monkeypatch: pytest.MonkeyPatch, allowed: object, shown: list[str]
) -> None:
    def refuse(**_kwargs: object) -> None:
        raise Invalid("no", allowed=allowed)

    monkeypatch.setattr("review.selectors.sessions.sessions", refuse)
    answer = hers.get(reverse("sessions"))
    assert answer.status_code == 422
    assert [item for item in shown if item in answer.content.decode()] == shown


@pytest.mark.parametrize(("content", "confidence"), [("", 1.0), ("x" * 8_001, 1.0), ("x", 2.0)])
def test_what_is_allowed_is_said_in_the_readers_language(content: str, confidence: float) -> None:
    said = {}
    for language in ("en", "ja"):
        with translation.override(language), pytest.raises(Invalid) as caught:
            validate(kind="fact", content=content, confidence=confidence)
        said[language] = str(caught.value.details["allowed"])
    assert said["en"] in ("1 to 8000 characters", "0 to 1")
    assert said["ja"] != said["en"]
    assert " to " not in said["ja"]


def test_a_stranger_is_asked_to_sign_in() -> None:
    assert Client().get(reverse("sessions")).status_code == 302


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("undo", {"act": "nonsense"}),
        ("candidate-approve", {"version": "1", "seen": "1", "replaces": "nonsense"}),
        ("candidate-approve", {"version": "one"}),
        ("candidate-reject", {}),
        ("memory-restore", {"version": ""}),
    ],
)
def test_a_form_that_our_pages_do_not_send_is_refused_whole(
    hers: Client, alice: User, path: str, form: dict[str, str]
) -> None:
    waiting = propose(build.workspace(alice, "api"))
    wanted = [] if path == "undo" else [waiting.pk]
    answer = hers.post(reverse(path, args=wanted), form)
    assert answer.status_code == 422
    assert "reload the page" in answer.content.decode()
    waiting.refresh_from_db()
    assert (waiting.status, waiting.version) == ("pending", 1)


@pytest.mark.parametrize("namespace", ["nonsense", "", "0" * 31])
def test_a_namespace_in_the_address_that_is_no_id_asks_for_all(hers: Client, namespace: str) -> None:
    assert hers.get(reverse("review"), {"namespace": namespace}).status_code == 200
    assert parse("namespace=" + namespace).namespace == ""


def test_an_address_that_only_acts_says_so_when_it_is_opened(hers: Client) -> None:
    answer = hers.get(reverse("undo"))
    assert answer.status_code == 405
    assert answer.headers["Allow"] == "POST"
    assert "This address cannot be opened" in answer.content.decode()
    for told in (hers.get(reverse("undo"), headers={"HX-Request": "true"}), hers.get("/api/v1/turns/")):
        assert told.status_code in (401, 405)
        assert "This address" not in told.content.decode()


def test_who_was_signed_out_comes_back_to_the_list_and_hears_that_nothing_happened(
    hers: Client, client: Client, alice: User
) -> None:
    """Not to the address of the act, which cannot be opened."""
    candidate = propose(build.workspace(alice), "Use pnpm.")
    there = f"{reverse('review')}?kind=fact"
    act = reverse("candidate-approve", args=[candidate.pk])
    answer = client.post(act, {"version": "1", "next": there})
    assert (
        answer.headers["Location"]
        == f"{reverse('sign-in')}?next={there.replace('?', '%3F').replace('=', '%3D')}"
    )
    assert "nothing was changed" in client.get(answer.headers["Location"]).content.decode()
    candidate.refresh_from_db()
    assert candidate.status == "pending"


@override_settings(DATA_UPLOAD_MAX_MEMORY_SIZE=1024**2)
def test_a_form_beyond_the_limit_is_refused_with_the_limit(hers: Client) -> None:
    answer = hers.post(
        reverse("memory-new"), "content=" + "x" * 1024**2, content_type="application/x-www-form-urlencoded"
    )
    assert answer.status_code == 413
    assert "1 MB" in answer.content.decode()
