"""`context/`, `expand/` and `knowledge/`: what agents get of notes and summaries, and what is remembered of it."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django import Settings
from rest_framework.test import APIClient

from core.models import AgentKey, Namespace
from core.services.namespaces import namespace_pause
from core.text import tokens
from knowledge.models import KnowledgeUse
from knowledge.notes.resident import shorten
from knowledge.services.context import context_serve
from knowledge.services.notes import knowledge_replace, knowledge_retire
from tests import build
from tests.knowledge import make
from transcripts.models import Exposure, Message, Turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(alice: User, key: AgentKey) -> APIClient:
    """With an open session `s1` in `workspace:api`."""
    build.session(key)
    return build.api(build.key(alice, name="second").secret)


@pytest.fixture
def home(client: APIClient, alice: User) -> Namespace:
    return Namespace.objects.get(owner=alice, type="workspace", name="api")


@pytest.fixture
def persona(home: Namespace, alice: User) -> Namespace:
    return Namespace.objects.get(owner=alice, type="persona", name="default")


def sections(client: APIClient, session: str = "s1") -> list[dict[str, Any]]:
    answer = client.get("/api/v1/context/", {"session": session})
    assert answer.status_code == 200, answer.content
    found: list[dict[str, Any]] = answer.json()["sections"]
    return found


def expand(client: APIClient, text: str, session: str = "s1") -> Any:
    answer = client.post("/api/v1/expand/", {"session": session, "text": text})
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_a_session_of_a_namespace_without_anything_starts_with_nothing(client: APIClient) -> None:
    assert sections(client) == []


def test_a_session_starts_with_summaries_and_resident_descriptions(
    alice: User, client: APIClient, home: Namespace, persona: Namespace
) -> None:
    make.summary(home, alice, "# 概要\n\nCIはLinuxで動く。")
    make.summary(persona, alice, "Prefers short answers.")
    make.knowledge(home, alice, model_invocation=True, description="リリース前に読む手順")
    make.knowledge(home, alice, "not-resident")
    found = sections(client)
    assert [(each["type"], each["slug"], each["text"], each["cut"]) for each in found] == [
        ("summary", None, "Prefers short answers.", ""),
        ("summary", None, "# 概要\n\nCIはLinuxで動く。", ""),
        ("knowledge", "deploy-checklist", "#deploy-checklist: リリース前に読む手順", ""),
    ]
    assert all(each["tokens"] == tokens(each["text"]) for each in found)
    assert sorted(Exposure.objects.filter(path="resident").values_list("record_type", flat=True)) == [
        "knowledge",
        "summary",
        "summary",
    ]
    assert not KnowledgeUse.objects.exists()  # being shown is not being used


def test_a_long_summary_is_cut_at_a_line_and_says_so(
    alice: User, client: APIClient, home: Namespace, settings: Settings
) -> None:
    settings.SUMMARY_TOKENS = 100
    make.summary(home, alice, "\n".join(f"Line {n} of what every session should know." for n in range(40)))
    (section,) = sections(client)
    assert 80 < section["tokens"] <= 100
    assert section["text"].endswith("should know.")
    assert "tokens" in section["cut"]


def test_the_whole_resident_part_can_be_capped_and_names_what_is_left_out(
    alice: User, key: AgentKey, home: Namespace
) -> None:
    make.summary(home, alice, "x" * 900 + ".\n" + "y" * 900)
    make.knowledge(home, alice, model_invocation=True)
    found = context_serve(agent_key=key, session="s1", now=timezone.now(), characters=950)
    assert sum(len(each.text) for each in found.sections) <= 950
    assert [each.cut != "" for each in found.sections] == [True, True]
    assert "deploy-checklist" in found.sections[1].cut


def test_an_internal_session_gets_none(
    alice: User, key: AgentKey, client: APIClient, home: Namespace
) -> None:
    make.summary(home, alice, "About the api.")
    build.session(key, "sub", internal=True)
    assert client.get("/api/v1/context/", {"session": "sub"}).status_code == 403


def test_a_paused_namespace_contributes_nothing(alice: User, client: APIClient, home: Namespace) -> None:
    make.summary(home, alice, "About the api.")
    make.knowledge(home, alice)
    namespace_pause(namespace=home, user=alice, paused=True, now=timezone.now())
    answer = client.get("/api/v1/context/", {"session": "s1"}).json()
    assert (answer["sections"], answer["paused"]) == ([], ["workspace:api"])
    assert client.post("/api/v1/expand/", {"session": "s1", "text": "#deploy-checklist"}).status_code == 409


def test_a_called_note_stands_in_the_history_before_it_is_handed_out(
    alice: User, key: AgentKey, client: APIClient, home: Namespace
) -> None:
    note = make.knowledge(home, alice)
    turn = build.turn(key, "リリースは#deploy-checklistを見て", closed=False)
    answer = expand(client, "リリースは#deploy-checklistを見て。#rollback も")
    assert answer["resolved"] == [
        {"slug": "deploy-checklist", "version": 1, "body": note.body, "replaced_by": None}
    ]
    assert answer["missing"] == ["rollback"]
    stored = Message.objects.get(pk=answer["message_id"])
    assert (stored.turn_id, stored.role, stored.origin) == (turn.pk, "system", "injected")
    assert note.body in stored.text
    assert "#rollback: there is no such note" in stored.text
    use = KnowledgeUse.objects.get()
    assert (use.knowledge_id, use.path, use.tokens) == (note.pk, "slug", tokens(note.body))
    assert Exposure.objects.get(path="expansion").record_id == str(note.pk)


def test_between_two_turns_the_item_gets_a_turn_of_its_own_that_nobody_scans(
    alice: User, client: APIClient, home: Namespace
) -> None:
    make.knowledge(home, alice)
    answer = expand(client, "#deploy-checklist please")
    turn = Turn.objects.get(messages=answer["message_id"])
    assert (turn.scan_state, turn.closed_at is not None) == ("done", True)


def test_text_without_a_slug_stores_nothing(client: APIClient, home: Namespace) -> None:
    assert expand(client, "see issue #123, colour #fff, `#code`") == {
        "resolved": [],
        "missing": [],
        "message_id": None,
    }
    assert not Message.objects.exists()


def test_the_workspace_speaks_before_the_persona_and_a_replaced_slug_leads_on(
    alice: User, client: APIClient, home: Namespace, persona: Namespace
) -> None:
    make.knowledge(persona, alice, body="the persona's")
    make.knowledge(home, alice, body="the workspace's")
    old, new = make.knowledge(home, alice, "old-way"), make.knowledge(home, alice, "new-way", body="new")
    knowledge_replace(knowledge_id=old.pk, version=1, user=alice, by_id=new.pk, now=timezone.now())
    found = expand(client, "#deploy-checklist and #old-way")["resolved"]
    assert [(each["slug"], each["body"], each["replaced_by"]) for each in found] == [
        ("deploy-checklist", "the workspace's", None),
        ("old-way", "new", "new-way"),
    ]


def test_retired_and_uncallable_notes_are_not_found(alice: User, client: APIClient, home: Namespace) -> None:
    retired = make.knowledge(home, alice, "retired-one")
    knowledge_retire(knowledge_id=retired.pk, version=1, user=alice, now=timezone.now())
    make.knowledge(home, alice, "quiet-one", user_invocable=False)
    assert expand(client, "#retired-one #quiet-one")["missing"] == ["retired-one", "quiet-one"]
    assert client.get("/api/v1/knowledge/retired-one/", {"session": "s1"}).status_code == 404
    assert client.get("/api/v1/knowledge/quiet-one/", {"session": "s1"}).status_code == 200


def test_notes_are_found_by_what_they_are_for(alice: User, client: APIClient, home: Namespace) -> None:
    make.knowledge(home, alice, description="本番リリース前の確認手順。リリースする前に読む。")
    make.knowledge(
        home, alice, "code-review", description="How we review code; read before opening a pull request."
    )
    ask = {"session": "s1", "q": "新しい版をリリースしたい"}
    assert [each["slug"] for each in client.get("/api/v1/knowledge/", ask).json()["notes"]] == [
        "deploy-checklist"
    ]
    ask["q"] = "open a pull request"
    assert [each["slug"] for each in client.get("/api/v1/knowledge/", ask).json()["notes"]] == ["code-review"]
    ask["q"] = ""
    assert len(client.get("/api/v1/knowledge/", ask).json()["notes"]) == 2
    ask["q"] = "weather in Lisbon"
    assert client.get("/api/v1/knowledge/", ask).json()["notes"] == []


def test_reading_a_note_is_a_use(alice: User, client: APIClient, home: Namespace) -> None:
    note = make.knowledge(home, alice)
    answer = client.get("/api/v1/knowledge/deploy-checklist/", {"session": "s1"})
    assert answer.json()["body"] == note.body
    assert KnowledgeUse.objects.get().path == "read"
    assert Exposure.objects.get().path == "get"


def test_a_stranger_reaches_none_of_it(alice: User, client: APIClient, home: Namespace) -> None:
    make.knowledge(home, alice, model_invocation=True)
    make.summary(home, alice, "About the api.")
    mallory = build.person("mallory")
    stranger = build.key(mallory)
    build.session(stranger.key, "theirs")
    theirs = build.api(stranger.secret)
    assert sections(theirs, "theirs") == []
    assert expand(theirs, "#deploy-checklist", "theirs")["missing"] == ["deploy-checklist"]
    for path in ("context/", "knowledge/", "knowledge/deploy-checklist/"):
        assert theirs.get(f"/api/v1/{path}", {"session": "s1"}).status_code == 404
    assert theirs.get("/api/v1/knowledge/", {"namespace": "workspace:alice/api"}).status_code == 404
    assert theirs.post("/api/v1/expand/", {"session": "s1", "text": "#deploy-checklist"}).status_code == 404
    assert not KnowledgeUse.objects.exists()


@pytest.mark.parametrize("budget", [0, 1, 7, 50, 10_000])
@pytest.mark.parametrize("text", ["", "one. two! three", "一つ目。二つ目。\n三つ目", "x" * 300, "\n\n"])
def test_a_shortened_text_begins_the_whole_one_and_fits(text: str, budget: int) -> None:
    short = shorten(text, budget=budget)
    assert text.startswith(short)
    assert tokens(short) <= budget
    assert (short == text) == (tokens(text) <= budget)
