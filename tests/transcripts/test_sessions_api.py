"""`POST sessions/` and `PATCH sessions/{key}/`: opened once, completed later, ended for good."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from core.models import Namespace
from core.services.members import member_remove, member_set
from core.services.namespaces import namespace_pause
from tests import build
from transcripts.models import AgentSession, Turn

pytestmark = pytest.mark.django_db
URL = "/api/v1/sessions/"
REMOTE = "r:0123456789abcdef"


@pytest.fixture
def client(alice: User) -> APIClient:
    return build.api(build.key(alice).secret)


def test_a_session_opens_with_the_default_persona_and_makes_its_workspace(client: APIClient) -> None:
    answer = client.post(
        URL,
        {
            "key": "s1",
            "client": "claude_code",
            "workspace": {"name": "api", "fingerprints": [REMOTE]},
            "tz": "Asia/Tokyo",
        },
    )
    assert answer.status_code == 201
    session = AgentSession.objects.get()
    assert answer.json() == {
        "id": str(session.pk),
        "key": "s1",
        "persona": "persona:default",
        "workspace": "workspace:api",
        "paused": False,
        "ended_at": None,
    }
    assert (session.client, session.tz, session.internal) == ("claude_code", "Asia/Tokyo", False)
    again = client.post(URL, {"key": "s1"})
    assert again.status_code == 200
    assert again.json() == answer.json()


def test_a_session_that_a_turn_opened_is_completed(alice: User, client: APIClient) -> None:
    build.persona(alice, "work")
    client.post("/api/v1/turns/", {"session": "s1", "key": "t1", "messages": [{"role": "user", "text": "x"}]})
    assert AgentSession.objects.get().workspace_wait_until is not None
    answer = client.post(URL, {"key": "s1", "persona": "work", "workspace": {"name": "api"}})
    assert (answer.status_code, answer.json()["persona"]) == (200, "persona:work")
    assert answer.json()["workspace"] == "workspace:api"
    assert AgentSession.objects.get().workspace_wait_until is None


@pytest.mark.parametrize("change", [{"workspace": {"name": "web"}}, {"persona": "work"}])
def test_the_first_workspace_and_persona_stay(alice: User, client: APIClient, change: dict[str, Any]) -> None:
    build.persona(alice, "work")
    client.post(URL, {"key": "s1", "workspace": {"name": "api"}})
    answer = client.post(URL, {"key": "s1"} | change)
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "session_changed"
    assert answer.json()["error"]["details"]["field"] == next(iter(change))
    session = AgentSession.objects.get()
    assert (str(session.workspace), str(session.persona)) == ("workspace:api", "persona:default")


def test_the_agent_is_told_that_the_workspace_is_paused(alice: User, client: APIClient) -> None:
    home = build.workspace(alice, "api")
    namespace_pause(namespace=home, user=alice, paused=True, now=timezone.now())
    assert client.post(URL, {"key": "s1", "workspace": {"name": "api"}}).json()["paused"] is True


def test_ending_closes_open_turns_and_may_be_repeated(client: APIClient) -> None:
    client.post(
        "/api/v1/turns/",
        {"session": "a/b", "key": "t1", "closed": False, "messages": [{"role": "user", "text": "x"}]},
    )
    first = client.patch(f"{URL}a/b/", {})
    assert first.status_code == 200
    assert first.json()["ended_at"] is not None
    assert Turn.objects.get().closed_at is not None
    assert client.patch(f"{URL}a/b/", {"ended": True}).json() == first.json()
    client.post(URL, {"key": "a/b"})
    assert AgentSession.objects.get().ended_at is None  # resumed


def test_a_stranger_finds_no_session(client: APIClient) -> None:
    client.post(URL, {"key": "s1", "workspace": {"name": "api"}})
    charlie = build.api(build.key(build.person("charlie")).secret)
    answer = charlie.patch(f"{URL}s1/", {})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "session_not_found")
    mine = charlie.post(URL, {"key": "s1", "workspace": {"name": "api"}})
    assert mine.status_code == 201
    assert Namespace.objects.filter(name="api").count() == 2  # the two never mix


def test_a_shared_workspace_is_written_with_its_owner_and_lost_with_the_membership(alice: User) -> None:
    bob = build.person("bob")
    shared = build.workspace(alice, "api")
    now = timezone.now()
    member_set(namespace=shared, by=alice, user=bob, role="reader", now=now)
    client = build.api(build.key(bob).secret)
    answer = client.post(URL, {"key": "s1", "workspace": {"name": "alice/api"}})
    assert answer.json()["workspace"] == "workspace:alice/api"
    member_remove(namespace=shared, by=alice, user=bob, now=now)
    turn = {"session": "s1", "key": "t1", "messages": [{"role": "user", "text": "x"}]}
    assert client.post("/api/v1/turns/", turn).json()["error"]["code"] == "out_of_reach"
    assert client.patch(f"{URL}s1/", {}).status_code == 403
    assert client.post(URL, {"key": "s2", "workspace": {"name": "alice/api"}}).status_code == 403


def test_a_short_key_works_in_its_workspace_and_nowhere_else(alice: User) -> None:
    own, other = build.workspace(alice, "api"), build.workspace(alice, "web")
    full = build.key(alice)
    build.session(full.key, "elsewhere", workspace=other.name)
    client = build.api(build.key(alice, reach="list", namespaces=[own]).secret)
    assert client.post(URL, {"key": "s1", "workspace": {"name": "api"}}).status_code == 201
    for body in (
        {"key": "s2", "workspace": {"name": "web"}},
        {"key": "s2", "workspace": {"name": "brand-new"}},
        {"key": "s2"},
        {"key": "elsewhere"},
    ):
        answer = client.post(URL, body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "out_of_reach"), body
    assert client.post(URL, {"key": "s2", "persona": "default"}).status_code == 404
    turn = {"key": "t1", "messages": [{"role": "user", "text": "x"}]}
    assert client.post("/api/v1/turns/", turn | {"session": "s1"}).status_code == 201
    assert client.post("/api/v1/turns/", turn | {"session": "elsewhere"}).status_code == 403
    assert client.post("/api/v1/turns/", turn | {"session": "unknown"}).status_code == 403
    assert set(AgentSession.objects.values_list("key", flat=True)) == {"elsewhere", "s1"}
    assert not Namespace.objects.filter(name="brand-new").exists()


def test_keys_without_the_scope_or_past_their_time_are_refused(alice: User) -> None:
    recall = build.api(build.key(alice, scopes=["recall", "decide"]).secret)
    answer = recall.post(URL, {"key": "s1"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "missing_scope")
    now = timezone.now()
    expired = build.key(alice, now=now - timedelta(days=2), expires_at=now - timedelta(days=1))
    answer = build.api(expired.secret).post(URL, {"key": "s1"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "key_expired")
    assert build.api("hik_00000000_nonsense").post(URL, {"key": "s1"}).status_code == 401
    assert APIClient().post(URL, {"key": "s1"}, format="json").status_code == 401
    assert not AgentSession.objects.exists()


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({}, "key", "required"),
        ({"key": " "}, "key", "invalid_key"),
        ({"key": "k" * 201}, "key", "invalid_key"),
        ({"key": 5}, "key", "invalid"),
        ({"key": "s1", "tz": "Mars/Olympus"}, "tz", "unknown_time_zone"),
        ({"key": "s1", "tz": "../etc/passwd"}, "tz", "unknown_time_zone"),
        ({"key": "s1", "client": "c" * 61}, "client", "max_length"),
        ({"key": "s1", "colour": "red"}, "colour", "unknown_field"),
        ({"key": "s1", "workspace": {"name": "api", "path": "x"}}, "workspace.path", "unknown_field"),
        ({"key": "s1", "workspace": {"name": "two words"}}, "workspace.name", "invalid_name"),
        (
            {"key": "s1", "workspace": {"name": "api", "fingerprints": ["x:1"]}},
            "workspace.fingerprints[0]",
            "invalid_fingerprint",
        ),
    ],
)
def test_bad_input_is_refused_with_one_clear_error(
    client: APIClient, body: dict[str, Any], field: str, code: str
) -> None:
    answer = client.post(URL, body)
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert (error["details"]["field"], error["code"]) == (field, code)
    assert error["message"]
    assert not AgentSession.objects.exists()


def test_an_unknown_persona_is_not_found(client: APIClient) -> None:
    answer = client.post(URL, {"key": "s1", "persona": "ghost"})
    assert answer.status_code == 404
    assert answer.json()["error"]["details"]["field"] == "persona"


@pytest.mark.parametrize(
    "raw", [b"{", b'{"key": "a\\u0000b"}', b'{"key": "\\ud800"}', b'{"key": NaN}', b"\xff"]
)
def test_malformed_json_is_refused(client: APIClient, raw: bytes) -> None:
    answer = client.generic("POST", URL, raw, content_type="application/json")  # type: ignore[arg-type]
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] in ("invalid_json", "invalid_text")
