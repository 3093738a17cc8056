"""Plugin and server of different ages, and what the program tells a person who asks it."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer
from rest_framework.test import APIClient

from integrations.simulate import PROGRAM, Client, Step
from memory.selectors.queue import oldest_due_seconds
from tests import build
from tests.integrations.hooking import event, golden, send
from tests.integrations.test_hook_program import KEY, events_of, says, serving
from tests.memory.pipeline import scan_all
from transcripts import limits
from transcripts.models import Replay, Turn


def told(client: Client, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(PROGRAM), *words], capture_output=True, text=True, timeout=30, check=False,
        env={**client.surroundings(client.root), **environment},
    )  # fmt: skip


# A server from before the hooks: their address is unknown to it.
MISSING = says("404 Not Found", b'{"error": {"code": "not_found", "message": "m", "details": {}}}')


class TestAnOlderServer:
    def test_keeps_every_event_waiting_and_says_what_to_do(self, tmp_path: Path) -> None:
        client = Client(tmp_path, "", KEY)
        with serving(MISSING) as (client.url, _seen):
            client.fire(Step(golden("Stop.full")))
            answer = client.fire(Step(golden("SessionStart.full"))).answer
        assert answer is not None
        assert "update the server" in answer["systemMessage"]
        assert len(client.spooled()) == 2

    def test_that_was_updated_gets_what_waited_and_nothing_more_is_said(self, tmp_path: Path) -> None:
        client = Client(tmp_path, "", KEY)
        with serving(MISSING) as (client.url, _seen):
            client.fire(Step(golden("Stop.full")))
        with serving(says("200 OK", b"{}")) as (client.url, seen):
            answer = client.fire(Step(golden("SessionStart.full"))).answer
        assert answer is None
        assert events_of(seen)[0]["event"]["hook_event_name"] == "SessionStart"


class TestANewerServer:
    def test_may_answer_with_things_that_the_plugin_does_not_know(self, tmp_path: Path) -> None:
        found = {"systemMessage": "m", "later": {"x": [1]}, "suppressOutput": True}
        client = Client(tmp_path, "", KEY)
        with serving(says("200 OK", json.dumps(found).encode())) as (client.url, _seen):
            answer = client.fire(Step(golden("SessionStart.full"))).answer
        assert answer == {"systemMessage": "m"}
        assert client.spooled() == []


@pytest.mark.django_db
class TestAnOlderPlugin:
    """It does not say how many events wait behind the one that it sends."""

    def client(self, name: str = "ann") -> APIClient:
        return build.api(build.key(build.person(name)).secret)

    def late(self, client: APIClient, prompt: str, **more: Any) -> None:
        stop = event("Stop", prompt_id=prompt, last_assistant_message=f"Done with {prompt}.")
        send(client, stop, late=True, **more)

    def test_that_hands_over_its_spool_is_read_when_it_has_been_silent_for_a_moment(self) -> None:
        client = self.client()
        for prompt in ("p2", "p1"):
            self.late(client, prompt)
        now = timezone.now()
        assert scan_all(now) == 0
        assert scan_all(now + limits.REPLAY_QUIET + timedelta(seconds=1)) == 2
        assert not Replay.objects.exists()

    def test_is_waited_for_without_the_server_calling_itself_unready(self) -> None:
        self.late(self.client(), "p1", waiting=7)
        now = timezone.now()
        assert oldest_due_seconds(now=now + timedelta(minutes=2)) is None
        assert oldest_due_seconds(now=now + limits.REPLAY_WAIT + timedelta(minutes=1)) is not None

    def test_does_not_hold_up_anybody_else(self) -> None:
        self.late(self.client(), "p1", waiting=7)
        other = self.client("bob")
        send(other, event("Stop", prompt_id="q1", last_assistant_message="Done."))
        assert scan_all(timezone.now()) == 1
        assert Turn.objects.get(scan_state="waiting").session.user.username == "ann"

    def test_holds_nothing_for_ever(self) -> None:
        client = self.client()
        self.late(client, "p1", waiting=7)
        Replay.objects.update(since=timezone.now() - limits.REPLAY_MOST - timedelta(seconds=1))
        self.late(client, "p2", waiting=7)
        assert scan_all(timezone.now()) == 2


class TestTell:
    def test_each_kind_of_memory_is_sent_to_its_own_page(self, tmp_path: Path) -> None:
        client = Client(tmp_path, "http://127.0.0.1:9", KEY)
        shop = tmp_path / "shop"
        shop.mkdir()
        (shop / "CLAUDE.md").write_text("- Use pnpm.\n")
        name = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(shop.resolve()))
        talks = tmp_path / "claude" / "projects" / name
        talks.mkdir(parents=True)
        (talks / "s1.jsonl").write_text("{}\n")
        where = {"CLAUDE_CONFIG_DIR": str(tmp_path / "claude")}
        done = told(client, "import", str(shop), **where)
        assert done.returncode == 0, done.stderr
        first, second = done.stdout.split("Memories, rules")
        assert "s1.jsonl" in first
        assert client.url + reverse("session-import") in first
        assert "CLAUDE.md" in second
        assert client.url + reverse("data-bring") in second

    def test_a_project_without_any_is_told_where_to_bring_them_from(self, tmp_path: Path) -> None:
        client = Client(tmp_path, "http://127.0.0.1:9", KEY)
        (tmp_path / "empty").mkdir()
        done = told(client, "import", str(tmp_path / "empty"))
        assert "nothing here" in done.stdout
        assert reverse("data-bring") in done.stdout


@pytest.mark.django_db(transaction=True)
def test_a_proposal_is_announced_once_and_the_next_session_says_how_many_wait(
    live_server: LiveServer, tmp_path: Path
) -> None:
    ann = build.person("ann")
    client = Client(tmp_path, live_server.url, build.key(ann).secret, environment={"HIKAE_SECONDS": "30"})
    start, prompt = golden("SessionStart.minimum"), golden("UserPromptSubmit.minimum")
    assert "systemMessage" not in (client.fire(Step(start)).answer or {})
    client.fire(Step(prompt | {"prompt": "From now on use pnpm, not npm.", "prompt_id": "p1"}))
    client.fire(Step(golden("Stop.minimum") | {"prompt_id": "p1", "last_assistant_message": "Yes."}))
    scan_all(timezone.now() + timedelta(minutes=2))
    said = client.fire(Step(prompt | {"prompt": "Go on.", "prompt_id": "p2"})).answer or {}
    assert "pnpm" in said["systemMessage"]
    assert "/settings/memory/" in said["systemMessage"]
    assert "pnpm" not in json.dumps(said.get("hookSpecificOutput", {}))  # the agent gets what was approved
    again = client.fire(Step(prompt | {"prompt": "And on.", "prompt_id": "p3"})).answer or {}
    assert "systemMessage" not in again
    begun = client.fire(Step(start | {"session_id": "another"})).answer or {}
    assert "1 proposal waits" in begun["systemMessage"]
