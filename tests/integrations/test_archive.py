"""Export, wipe, import, export: the same bytes (lessons row 23; schema in docs/export.md)."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from core.actor import Actor
from core.errors import Conflict, DomainError, Invalid
from core.models import AuditEvent, Namespace
from core.services.members import member_set
from integrations.archive.container import Writer
from integrations.archive.tables import TABLES
from integrations.services.archive_export import archive_export
from integrations.services.archive_restore import Restored, archive_restore
from memory.models import Memory, MemoryIndex
from memory.recall.serve import memory_get
from review.exporting import json_line
from tests import build
from tests.contract.routes import rows
from tests.integrations.holding import full, wipe
from tests.memory.recalling import ask, remember

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def archived(django_db_setup: None, django_db_blocker: Any) -> bytes:
    """Alice's whole workspace, made once for this file and rolled back: as if it had been wiped."""
    with django_db_blocker.unblock(), transaction.atomic():
        alice = build.person()
        data = export(full(alice), alice)
        transaction.set_rollback(True)
    return data


def export(home: Namespace, user: User) -> bytes:
    target = io.BytesIO()
    archive_export(
        namespace_id=home.pk, user=user, target=target, actor=Actor.person(user), now=timezone.now()
    )
    return target.getvalue()


def restore(data: bytes, user: User, **kwargs: Any) -> Restored:
    return archive_restore(
        user=user, source=io.BytesIO(data), actor=Actor.person(user), now=timezone.now(), **kwargs
    )


def files(data: bytes) -> dict[str, list[Any]]:
    with zipfile.ZipFile(io.BytesIO(data)) as found:
        names = [name for name in found.namelist() if name.endswith(".jsonl")]
        return {name: [json.loads(line) for line in found.read(name).splitlines()] for name in names}


def changed(data: bytes, file: str, number: int, **fields: Any) -> bytes:
    """The archive with one record changed, and a manifest that fits."""
    held = files(data)
    held[file][number] = {**held[file][number], **fields}
    target = io.BytesIO()
    writer = Writer(target)
    for name, records in held.items():
        writer.add(name, [json_line(record) for record in records])
    writer.close()
    return target.getvalue()


def test_export_wipe_import_export_gives_the_same_bytes() -> None:
    alice = build.person()
    home = full(alice)
    before, pk = export(home, alice), home.pk
    wipe(home)
    report = restore(before, alice)
    assert report.problems == []
    assert report.left_out == {}
    again = Namespace.objects.get(owner=alice, name="api")
    assert again.pk == pk
    after = export(again, alice)
    assert files(after) == files(before)
    assert after == before


def test_the_scene_holds_something_in_every_file(archived: bytes) -> None:
    held = files(archived)
    assert {table.file for table in TABLES} | {"namespace.jsonl"} == set(held)
    assert [name for name, records in held.items() if not records] == []
    states = {record["status"] for record in held["memories.jsonl"]}
    assert states == {"active", "retracted", "deleted"}
    assert {record["status"] for record in held["candidates.jsonl"]} >= {"pending", "approved", "rejected"}
    assert {record["reason"] for record in held["tombstones.jsonl"]} >= {"rejected", "private", "deleted"}
    assert any(record["message"] for record in held["evidence.jsonl"])
    assert any(record["context"] for record in held["memory_history.jsonl"])


def test_what_came_back_is_found_and_leads_to_its_words(archived: bytes) -> None:
    alice, data = build.person(), archived
    restore(data, alice)
    home = Namespace.objects.get(owner=alice, name="api")
    hits = ask("Which service listens on port 8040?", home).hits
    assert hits[0].content == "Service number 4 listens on port 8040."
    indexed = set(MemoryIndex.objects.values_list("memory_id", flat=True))
    assert indexed == set(Memory.objects.active().filter(namespace=home).values_list("pk", flat=True))
    agent_key = build.key(alice, name="new").key
    assert memory_get(agent_key=agent_key, memory_id=hits[0].id, now=timezone.now()).content


def test_a_second_import_changes_nothing_and_says_why() -> None:
    alice = build.person()
    home = full(alice)
    data = export(home, alice)
    before = rows()
    with pytest.raises(Conflict) as refused:
        restore(data, alice)
    assert refused.value.code == "not_empty"
    with pytest.raises(Conflict) as taken:
        restore(data, alice, reference="workspace:copy")
    assert taken.value.code == "ids_taken"
    assert rows() == before


def test_a_dry_run_tries_everything_and_keeps_nothing(archived: bytes) -> None:
    alice, data = build.person(), archived
    before = rows()
    report = restore(data, alice, dry_run=True)
    assert report.counts["memories"] == len(files(data)["memories.jsonl"])
    assert rows() == before


def test_it_comes_back_under_another_name(archived: bytes) -> None:
    alice, data = build.person(), archived
    restore(data, alice, reference="workspace:renamed")
    again = files(export(Namespace.objects.get(owner=alice, name="renamed"), alice))
    assert again["memories.jsonl"] == files(data)["memories.jsonl"]
    assert again["memory_history.jsonl"] == files(data)["memory_history.jsonl"]


