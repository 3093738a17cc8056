"""What an operator's file may not do: write where it is paused, bring secrets in, or undo what somebody changed."""

from __future__ import annotations

import threading

import pytest
from django.contrib.auth.models import User
from django.db import connection, connections, transaction
from django.utils import timezone

from core.locks import lock
from core.models import Namespace
from core.services import audit
from core.services.namespaces import namespace_pause
from memory.models import Memory
from memory.services.memories import memory_edit
from tests import build
from tests.memory.test_load_memories import line, load

pytestmark = pytest.mark.django_db


def test_a_paused_namespace_takes_nothing_and_the_line_says_why(alice: User) -> None:
    api = build.workspace(alice, "api")
    namespace_pause(namespace=api, user=alice, paused=True, now=timezone.now())
    report = load(alice, line("a"), line("b", namespace="workspace:web"))
    assert report.created == 1
    assert [number for number, _reason in report.problems] == [1]
    assert "workspace:api is paused" in report.problems[0][1]
    assert not Memory.objects.filter(namespace=api).exists()
    namespace_pause(namespace=api, user=alice, paused=False, now=timezone.now())
    assert load(alice, line("a")).created == 1


def test_a_secret_in_an_alias_is_taken_out(alice: User) -> None:
    load(alice, line(aliases=["ghp_EXAMPLEexampleEXAMPLEexampleEXAMPLE12", "gateway"]))
    assert Memory.objects.get().aliases == ["[redacted:github-token]", "gateway"]


@pytest.mark.parametrize("aliases", ["gateway", [1], [""], ["x" * 101], ["a\0b"], ["\ud800"]])
def test_a_wrong_alias_is_named_and_the_other_lines_are_loaded(alice: User, aliases: object) -> None:
    report = load(alice, line("a", aliases=aliases), line("b"))
    assert (report.created, [number for number, _reason in report.problems]) == (1, [1])


def test_a_superseded_memory_keeps_its_edit_its_count_and_its_audit(alice: User) -> None:
    load(alice, line("old"), line("new"))
    old = Memory.objects.get(external_id="old")
    memory_edit(memory_id=old.pk, version=1, user=alice, content="Edited.", kind="fact", now=timezone.now())
    assert load(alice, line("old", superseded_by="new")).superseded == 1
    old.refresh_from_db()
    assert (old.status, old.content, old.version) == ("superseded", "Edited.", 3)
    assert audit.verify() == []


@pytest.mark.django_db(transaction=True)
def test_it_waits_for_whoever_decides_in_the_namespace(alice: User) -> None:
    load(alice, line("old"), line("new"))
    api = Namespace.objects.get(name="api")
    started, done = threading.Event(), threading.Event()

    def again() -> None:
        started.set()
        load(alice, line("old", superseded_by="new"))
        done.set()
        connections.close_all()

    worker = threading.Thread(target=again)
    with transaction.atomic():
        lock(f"gate:{api.pk}")
        worker.start()
        assert started.wait(10)
        assert not done.wait(0.5)
        assert Memory.objects.get(external_id="old").status == "active"
    worker.join(20)
    assert done.is_set()
    assert Memory.objects.get(external_id="old").status == "superseded"
    connection.close()
