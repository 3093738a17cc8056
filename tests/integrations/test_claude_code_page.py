"""The page of the plugin, and the file that it offers: this server's address in it, nobody's key."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.models import AgentKey, AuditEvent
from integrations.models import HookEvent, HookSettings
from integrations.services.hooks.ledger import events_purge
from integrations.simulate import PROGRAM
from integrations.tasks import events_purge as purge_task
from tests import build
from tests.integrations.hooking import golden, send
from tests.review.scene import signed_in

pytestmark = pytest.mark.django_db
PLUGIN = PROGRAM.parent.parent


class TestTheFile:
    def fetch(self) -> zipfile.ZipFile:
        response = Client().get(reverse("claude-code-zip"), headers={"host": "127.0.0.1:8123"})
        assert (response.status_code, response.headers["Content-Type"]) == (200, "application/zip")
        return zipfile.ZipFile(io.BytesIO(response.content))

    def test_it_is_the_plugin_with_this_servers_address(self) -> None:
        archive = self.fetch()
        names = set(archive.namelist())
        assert {
            ".claude-plugin/marketplace.json",
            "hikae/.claude-plugin/plugin.json",
            "hikae/hook.py",
        } <= names
        assert "__main__.py" in names
        assert not [name for name in names if "pycache" in name or name.startswith(("/", ".."))]
        assert json.loads(archive.read("hikae/server.json")) == {"url": "http://127.0.0.1:8123"}
        entry = json.loads(archive.read("hikae/.mcp.json"))["mcpServers"]["hikae"]
        assert entry["url"] == "http://127.0.0.1:8123/mcp"
        assert "Authorization" not in json.dumps(entry)
        for path in PLUGIN.rglob("*.py"):
            assert archive.read(path.relative_to(PLUGIN).as_posix()) == path.read_bytes()

    def test_no_key_is_in_it_and_a_foreign_host_is_refused(self) -> None:
        build.key(build.person())
        everything = b"".join(self.fetch().read(name) for name in self.fetch().namelist())
        assert AgentKey.objects.get().prefix.encode() not in everything
        assert Client().get(reverse("claude-code-zip"), headers={"host": "evil.example"}).status_code == 400

    def test_run_as_a_program_it_unpacks_itself_and_says_what_to_type(self, tmp_path: Path) -> None:
        path = tmp_path / "claude-code.zip"
        path.write_bytes(Client().get(reverse("claude-code-zip")).content)
        home = tmp_path / "home"
        environment = {
            "HIKAE_HOME": str(home),
            "PATH": os.path.dirname(sys.executable),
            "HOME": str(tmp_path),
        }

        def run(*words: str) -> str:
            done = subprocess.run(
                [sys.executable, str(path), *words], env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                text=True, timeout=60, check=True,
            )  # fmt: skip
            return done.stdout

        (tmp_path / "key-before").write_text("x")
        said = run("--yes")
        assert f"/plugin marketplace add {home / 'plugin'}" in said
        assert (home / "plugin" / "hikae" / "hook.py").is_file()
        run("--yes")  # again: an update
        (home / "key").write_text("hik_00000000_EXAMPLE")
        assert "hik_" not in run("--uninstall")
        assert not (home / "plugin").exists()
        assert (home / "key").exists()

    def test_without_a_terminal_it_asks_for_consent_in_words_and_names_the_missing_key(
        self, tmp_path: Path
    ) -> None:
        home = tmp_path / "home"
        environment = {"HIKAE_HOME": str(home), "PATH": "/nonexistent", "HOME": str(tmp_path)}

        def run(*words: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run(
                [sys.executable, str(PLUGIN / "__main__.py"), *words], env=environment, stdin=subprocess.DEVNULL,
                capture_output=True, text=True, timeout=60, check=False,
            )  # fmt: skip

        refused = run()
        assert refused.returncode == 1
        assert "Add --yes if you agree" in refused.stderr
        assert not home.exists()
        assert f"There is no agent key yet. Put it into {home / 'key'}" in run("--yes").stdout
        (home / "key").write_text("hik_00000000_EXAMPLE")
        assert "no agent key" not in run("--yes").stdout

    def test_a_machine_without_python3_by_that_name_gets_its_own(self, tmp_path: Path) -> None:
        home = tmp_path / "home"
        (tmp_path / "bin").mkdir()
        environment = {"HIKAE_HOME": str(home), "PATH": str(tmp_path / "bin"), "HOME": str(tmp_path)}
        subprocess.run(
            [sys.executable, str(PLUGIN / "__main__.py"), "--yes"], env=environment, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=60, check=True,
        )  # fmt: skip
        hooks = json.loads((home / "plugin" / "hikae" / "hooks" / "hooks.json").read_text())["hooks"]
        assert {
            hook["command"] for entries in hooks.values() for each in entries for hook in each["hooks"]
        } == {sys.executable}


class TestThePage:
    def test_it_leads_from_the_keys_to_the_first_event(self) -> None:
        alice = build.person()
        client = signed_in(alice)
        assert reverse("claude-code") in client.get(reverse("settings")).content.decode()
        page = client.get(reverse("claude-code")).content.decode()
        assert "Nothing has come from a plugin yet" in page
        assert "http://testserver/integrations/claude-code.zip" in page
        send(build.api(build.key(alice, name="studio").secret), golden("Stop.full"), late=True)
        page = client.get(reverse("claude-code")).content.decode()
        assert "The last event was Stop" in page
        assert "studio" in page
        assert "from the spool" in page

    def test_another_persons_events_are_not_mine(self) -> None:
        send(build.api(build.key(build.person("bob")).secret), golden("Stop.full"))
        page = signed_in(build.person()).get(reverse("claude-code")).content.decode()
        assert "Nothing has come from a plugin yet" in page

    def test_the_switches_are_kept_and_written_down(self) -> None:
        alice = build.person()
        client = signed_in(alice)
        answer = client.post(reverse("claude-code"), {"resident": "on", "recall": "on"})
        assert answer.status_code == 302
        own = HookSettings.objects.get(user=alice)
        assert (own.resident, own.recall, own.recommend, own.announce, own.waiting) == (
            True,
            True,
            False,
            False,
            False,
        )
        audited = AuditEvent.objects.get(verb="settings.changed")
        assert audited.data["fields"] == ["hooks.announce", "hooks.recommend", "hooks.waiting"]
        client.post(reverse("claude-code"), {"resident": "on", "recall": "on"})
        assert AuditEvent.objects.filter(verb="settings.changed").count() == 1

    def test_a_visitor_signs_in_first(self) -> None:
        assert Client().get(reverse("claude-code")).status_code == 302

    def test_a_key_says_what_it_lacked(self) -> None:
        alice = build.person()
        send(build.api(build.key(alice, scopes=["ingest"]).secret), golden("SessionStart.full"))
        assert "SessionStart needed recall" in signed_in(alice).get(reverse("settings")).content.decode()


def test_old_events_are_forgotten() -> None:
    send(build.api(build.key(build.person()).secret), golden("Stop.full"))
    assert events_purge(now=timezone.now()) == 0
    HookEvent.objects.update(received_at=timezone.now() - timedelta(days=46))
    purge_task()
    assert not HookEvent.objects.exists()