def test_another_person_gets_it_without_the_conversations_of_the_first() -> None:
    alice, bob = build.person(), build.person("bob")
    home = full(alice)
    data = export(home, alice)
    with pytest.raises(Conflict):  # the rows are still alice's
        restore(data, bob)
    assert not Namespace.objects.filter(owner=bob, name="api").exists()


def test_a_stranger_and_a_reviewer_cannot_take_it() -> None:
    alice, bob = build.person(), build.person("bob")
    home = build.workspace(alice)
    remember(home, "Production runs on Python 3.12.")
    with pytest.raises(DomainError):
        export(home, bob)
    assert not AuditEvent.objects.filter(verb="namespace.exported").exists()


def test_what_another_member_said_leads_nowhere_in_it() -> None:
    alice, bob = build.person(), build.person("bob")
    home = build.workspace(alice)
    member_set(namespace=home, user=bob, role="owner", by=alice, now=timezone.now())
    remember(home, "Production runs on Python 3.12.")
    held = files(export(home, bob))
    assert held["sessions.jsonl"] == []
    assert [record["session"] for record in held["candidates.jsonl"]] == [None]


def test_rows_of_other_people_cannot_be_named() -> None:
    alice, eve = build.person(), build.person("eve")
    secret = remember(build.workspace(alice), "Production runs on Python 3.12.")
    own = build.workspace(eve, "mine")
    remember(own, "Staging runs on Python 3.13.", kind="decision")
    data = export(own, eve)
    wipe(own)
    pointing = changed(data, "candidates.jsonl", 0, memory=str(secret.pk))
    restore(pointing, eve)
    held = files(export(Namespace.objects.get(owner=eve, name="mine"), eve))
    assert held["candidates.jsonl"][0]["memory"] is None


@pytest.mark.parametrize(
    ("file", "fields", "said"),
    [
        ("memories.jsonl", {"kind": "opinion"}, "kind"),
        ("memories.jsonl", {"content": 7}, "content"),
        ("memories.jsonl", {"content": "a\0b"}, "content"),
        ("memories.jsonl", {"valid_from": "2026-02-30T00:00:00+00:00"}, "valid_from"),
        ("memories.jsonl", {"valid_from": "2026-02-01T00:00:00"}, "valid_from"),
        ("memories.jsonl", {"version": -1}, "version"),
        ("memories.jsonl", {"id": "7"}, "id"),
        ("memories.jsonl", {"odd": 1}, "odd"),
        ("evidence.jsonl", {"message": ["s"]}, "message"),
        ("candidates.jsonl", {"confidence": "high"}, "confidence"),
    ],
)
def test_a_wrong_field_is_named_by_file_and_line(
    file: str, fields: dict[str, Any], said: str, archived: bytes
) -> None:
    alice, data = build.person(), archived
    before = rows()
    report = restore(changed(data, file, 0, **fields), alice)
    [problem] = report.problems
    assert (problem.file, problem.line) == (file, 1)
    assert said in problem.reason
    assert rows() == before


def test_one_id_twice_is_refused_by_line(archived: bytes) -> None:
    alice, data = build.person(), archived
    first = files(data)["memories.jsonl"][0]["id"]
    report = restore(changed(data, "memories.jsonl", 1, id=first), alice)
    assert [(each.file, each.line) for each in report.problems] == [("memories.jsonl", 2)]


def test_contradictions_inside_are_refused_as_a_whole(archived: bytes) -> None:
    alice, data = build.person(), archived
    before = rows()
    deleted = [record["status"] for record in files(data)["memories.jsonl"]].index("deleted")
    with pytest.raises(Conflict, match="contradicts"):
        restore(changed(data, "memories.jsonl", deleted, content="It has a text."), alice)
    assert rows() == before


def test_a_secret_in_an_archive_stops_at_the_door(archived: bytes) -> None:
    alice, data = build.person(), archived
    secret = "ghp_" + "EXAMPLE0123456789abcdefghij012345678"[:36]
    line = next(i for i, r in enumerate(files(data)["memories.jsonl"]) if r["status"] == "active")
    restore(changed(data, "memories.jsonl", line, content=f"The token is {secret}."), alice)
    assert not Memory.objects.filter(content__contains=secret).exists()
    assert Memory.objects.filter(content__startswith="The token is").exists()


def test_damaged_archives_are_refused_with_a_reason(archived: bytes) -> None:
    alice, data = build.person(), archived
    before = rows()
    flipped = bytearray(data)
    flipped[len(data) // 3] ^= 0xFF
    for damaged in (b"", b"no zip", data[:-100], data[: len(data) // 2], bytes(flipped)):
        with pytest.raises(Invalid) as refused:
            restore(damaged, alice)
        assert refused.value.code == "unreadable"
    assert rows() == before
