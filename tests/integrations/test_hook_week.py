"""The hook program against the real server: a week through hooks and the same week through REST; an outage."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from benchmarks.hook_rows import outcome
from benchmarks.hook_week import TOOLS, Session, week
from integrations.simulate import Client, Step, read_recording, write_recording
from tests import build
from tests.integrations.hooking import context_of, golden
from tests.memory.pipeline import scan_all
from tests.review.scene import remembered
from transcripts.models import Turn

pytestmark = pytest.mark.django_db(transaction=True)


def small_week() -> list[Session]:
    begins = timezone.now() - timedelta(days=6)
    return list(week(sessions=4, turns=5, compactions=3, questions=5, begins=begins))


PATIENT = {"HIKAE_SECONDS": "30"}  # a busy machine must not turn these into tests of an outage


def scan() -> None:
    """Past every wait for an earlier turn or a workspace."""
    scan_all(timezone.now() + timedelta(minutes=5))


def through_rest(secret: str, sessions: Sequence[Session]) -> None:
    client = build.api(secret)
    for session in sessions:
        for call in session.calls:
            answer = getattr(client, call.method.lower())(f"/api/v1/{call.path}", dict(call.body))
            assert answer.status_code in (200, 201, 202), (call, answer.content)
        scan()


def person_with_memories(name: str) -> User:
    user = build.person(name)
    default = user.namespaces.get(type="persona", name="default")
    texts = ("Use pnpm for packages.", "テストには必ずpytestを使ってください。")
    for text in (*texts, *(f"{each} runs in CI." for each in TOOLS)):
        remembered(user, default, text)
    return user


def test_a_week_through_hooks_leaves_what_the_same_week_through_rest_leaves(
    live_server: LiveServer, tmp_path: Path
) -> None:
    sessions = small_week()
    ann, bob = person_with_memories("ann"), person_with_memories("bob")
    client = Client(tmp_path, live_server.url, build.key(ann).secret, environment=PATIENT)
    for session in sessions:
        recording = tmp_path / "recording.jsonl"
        write_recording(recording, session.steps)
        for played in client.play(read_recording(recording)):
            assert played.code == 0
        scan()
    assert client.spooled() == []
    through_rest(build.key(bob).secret, sessions)
    hooks, rest = outcome(ann), outcome(bob)
    assert len(rest["candidates"]) > 2
    assert len(rest["choices"]) == 5
    assert len(rest["exposures"]) > 2
    for part in rest:
        assert hooks[part] == rest[part], part


def test_events_of_an_outage_leave_what_they_would_have_left_online(
    live_server: LiveServer, tmp_path: Path
) -> None:
    sessions = small_week()[:2]
    ann, bob = build.person("ann"), build.person("bob")
    online = Client(tmp_path / "online", live_server.url, build.key(ann).secret, environment=PATIENT)
    offline = Client(tmp_path / "offline", "http://127.0.0.1:9", build.key(bob).secret)
    for session in sessions:
        for step in session.steps:
            online.fire(step)
            offline.fire(step)
    waiting = offline.spooled()
    assert len(waiting) == sum(len(session.steps) for session in sessions)
    kept = [(path.name, path.read_bytes()) for path in waiting]
    time.sleep(2.1)  # what is younger its own program sends
    offline.url = live_server.url
    random.Random(3).shuffle(kept)
    for number, (name, data) in enumerate(kept):  # out of order: the names say the order
        (offline.home / "spool" / name).unlink()
        (offline.home / "spool" / f"{number:020d}-{name[21:]}").write_bytes(data)
    offline.flush()
    assert offline.spooled() == []
    for name, data in kept:  # and once more, as if no answer had ever come back
        (offline.home / "spool" / name).write_bytes(data)
    offline.flush()
    assert offline.spooled() == []
    scan()
    left, wanted = outcome(bob), outcome(ann)
    assert len(wanted["said"]) > 15
    # Nobody was there to be shown anything.
    assert left.pop("exposures") == []
    wanted.pop("exposures")
    for part in wanted:
        assert left[part] == wanted[part], part


def test_the_first_event_after_an_outage_sets_the_rest_on_its_way(
    live_server: LiveServer, tmp_path: Path
) -> None:
    client = Client(
        tmp_path, "http://127.0.0.1:9", build.key(build.person("ann")).secret, environment=PATIENT
    )
    for number in range(12):
        client.fire(Step(golden("Stop.full") | {"prompt_id": f"p{number}"}))
    for path in client.spooled():  # long ago
        path.rename(
            path.with_name(path.name.replace(path.name[:20], f"{int(path.name[:20]) - 10**10:020d}", 1))
        )
    client.url = live_server.url
    client.fire(Step(golden("UserPromptSubmit.full")))
    until = time.monotonic() + 60
    while client.spooled() and time.monotonic() < until:
        time.sleep(0.2)
    assert client.spooled() == []
    assert Turn.objects.count() == 13


def test_what_was_approved_is_there_from_the_first_prompt_on(live_server: LiveServer, tmp_path: Path) -> None:
    ann = person_with_memories("ann")
    client = Client(tmp_path, live_server.url, build.key(ann).secret, environment=PATIENT)
    prompt = golden("UserPromptSubmit.minimum") | {
        "prompt": "Which package manager, pnpm?",
        "prompt_id": "p1",
    }
    started = client.fire(Step(golden("SessionStart.minimum")))
    assert started.code == 0
    first = client.fire(Step(prompt)).answer
    assert "Use pnpm for packages." in context_of(first or {})
    again = client.fire(Step(prompt | {"prompt_id": "p2"})).answer
    assert "pnpm" not in context_of(again or {})  # the agent has it already
    client.fire(Step(golden("PostCompact.minimum")))
    after = client.fire(Step(prompt | {"prompt_id": "p3"})).answer
    assert "Use pnpm for packages." in context_of(after or {})  # its window began anew


def test_a_worktree_and_its_main_checkout_are_one_workspace_and_namesakes_are_two(
    live_server: LiveServer, tmp_path: Path
) -> None:
    ann = build.person("ann")
    client = Client(tmp_path, live_server.url, build.key(ann).secret, environment=PATIENT)
    projects = tmp_path / "projects"
    for name, remote in (("a/app", "git@github.com:ann/app.git"), ("b/app", "https://github.com/other/app")):
        git = projects / name / ".git"
        git.mkdir(parents=True)
        (git / "HEAD").write_text("ref: refs/heads/main\n")
        (git / "config").write_text(f'[core]\n\tbare = false\n[remote "origin"]\n\turl = {remote}\n')
    tree = projects / "a" / "app" / ".git" / "worktrees" / "fix"
    tree.mkdir(parents=True)
    (tree / "commondir").write_text("../..\n")
    (tree / "HEAD").write_text("ref: refs/heads/fix\n")
    (projects / "fix").mkdir()
    (projects / "fix" / ".git").write_text(f"gitdir: {tree}\n")
    for number, folder in enumerate(("a/app", "fix", "b/app", "a/app/.git/..")):
        client.fire(Step(golden("SessionStart.minimum") | {"session_id": f"s{number}"}, folder=folder))
    names = dict(ann.agent_sessions.values_list("key", "workspace__name"))
    assert names["s0"] == names["s1"] == names["s3"] == "app"
    assert names["s2"].startswith("app-")
    assert os.fspath(tmp_path) not in str(list(ann.agent_sessions.values_list("fingerprints", flat=True)))
