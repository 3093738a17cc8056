"""Prompts are versioned files; only an owner may put other words in their place (design section 4)."""

from __future__ import annotations

import re
from datetime import datetime

import pytest
from django.contrib.auth.models import User

from core.errors import Forbidden, Invalid
from core.models import AuditEvent, Namespace
from core.services.members import member_set
from memory.prompts import CURRENT, bundled
from memory.services.prompts import prompt_for, prompt_override
from tests import build

pytestmark = pytest.mark.django_db


def test_without_an_override_the_bundled_file_serves(api: Namespace) -> None:
    prompt = prompt_for(namespace=api, name="extract")
    assert (prompt.version, prompt.text) == (f"extract/{CURRENT['extract']}", bundled("extract").text)


def test_an_owners_words_serve_that_namespace_alone(api: Namespace, alice: User, now: datetime) -> None:
    prompt_override(namespace=api, user=alice, name="extract", text="Ours.", now=now)
    assert prompt_for(namespace=api, name="extract").text == "Ours."
    assert prompt_for(namespace=api, name="extract").version.endswith("+override")
    other = build.workspace(alice, "web")
    assert prompt_for(namespace=other, name="extract") == bundled("extract")


def test_an_empty_text_returns_to_the_bundled_one(api: Namespace, alice: User, now: datetime) -> None:
    prompt_override(namespace=api, user=alice, name="extract", text="Ours.", now=now)
    prompt_override(namespace=api, user=alice, name="extract", text=" \n", now=now)
    assert prompt_for(namespace=api, name="extract") == bundled("extract")


def test_each_change_is_audited_by_hash_alone(api: Namespace, alice: User, now: datetime) -> None:
    prompt_override(namespace=api, user=alice, name="extract", text="Ours and secret.", now=now)
    event = AuditEvent.objects.get(verb="prompt.changed")
    assert (event.actor_type, event.to_state) == ("person", "override")
    assert "Ours" not in str(event.data)


@pytest.mark.parametrize("role", ["reviewer", "reader", None])
def test_nobody_but_an_owner_may(api: Namespace, alice: User, now: datetime, role: str | None) -> None:
    bob = build.person("bob")
    if role:
        member_set(namespace=api, by=alice, user=bob, role=role, now=now)
    with pytest.raises(Forbidden):
        prompt_override(namespace=api, user=bob, name="extract", text="Mine.", now=now)
    assert prompt_for(namespace=api, name="extract") == bundled("extract")


@pytest.mark.parametrize(
    ("name", "text", "field"),
    [("nope", "x", "name"), ("../etc", "x", "name"), ("extract", "x" * 20_001, "text")],
)
def test_nonsense_is_refused_and_named(
    api: Namespace, alice: User, now: datetime, name: str, text: str, field: str
) -> None:
    with pytest.raises(Invalid) as caught:
        prompt_override(namespace=api, user=alice, name=name, text=text, now=now)
    assert caught.value.details["field"] == field
    assert not AuditEvent.objects.filter(verb="prompt.changed").exists()


@pytest.mark.parametrize("name", CURRENT)
def test_bundled_prompts_name_no_ones_way_of_managing_work(name: str) -> None:
    words = (
        "ticket|board|worktree|jira|kanban|sprint|scrum|spec|epic|story point|user stor(?:y|ie)|backlog|velocity|"
        "burndown|stand-?up|milestone|gantt|okr|waterfall|agile|retrospective|swimlane|trello|asana"
    )
    japanese = "チケット|スプリント|カンバン|かんばん|ボード|バックログ|ワークツリー|エピック|マイルストーン"
    assert re.findall(rf"\b(?:{words})s?\b|{japanese}", bundled(name).text, re.I) == []


def test_the_bundled_prompt_asks_for_lasting_things_and_refuses_mirrors_of_records() -> None:
    text = bundled("extract").text
    for word in ("decision", "pattern", "verbatim", "version history", "logs of", "secrets"):
        assert word in text
