"""Notes leave as files and come back the same; whatever is wrong, nothing is half imported."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.utils import timezone

from core.errors import Conflict, DomainError, Forbidden, Invalid, NotFound
from core.models import AuditEvent, Namespace
from knowledge.models import Knowledge, Summary
from knowledge.notes.fields import Note
from knowledge.notes.files import NoteFile
from knowledge.notes.packing import FileIn
from knowledge.notes.tree import Tree, read_tree, write_tree
from knowledge.selectors.imports import imports_of
from knowledge.services import notes
from knowledge.services.exporting import knowledge_export
from knowledge.services.import_plan import import_plan
from knowledge.services.import_undo import knowledge_import_undo
from knowledge.services.importing import Imported, knowledge_import
from knowledge.services.rehousing import knowledge_erase
from tests import build
from tests.knowledge import make
from tests.review.scene import share

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def home(alice: User) -> Namespace:
    """Chains, a retired and a resident note, both languages, and a summary."""
    home = build.workspace(alice, "api")
    now = timezone.now()
    written: dict[str, dict[str, Any]] = {
        "first-way": {"title": "最初のやり方", "body": "# 手順\n\n- `make`\n\n---\n\n終わり"},
        "second-way": {"sources": (("memory", "0190f3b4-0000-7000-8000-000000000000"),)},
        "third-way": {"user_invocable": False},
        "lost": {"title": "yes"},
        "every-day": {"model_invocation": True, "description": "123: 456 — read it when: always"},
    }
    first, second, third, lost, _resident = (
        make.knowledge(home, alice, slug, **fields) for slug, fields in written.items()
    )
    notes.knowledge_replace(knowledge_id=first.pk, version=1, user=alice, by_id=second.pk, now=now)
    notes.knowledge_replace(knowledge_id=second.pk, version=1, user=alice, by_id=third.pk, now=now)
    notes.knowledge_retire(knowledge_id=lost.pk, version=1, user=alice, now=now)
    make.summary(home, alice, "# 概要\n\nCIはLinux。")
    return home


def tree_of(home: Namespace) -> Tree:
    return read_tree([FileIn(*each) for each in knowledge_export(namespace=home)])


def tree(*files: NoteFile, summary: str = "") -> Tree:
    return read_tree([FileIn(*each) for each in write_tree(files, summary)])


def brought(home: Namespace, user: User, tree: Tree, **how: Any) -> Imported:
    return knowledge_import(namespace_id=home.pk, user=user, tree=tree, now=timezone.now(), **how)


def wiped(home: Namespace) -> None:
    knowledge_erase(namespace=home)


def test_exported_wiped_imported_and_exported_again_is_equal_to_the_byte(
    alice: User, home: Namespace
) -> None:
    before = knowledge_export(namespace=home)
    files = tree_of(home)
    wiped(home)
    assert knowledge_export(namespace=home) == []
    done = brought(home, alice, files, resident=True)
    assert (done.plan.count("create"), done.plan.summary_act) == (5, "create")
    assert knowledge_export(namespace=home) == before
    assert Knowledge.objects.get(slug="first-way").replaced_by == Knowledge.objects.get(slug="second-way")


def test_importing_what_is_there_changes_nothing(alice: User, home: Namespace) -> None:
    events = AuditEvent.objects.count()
    done = brought(home, alice, tree_of(home))
    assert done.plan.does_nothing
    assert AuditEvent.objects.count() == events


def test_no_note_stands_before_sessions_because_a_file_says_so(alice: User, home: Namespace) -> None:
    files = tree_of(home)
    wiped(home)
    done = brought(home, alice, files)
    assert not Knowledge.objects.filter(model_invocation=True).exists()
    assert [step.note.slug for step in done.plan.resident] == ["every-day"]


def test_a_taken_slug_is_reported_taken_over_or_left(alice: User, home: Namespace) -> None:
    other = tree(NoteFile(make.note("third-way", body="Another text.")), summary="Another summary.")
    with pytest.raises(Invalid) as refused:
        brought(home, alice, other)
    assert [(each["code"], each["path"]) for each in refused.value.details["problems"]] == [
        ("slug_taken", "knowledge/third-way.md"),
        ("summary_there", "memory/summary.md"),
    ]
    brought(home, alice, other, taken="keep")
    assert Summary.objects.get().body == "# 概要\n\nCIはLinux。"
    brought(home, alice, other, taken="update")
    note = Knowledge.objects.get(slug="third-way")
    assert (note.body, note.user_invocable, note.status) == ("Another text.", True, "active")
    assert Summary.objects.get().body == "Another summary."


def test_an_update_leads_old_slugs_elsewhere_and_brings_retired_ones_back(
    alice: User, home: Namespace
) -> None:
    files = tree(
        NoteFile(make.note("third-way"), "replaced", "fourth-way"),
        NoteFile(make.note("fourth-way")),
        NoteFile(make.note("lost")),
        NoteFile(make.note("second-way"), "retired"),
    )
    brought(home, alice, files, taken="update")
    states = dict(Knowledge.objects.values_list("slug", "status"))
    assert states == {
        "first-way": "replaced",
        "second-way": "retired",
        "third-way": "replaced",
        "fourth-way": "active",
        "lost": "active",
        "every-day": "active",
    }


def test_a_deleted_end_of_a_chain_comes_back_in_front_of_what_is_still_there(
    alice: User, home: Namespace
) -> None:
    files, before = tree_of(home), knowledge_export(namespace=home)
    first = Knowledge.objects.get(slug="first-way")
    notes.knowledge_delete(knowledge_id=first.pk, version=first.version, user=alice, now=timezone.now())
    brought(home, alice, files)
    assert knowledge_export(namespace=home) == before


def test_one_bad_file_keeps_all_of_them_out(alice: User, home: Namespace) -> None:
    before = (list(Knowledge.objects.values()), AuditEvent.objects.count())
    files = [FileIn(*each) for each in write_tree([NoteFile(make.note("good"))], "New summary.")]
    with pytest.raises(Invalid) as refused:
        brought(home, alice, read_tree([*files, FileIn("knowledge/bad.md", b"\xff")]), taken="update")
    assert "UTF-8" in refused.value.details["problems"][0]["message"]
    assert (list(Knowledge.objects.values()), AuditEvent.objects.count()) == before


def test_a_successor_that_is_nowhere_is_named(alice: User, home: Namespace) -> None:
    plan = import_plan(namespace=home, tree=tree(NoteFile(make.note("a-note"), "replaced", "nowhere")))
    assert [(each.code, each.about) for each in plan.problems] == [("no_successor", "nowhere")]


def test_a_plan_that_is_no_longer_true_is_not_carried_out(alice: User, home: Namespace) -> None:
    files = tree(NoteFile(make.note("third-way", body="Another text.")))
    seen = import_plan(namespace=home, tree=files, taken="update").seen
    note = Knowledge.objects.get(slug="third-way")
    notes.knowledge_edit(
        knowledge_id=note.pk,
        version=note.version,
        user=alice,
        note=make.note("third-way"),
        now=timezone.now(),
    )
    with pytest.raises(Conflict):
        brought(home, alice, files, taken="update", seen=seen)
    assert Knowledge.objects.get(slug="third-way").body != "Another text."


def test_secrets_in_files_are_cut_out_before_anything_is_kept(alice: User, home: Namespace) -> None:
    secret = "ghp_" + "EXAMPLE" * 5 + "a"
    brought(home, alice, tree(NoteFile(make.note("a-note", body=f"token {secret}"))))
    assert secret not in Knowledge.objects.get(slug="a-note").body


def test_strangers_and_readers_import_nothing(alice: User, home: Namespace) -> None:
    bob, mallory = build.person("bob"), build.person("mallory")
    share(home, alice, bob, "reader")
    files = tree(NoteFile(make.note("a-note")))
    for user, refusal in ((bob, Forbidden), (mallory, NotFound)):
        with pytest.raises(refusal):
            brought(home, user, files)
    assert not Knowledge.objects.filter(slug="a-note").exists()


def test_the_commands_take_a_namespace_along_and_bring_it_back(
    alice: User, home: Namespace, tmp_path: Path
) -> None:
    before = knowledge_export(namespace=home)
    whose = {"user": "alice", "namespace": "workspace:api"}
    for target in (tmp_path / "tree", tmp_path / "tree.zip"):
        call_command("knowledge_export", str(target), stdout=StringIO(), **whose)
        with pytest.raises(CommandError, match="there already"):
            call_command("knowledge_export", str(target), stdout=StringIO(), **whose)
        wiped(home)
        call_command("knowledge_import", str(target), dry_run=True, stdout=StringIO(), **whose)
        assert not Knowledge.objects.exists()
        call_command("knowledge_import", str(target), resident=True, stdout=StringIO(), **whose)
        assert knowledge_export(namespace=home) == before
    events = AuditEvent.objects.filter(verb="knowledge.created", actor_type="operator")
    assert events.count() == 10


def test_the_import_command_says_all_problems_and_changes_nothing(
    alice: User, home: Namespace, tmp_path: Path
) -> None:
    (tmp_path / "a.md").write_text("no front matter")
    said = StringIO()
    with pytest.raises(CommandError, match="Nothing was imported"):
        call_command(
            "knowledge_import",
            str(tmp_path),
            user="alice",
            namespace="workspace:api",
            stderr=said,
            stdout=StringIO(),
        )
    assert "knowledge/a.md: error:" in said.getvalue()
    for wrong in ({"user": "nobody"}, {"namespace": "workspace:other"}):
        with pytest.raises(CommandError):
            call_command(
                "knowledge_import",
                str(tmp_path),
                stdout=StringIO(),
                **{"user": "alice", "namespace": "workspace:api"} | wrong,
            )


def lint(path: Path, **how: Any) -> tuple[int, str]:
    said = StringIO()
    try:
        call_command("knowledge_lint", str(path), stdout=said, stderr=said, **how)
    except SystemExit as end:
        return int(str(end.code)), said.getvalue()
    return 0, said.getvalue()


def test_lint_ends_with_0_1_or_2_and_speaks_to_programs(tmp_path: Path) -> None:
    (tmp_path / "knowledge").mkdir()
    good = tmp_path / "knowledge" / "good.md"
    (_path, data), *_rest = write_tree([NoteFile(make.note("good"))], "")
    good.write_bytes(data)
    assert lint(tmp_path) == (0, "1 note, without a summary, 0 remarks.\n")
    (tmp_path / "knowledge" / "bad.md").write_text("---\ntitle: a\n---\n")
    code, said = lint(tmp_path, json=True)
    told = json.loads(said)
    assert (code, told["errors"]) == (1, 2)
    assert told["problems"][0] == {
        "path": "knowledge/bad.md",
        "level": "error",
        "code": "missing",
        "field": "description",
        "message": "description: This is missing.",
    }
    assert lint(good)[0] == 0
    assert lint(tmp_path / "nowhere")[0] == 2


def test_a_note_that_cannot_be_written_by_hand_cannot_be_imported(alice: User, home: Namespace) -> None:
    with pytest.raises(DomainError):
        brought(home, alice, tree(NoteFile(Note("T", "12-34", "When: never", "Body"))))


def test_lint_works_while_no_server_runs(tmp_path: Path) -> None:
    """As an editor's hook or a build would call it, on a machine that has nothing but the files."""
    note = tmp_path / "good.md"
    (_path, data), *_rest = write_tree([NoteFile(make.note("good"))], "")
    note.write_bytes(data)
    environment = {
        "PATH": os.environ["PATH"],
        "HIKAE_DATA": str(tmp_path / "nowhere"),
        "SECRET_KEY": "EXAMPLE" * 8,
    }
    ends = []
    for path in (note, tmp_path / "missing.md"):
        command = [sys.executable, str(ROOT / "manage.py"), "knowledge_lint", str(path)]
        done = subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
        )
        ends.append((done.returncode, done.stderr.count("Traceback")))
    assert ends == [(0, 0), (2, 0)]


