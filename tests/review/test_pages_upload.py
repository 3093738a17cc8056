"""Upload a transcript: the plan first, and nothing stored before the word to go."""

from __future__ import annotations

import json
import re
import zlib

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.models import Namespace
from core.services.namespaces import namespace_pause
from review.forms import transcripts
from tests import build
from tests.review.scene import signed_in
from transcripts.models import AgentSession, Message
from transcripts.services.imports import transcript_import

pytestmark = pytest.mark.django_db


def _file(*lines: str, name: str = "talk.json") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, "\n".join(lines).encode())


def _planned(client: Client, *lines: str, name: str = "talk.json", **form: str) -> str:
    """The plan of an upload, and that it stored nothing."""
    before = (AgentSession.objects.count(), Message.objects.count(), Namespace.objects.count())
    answer = client.post(reverse("session-import"), {"file": _file(*lines, name=name), **form})
    assert answer.status_code == 200
    assert (AgentSession.objects.count(), Message.objects.count(), Namespace.objects.count()) == before
    return answer.content.decode()


def _token(page: str) -> str:
    found = re.search(r'name="token" value="([^"]+)"', page)
    assert found, page
    return found[1]


TALK = '{"session": "old", "turns": [{"key": "1", "messages": [{"role": "user", "text": "Use pnpm."}]}]}'


def test_an_upload_shows_its_plan_and_is_stored_at_the_word_to_go(hers: Client, alice: User) -> None:
    page = _planned(hers, TALK, workspace="shop")
    assert "workspace:shop" in page
    assert "1 new, 0 known" in page
    assert "Left out on purpose" not in page
    answer = hers.post(reverse("session-import-go"), {"token": _token(page)})
    assert answer.status_code == 200
    session = AgentSession.objects.get()
    assert str(session.workspace) == "workspace:shop"
    assert reverse("session", args=[session.pk]) in answer.content.decode()


def test_a_plan_cuts_out_secrets_and_goes_once(hers: Client, alice: User) -> None:
    secret = "sk_" + "live_EXAMPLE0EXAMPLE0EXAMPLE0"
    page = _planned(hers, TALK.replace("Use pnpm.", f"Use {secret}."))
    assert "secrets cut out" in page
    kept = zlib.decompress(cache.get(f"transcript:{alice.pk}:{_token(page)}")).decode()
    assert "[redacted:" in kept
    assert secret not in kept
    assert hers.post(reverse("session-import-go"), {"token": _token(page)}).status_code == 200
    assert secret not in Message.objects.get().text
    again = hers.post(reverse("session-import-go"), {"token": _token(page)})
    assert again.status_code == 422
    assert "The plan is gone" in again.content.decode()


def test_the_same_file_again_has_nothing_to_go_for(hers: Client) -> None:
    hers.post(reverse("session-import-go"), {"token": _token(_planned(hers, TALK))})
    page = _planned(hers, TALK)
    assert "Everything in it is stored already" in page
    assert 'name="token"' not in page


def test_what_was_uploaded_from_a_plan_is_known_to_the_command(hers: Client, alice: User) -> None:
    secret = "sk_" + "live_EXAMPLE0EXAMPLE0EXAMPLE0"
    data = TALK.replace("Use pnpm.", f"Use {secret}.")
    hers.post(reverse("session-import-go"), {"token": _token(_planned(hers, data))})
    report = transcript_import(user=alice, data=data.encode(), filename="talk.json", now=timezone.now())
    assert (report.messages_known, report.messages_changed, report.messages_new) == (1, 0, 0)


def test_a_plan_is_for_the_person_who_made_it(hers: Client) -> None:
    token = _token(_planned(hers, TALK))
    stranger = signed_in(build.person("bob"))
    assert stranger.post(reverse("session-import-go"), {"token": token}).status_code == 422
    assert stranger.post(reverse("session-import-go"), {}).status_code == 422
    assert not AgentSession.objects.exists()


def test_a_file_without_a_conversation_says_what_is_read(hers: Client) -> None:
    page = _planned(hers, "Dear diary", name="diary.txt")
    assert "No conversation was found" in page
    assert 'name="token"' not in page


def test_a_broken_line_is_named_and_the_rest_stored(hers: Client) -> None:
    def line(number: int, parent: str | None) -> str:
        said = {"role": "user", "content": f"Use pnpm {number}."}
        at = "2026-01-02T03:04:05Z"
        kept = {"type": "user", "uuid": f"u{number}", "parentUuid": parent, "sessionId": "s", "timestamp": at}
        return json.dumps({**kept, "message": said})

    page = _planned(hers, line(1, None), '{"type":"user","uuid', line(2, "u1"), name="s.jsonl")
    assert "1 line cannot be read" in page
    said = hers.post(reverse("session-import-go"), {"token": _token(page)}).content.decode()
    assert "Line 2" in said
    assert Message.objects.count() == 2


def test_a_file_that_is_too_large_for_a_page_is_sent_to_the_command(
    hers: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcripts, "MAX_UPLOAD", 20)
    answer = hers.post(reverse("session-import"), {"file": _file(TALK)})
    assert answer.status_code == 422
    assert "manage.py import" in answer.content.decode()


def test_a_paused_workspace_is_said_before_anything_is_planned(hers: Client, alice: User) -> None:
    home = build.workspace(alice, "shop")
    namespace_pause(namespace=home, user=alice, paused=True, now=timezone.now())
    answer = hers.post(reverse("session-import"), {"file": _file(TALK), "workspace": "shop"})
    assert answer.status_code == 422
    assert "is paused" in answer.content.decode()


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({}, "required"),
        ({"file": SimpleUploadedFile("empty.json", b"")}, "The file is empty"),
        (
            {"file": SimpleUploadedFile("t.json", b"{}"), "persona": "persona:of-nobody"},
            "not one of the available",
        ),
    ],
)
def test_an_upload_that_cannot_be_taken_says_why(
    hers: Client, form: dict[str, object], sentence: str
) -> None:
    answer = hers.post(reverse("session-import"), form)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
