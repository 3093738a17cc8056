"""``manage.py export`` and ``import``: what the pages do, for who has the machine."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from core.models import AuditEvent, Namespace
from integrations.archive.tables import TABLES
from integrations.importers import FORMATS
from memory.models import Candidate, Memory
from tests import build
from tests.contract.routes import rows
from tests.integrations.holding import wipe
from tests.integrations.test_mcp import TOOLS
from tests.memory.recalling import remember
from transcripts.models import AgentSession

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"


def run(*arguments: Any, **options: Any) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    call_command(*map(str, arguments), stdout=out, stderr=err, **options)
    return out.getvalue(), err.getvalue()


def home() -> Namespace:
    alice = build.person()
    space = build.workspace(alice)
    remember(space, "Production runs on Python 3.12.")
    return space


def test_an_archive_is_written_and_brought_back(tmp_path: Path) -> None:
    space = home()
    target, again = tmp_path / "api.zip", tmp_path / "again.zip"
    run("export", "workspace:api", "--user", "alice", "--to", target)
    assert target.stat().st_mode & 0o077 == 0
    wipe(space)
    said, _err = run("import", target, "--user", "alice", "--dry-run")
    assert "memories: 1" in said
    assert not Memory.objects.exists()
    run("import", target, "--user", "alice")
    run("export", "workspace:api", "--user", "alice", "--to", again)
    assert again.read_bytes() == target.read_bytes()
    event = AuditEvent.objects.get(verb="namespace.restored")
    assert (event.actor_type, event.actor_label) == ("operator", "import")


def test_memory_md_is_written_within_its_budget(tmp_path: Path) -> None:
    home()
    target = tmp_path / "MEMORY.md"
    run("export", "workspace:api", "--user", "alice", "--to", target, "--memory-md")
    assert "- Production runs on Python 3.12." in target.read_text(encoding="utf-8")
    run("export", "workspace:api", "--user", "alice", "--to", target, "--memory-md", "--budget", "0")
    assert "1 older memories did not fit" in target.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["workspace:api", "--user", "nobody", "--to", "x.zip"], "no user"),
        (["workspace:web", "--user", "alice", "--to", "x.zip"], "no namespace"),
        (["workspace:alice/api", "--user", "bob", "--to", "x.zip"], "no namespace"),
        (["workspace:api", "--user", "alice", "--to", "nowhere/x.zip"], "cannot be written"),
        (["workspace:api", "--user", "alice", "--to", "x.zip", "--budget", "-1"], "negative"),
    ],
)
def test_what_cannot_be_exported_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    home()
    build.person("bob")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CommandError, match=said):
        run("export", *arguments)
    assert list(tmp_path.iterdir()) == []


def test_memories_of_another_store_are_planned_and_wait(tmp_path: Path) -> None:
    home()
    before = rows()
    said, err = run(
        "import", DATA / "imports" / "mem0.json", "--user", "alice", "--into", "workspace:api", "--dry-run"
    )
    assert rows() == before
    assert "mem0 → workspace:api  (dry run, nothing was stored)" in said
    assert "entries: 6, junk: 50 %" in said
    assert "secrets cut out: 1" in said
    assert "mem0.json, entry 4: the id m1 stands twice" in err
    run("import", DATA / "imports" / "claude_memory", "--user", "alice", "--into", "workspace:api")
    assert set(Candidate.objects.filter(source="import").values_list("status", flat=True)) == {"pending"}
    assert Candidate.objects.filter(why__startswith="imported from claude-memory, deploys.md:7").exists()


def test_a_store_needs_a_namespace_and_transcripts_go_where_they_went() -> None:
    home()
    with pytest.raises(CommandError, match="--into"):
        run("import", DATA / "imports" / "mem0.json", "--user", "alice")
    with pytest.raises(CommandError, match="no namespace"):
        run("import", DATA / "imports" / "mem0.json", "--user", "alice", "--into", "workspace:bob/x")
    talk = DATA / "transcripts" / "aider_0.86.chat.history.md"
    run("import", talk, "--user", "alice", "--workspace", "api")
    assert AgentSession.objects.filter(client="aider").exists()


def test_a_damaged_archive_stores_nothing(tmp_path: Path) -> None:
    home()
    target = tmp_path / "api.zip"
    run("export", "workspace:api", "--user", "alice", "--to", target)
    target.write_bytes(target.read_bytes()[:-50])
    before = rows()
    with pytest.raises(CommandError):
        run("import", target, "--user", "alice", "--into", "workspace:other")
    assert rows() == before


def test_the_documents_name_every_file_and_every_store() -> None:
    export = (ROOT / "docs" / "export.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_]+\.jsonl)`", export))
    assert named == {"namespace.jsonl", *(table.file for table in TABLES)}
    importing = (ROOT / "docs" / "import.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([a-z0-9-]+)` \|", importing, re.MULTILINE)) == set(FORMATS)
    tools = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `([a-z_]+)` \|", tools, re.MULTILINE) == TOOLS