def test_an_import_is_taken_back_as_one_act(alice: User, home: Namespace) -> None:
    """Chains, residents and the retired included: the export reads as before, to the byte."""
    other = build.workspace(alice, "other")
    make.knowledge(other, alice, "first-way", title="Another one", model_invocation=True)
    make.knowledge(other, alice, "stays")
    make.summary(other, alice, "What was there.")
    before = knowledge_export(namespace=other)
    done = knowledge_import(
        namespace_id=other.pk,
        user=alice,
        tree=read_tree([FileIn(path, data) for path, data in knowledge_export(namespace=home)]),
        now=timezone.now(),
        taken="update",
        resident=True,
    )
    assert knowledge_export(namespace=other) != before
    (listed,) = imports_of(namespace=other)
    assert (listed.group, listed.created, listed.changed, listed.summary) == (done.group, 4, 1, True)
    back: dict[str, Any] = {"namespace_id": other.pk, "group": done.group, "now": timezone.now()}
    for stranger in (build.person("mallory"), build.person("bob")):
        if stranger.username == "bob":
            share(other, alice, stranger, "reader")
        with pytest.raises((NotFound, Forbidden)):
            knowledge_import_undo(user=stranger, **back)
    taken = knowledge_import_undo(user=alice, **back)
    assert (taken.done, taken.kept) == (6, ())
    assert knowledge_export(namespace=other) == before
    assert imports_of(namespace=other) == []
    with pytest.raises(Conflict):
        knowledge_import_undo(user=alice, **back)
    with pytest.raises(NotFound):
        knowledge_import_undo(user=alice, **{**back, "namespace_id": home.pk})


def test_what_somebody_changed_since_stays_and_is_named(alice: User, home: Namespace) -> None:
    other, now = build.workspace(alice, "other"), timezone.now()
    tree = read_tree([FileIn(path, data) for path, data in knowledge_export(namespace=home)])
    done = knowledge_import(namespace_id=other.pk, user=alice, tree=tree, now=now)
    mine = Knowledge.objects.get(namespace=other, slug="third-way")
    notes.knowledge_edit(
        knowledge_id=mine.pk, version=mine.version, user=alice, note=make.note("third-way"), now=now
    )
    taken = knowledge_import_undo(namespace_id=other.pk, group=done.group, user=alice, now=now)
    assert taken.kept == ("third-way",)
    assert list(Knowledge.objects.filter(namespace=other).values_list("slug", flat=True)) == ["third-way"]


def test_an_import_that_changes_nothing_leaves_nothing_to_take_back(alice: User, home: Namespace) -> None:
    tree = read_tree([FileIn(path, data) for path, data in knowledge_export(namespace=home)])
    knowledge_import(namespace_id=home.pk, user=alice, tree=tree, now=timezone.now())
    assert imports_of(namespace=home) == []
