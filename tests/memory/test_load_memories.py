"""An operator vouches for memories and loads them past the queue (design section 7)."""

from __future__ import annotations

import json
import time
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.utils import timezone

from core.actor import Actor
from core.models import AuditEvent, Namespace
from core.services import audit
from memory.models import Candidate, Memory, MemoryTerm
from memory.services.loading import LoadReport, memories_load
from memory.services.memories import memory_delete
from tests import build

pytestmark = pytest.mark.django_db


def line(external_id: str = "m1", **fields: Any) -> dict[str, Any]:
    return {
        "external_id": external_id,
        "namespace": "workspace:api",
        "kind": "fact",
        "content": f"Service {external_id} listens on port 8080.",
    } | fields


def load(user: User, *rows: dict[str, Any] | str) -> LoadReport:
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    return memories_load(user=user, lines=lines, actor=Actor.operator("test"), now=timezone.now())


class TestLoading:
    def test_a_line_becomes_a_searchable_memory_with_the_operators_badge(self, alice: User) -> None:
        report = load(alice, line(aliases=["gateway"], at="2026-01-02T03:04:05+09:00"))
        memory = Memory.objects.get()
        assert (report.created, report.problems) == (1, [])
        assert (memory.actor, memory.status, str(memory.namespace)) == ("operator", "active", "workspace:api")
        assert memory.valid_from.isoformat() == "2026-01-01T18:04:05+00:00"
        assert memory.aliases == ["gateway"]
        assert MemoryTerm.objects.filter(memory=memory, term="8080").exists()
        assert not Candidate.objects.exists()

    def test_repeating_it_changes_nothing(self, alice: User) -> None:
        rows = [line("a"), line("b", superseded_by="c"), line("c")]
        load(alice, *rows)
        before = list(Memory.objects.order_by("pk").values())
        again = load(alice, *rows)
        assert (again.created, again.known, again.superseded, again.problems) == (0, 3, 0, [])
        assert list(Memory.objects.order_by("pk").values()) == before

    def test_the_same_id_elsewhere_is_another_memory(self, alice: User) -> None:
        report = load(alice, line("a"), line("a", namespace="persona:default"))
        assert report.created == 2

    def test_the_same_id_twice_in_a_file_is_loaded_once(self, alice: User) -> None:
        report = load(alice, line("a"), line("a"))
        assert (report.created, report.known) == (1, 1)

    def test_superseded_by_may_point_to_a_later_line(self, alice: User) -> None:
        report = load(
            alice,
            line("old", content="Production runs on Python 3.11.", at="2025-01-01", superseded_by="new"),
            line("new", content="Production runs on Python 3.12.", at="2026-01-01"),
        )
        old, new = (Memory.objects.get(external_id=name) for name in ("old", "new"))
        assert report.superseded == 1
        assert (old.status, old.superseded_by, old.valid_to) == ("superseded", new, new.valid_from)
        assert new.status == "active"
        assert not MemoryTerm.objects.filter(memory=old).exists()

    def test_a_deleted_memory_does_not_come_back(self, alice: User) -> None:
        load(alice, line())
        memory = Memory.objects.get()
        memory_delete(memory_id=memory.pk, version=memory.version, user=alice, now=timezone.now())
        report = load(alice, line())
        assert (report.created, report.known) == (0, 1)
        assert Memory.objects.get().status == "deleted"

    def test_secrets_are_taken_out(self, alice: User) -> None:
        load(
            alice, line(content="The token is ghp_EXAMPLEexampleEXAMPLEexampleEXAMPLE12, rotate it monthly.")
        )
        assert "ghp_" not in Memory.objects.get().content

    def test_it_is_audited_by_ids_and_hashes_and_the_chain_holds(self, alice: User) -> None:
        load(alice, line("a"), line("b", superseded_by="a"))
        events = AuditEvent.objects.filter(actor_type="operator")
        assert set(events.values_list("verb", flat=True)) >= {"memory.loaded", "memory.superseded"}
        assert "listens" not in str(list(events.values()))
        assert audit.verify() == []

    def test_it_goes_into_the_named_persons_namespaces_alone(self, alice: User) -> None:
        mallory = build.person("mallory")
        build.workspace(mallory, "api")
        load(alice, line())
        assert Memory.objects.get().namespace.owner == alice
        assert not Memory.objects.visible_to(mallory).exists()


