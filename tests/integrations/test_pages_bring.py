"""Settings → Data: bring memories, take a namespace along, bring it back; who may do what."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from core import throttle
from core.models import Namespace
from integrations import forms
from integrations.pages import urlpatterns
from memory.models import Candidate, Memory
from tests import build
from tests.contract.routes import rows
from tests.integrations.holding import wipe
from tests.memory.recalling import remember
from tests.review.scene import share, signed_in

pytestmark = pytest.mark.django_db

DATA = Path(__file__).resolve().parents[1] / "data" / "imports"
ROLES = ("owner", "reviewer", "reader", "stranger")


@pytest.fixture
def people() -> dict[str, User]:
    found = {role: build.person(role) for role in ROLES}
    for person in found.values():
        throttle.forget("archive", str(person.pk))
    return found


@pytest.fixture
def home(people: dict[str, User]) -> Namespace:
    owner = people["owner"]
    space = build.workspace(owner)
    share(space, owner, people["reviewer"], "reviewer")
    share(space, owner, people["reader"], "reader")
    remember(space, "Production runs on Python 3.12.")
    return space


def upload(client: Client, home: Namespace, name: str = "mem0.json", **fields: Any) -> HttpResponse:
    file = SimpleUploadedFile(name, (DATA / name).read_bytes())
    return client.post(  # type: ignore[return-value]
        reverse("data-bring"), {"upload": [file], "namespace": str(home.pk), "format": "auto", **fields}
    )


def go(client: Client, answer: Any, **fields: str) -> HttpResponse:
    form = answer.context["form"]
    return client.post(  # type: ignore[return-value]
        reverse("data-bring-go"),
        {"token": form["token"].value(), "namespace": form["namespace"].value(), **fields},
    )


def test_a_plan_is_shown_first_and_the_word_to_go_brings_it(people: dict[str, User], home: Namespace) -> None:
    client = signed_in(people["owner"])
    before = rows()
    answer = upload(client, home)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "Nothing is stored yet." in page
    assert "Prefers dark mode in every editor" in page
    assert "ghp_" not in page
    assert "stands twice" in page
    assert rows() == before
    done = go(client, answer)
    assert done.status_code == 200
    assert Candidate.objects.filter(namespace=home, source="import", status="pending").count() == 3
    again = go(client, answer)
    assert again.status_code == 422
    assert "gone" in again.content.decode()


def test_the_tick_makes_memories_for_its_owner_alone(people: dict[str, User], home: Namespace) -> None:
    client = signed_in(people["owner"])
    go(client, upload(client, home), reviewed="on")
    assert Memory.objects.filter(namespace=home, actor="import").count() == 3
    reviewer = signed_in(people["reviewer"])
    plan = upload(reviewer, home, "mcp_memory.jsonl")
    assert 'name="reviewed"' not in plan.content.decode()
    refused = go(reviewer, plan, reviewed="on")
    assert refused.status_code == 403
    assert Memory.objects.filter(namespace=home, actor="import").count() == 3


@pytest.mark.parametrize("who", ["reader", "stranger"])
def test_who_cannot_review_there_cannot_bring_there(
    people: dict[str, User], home: Namespace, who: str
) -> None:
    before = rows()
    answer = upload(signed_in(people[who]), home)
    assert answer.status_code == 422
    after = rows()
    assert {name: after[name] for name in before if name != "django_session"} == {
        name: count for name, count in before.items() if name != "django_session"
    }


def test_one_persons_plan_is_not_anothers(people: dict[str, User], home: Namespace) -> None:
    answer = upload(signed_in(people["owner"]), home)
    stolen = go(signed_in(people["reviewer"]), answer)
    assert stolen.status_code == 422
    assert not Candidate.objects.filter(source="import").exists()


def test_what_cannot_be_read_is_said_beside_the_field(people: dict[str, User], home: Namespace) -> None:
    client = signed_in(people["owner"])
    for name, content, said in (
        ("talk.jsonl", b'{"type": "user", "message": {"content": "hi"}}', "Upload a transcript"),
        ("a.bin", b"\x01\x02", "does not know what this is"),
    ):
        answer = client.post(
            reverse("data-bring"),
            {"upload": [SimpleUploadedFile(name, content)], "namespace": str(home.pk), "format": "auto"},
        )
        assert answer.status_code == 422
        assert said in answer.content.decode()
    assert client.post(reverse("data-bring"), {"namespace": str(home.pk)}).status_code == 422


def test_files_that_are_too_large_together_are_refused(
    people: dict[str, User], home: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forms, "MAX_UPLOAD", 100)
    answer = upload(signed_in(people["owner"]), home)
    assert answer.status_code == 422
    assert "Bring them in parts" in answer.content.decode()


def test_a_namespace_goes_along_and_comes_back(people: dict[str, User], home: Namespace) -> None:
    client = signed_in(people["owner"])
    taken = client.post(reverse("data-archive", args=[home.pk]))
    assert taken.headers["Content-Disposition"].startswith('attachment; filename="hikae-workspace-api-')
    data = b"".join(taken.streaming_content)  # type: ignore[attr-defined]
    wipe(home)
    for tried, stored in (("on", 0), ("", 1)):
        fields = {"file": SimpleUploadedFile("a.zip", data), "reference": ""}
        answer = client.post(reverse("data-archive-back"), fields | ({"dry_run": "on"} if tried else {}))
        assert answer.status_code == 200
        assert Memory.objects.filter(content="Production runs on Python 3.12.").count() == stored
    again = client.post(
        reverse("data-archive-back"), {"file": SimpleUploadedFile("a.zip", data), "reference": ""}
    )
    assert again.status_code == 422
    assert "holds something already" in again.content.decode()
    broken = client.post(
        reverse("data-archive-back"), {"file": SimpleUploadedFile("a.zip", b"no"), "reference": ""}
    )
    assert broken.status_code == 422
    assert "no zip file" in broken.content.decode()


def test_only_owners_take_a_namespace_along(people: dict[str, User], home: Namespace) -> None:
    statuses = {
        who: signed_in(people[who]).post(reverse("data-archive", args=[home.pk])).status_code for who in ROLES
    }
    assert statuses == {"owner": 200, "reviewer": 403, "reader": 403, "stranger": 404}


def test_memory_md_is_for_who_may_read(people: dict[str, User], home: Namespace) -> None:
    answers = {who: signed_in(people[who]).post(reverse("data-memory-md", args=[home.pk])) for who in ROLES}
    assert {who: answer.status_code for who, answer in answers.items()} == {
        "owner": 200,
        "reviewer": 200,
        "reader": 200,
        "stranger": 404,
    }
    assert "- Production runs on Python 3.12." in answers["reader"].content.decode()


def test_visitors_sign_in_and_no_link_can_do_an_act(
    people: dict[str, User], home: Namespace, client: Client
) -> None:
    addresses = {
        pattern.name: reverse(str(pattern.name), args=[home.pk] if "<uuid" in str(pattern.pattern) else [])
        for pattern in urlpatterns
        if str(pattern.name).startswith("data-")
    }
    for name, address in addresses.items():
        assert client.post(address).headers["Location"].startswith("/sign-in/"), name
    owner = signed_in(people["owner"])
    assert {name: owner.get(address).status_code for name, address in addresses.items()} == {
        "data-bring": 200,
        "data-bring-go": 405,
        "data-archive-back": 405,
        "data-archive": 405,
        "data-memory-md": 405,
    }


def test_the_data_page_offers_what_one_may(people: dict[str, User], home: Namespace) -> None:
    for who, may in (("owner", True), ("reader", False)):
        page = signed_in(people[who]).get(reverse("data")).content.decode()
        assert (reverse("data-archive", args=[home.pk]) in page) is may
        assert reverse("data-memory-md", args=[home.pk]) in page
    assert (
        reverse("data-bring") in signed_in(people["reader"]).get(reverse("session-import")).content.decode()
    )