BAD: dict[str, tuple[str | dict[str, Any], str]] = {
    "no JSON": ("{", "Expecting"),
    "a list": ("[1]", "object"),
    "nested": ("[" * 100_000, "nested"),
    "unknown field": (line(colour="red"), "colour"),
    "an unknown field that cannot be printed": ('{"\\udcff": 1}', "unknown field"),
    "missing field": ({"external_id": "x"}, "missing"),
    "unknown kind": (line(kind="wish"), "kind"),
    "empty": (line(content=" …"), "empty"),
    "100 KB": (line(content="x" * 100_000), "long"),
    "NUL": (line(content="a\0b"), "NUL"),
    "lone surrogate": (line(content="a").__class__(line(), content="\ud800"), "surrogate"),
    "a number for text": (line(content=7), "content"),
    "a list for text": (line(kind=["fact"]), "kind"),
    "foreign namespace": (line(namespace="workspace:mallory/secret"), "namespace"),
    "no namespace": (line(namespace="everything"), "namespace"),
    "a name with blanks": (line(namespace="workspace:a b"), "without spaces"),
    "no time": (line(at="yesterday"), "at"),
    "a day that is none": (line(at="2026-02-30"), "day"),
    "aliases": (line(aliases=[1]), "aliases"),
    "a long id": (line("x" * 201), "external_id"),
    "superseded by nothing": (line("lonely", superseded_by="nobody"), "superseded_by"),
}


@pytest.mark.parametrize(("row", "word"), BAD.values(), ids=BAD)
def test_a_bad_line_is_named_and_the_rest_is_loaded(
    alice: User, row: str | dict[str, Any], word: str
) -> None:
    bad = row if isinstance(row, str) else json.dumps(row)
    report = load(alice, line("a"), bad, line("z"))
    [(number, reason)] = report.problems
    assert (number, word.lower() in reason.lower()) == (2, True), reason
    reason.encode("utf-8")
    assert set(Memory.objects.values_list("external_id", flat=True)) - {"lonely"} == {"a", "z"}
    assert Namespace.objects.filter(type="workspace").count() == 1


class TestCommand:
    def run(self, path: Path, *options: str) -> str:
        out = StringIO()
        call_command("load_memories", str(path), "--user", "alice", *options, stdout=out, stderr=out)
        return out.getvalue()

    def test_it_loads_only_what_somebody_says_to_have_reviewed(self, alice: User, tmp_path: Path) -> None:
        path = tmp_path / "m.jsonl"
        path.write_text(json.dumps(line()) + "\n\n", encoding="utf-8")
        with pytest.raises(CommandError, match="--reviewed"):
            self.run(path)
        assert not Memory.objects.exists()
        assert "1 loaded" in self.run(path, "--reviewed")

    def test_a_line_of_broken_bytes_is_named_like_any_other(self, alice: User, tmp_path: Path) -> None:
        path = tmp_path / "m.jsonl"
        good = [json.dumps(line(name)).encode() for name in ("a", "z")]
        path.write_bytes(b"\xef\xbb\xbf" + good[0] + b'\n{"external_id": "\xff"}\n' + good[1] + b"\n")
        with pytest.raises(CommandError, match="not loaded"):
            self.run(path, "--reviewed")
        assert Memory.objects.count() == 2

    def test_an_unknown_person_is_named(self, tmp_path: Path) -> None:
        path = tmp_path / "m.jsonl"
        path.write_text("", encoding="utf-8")
        with pytest.raises(CommandError, match="alice"):
            self.run(path, "--reviewed")


def test_thousands_of_lines_load_in_reasonable_time(alice: User) -> None:
    rows = [line(f"m{n}", content=f"Service number {n} listens on port {10_000 + n}.") for n in range(2_000)]
    started = time.monotonic()
    report = load(alice, *rows)
    assert (report.created, report.problems) == (2_000, [])
    assert time.monotonic() - started < 30
