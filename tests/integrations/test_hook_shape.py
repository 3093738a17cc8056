"""What the plugin is made of: the standard library of Python 3.9, the server's own redactor, hooks that never wait."""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path

from integrations.simulate import FLAGS, PROGRAM
from tests.integrations.test_hook_program import ANSWERED, EVENTS, KEY

ROOT = Path(__file__).parents[2]
PLUGIN = PROGRAM.parent


class TestShape:
    def files(self) -> list[Path]:
        return sorted(PLUGIN.rglob("*.py"))

    def test_the_redactor_is_the_servers_own(self) -> None:
        assert (PLUGIN / "hikae_hook" / "redact.py").read_bytes() == (
            ROOT / "core" / "redact.py"
        ).read_bytes()

    def test_it_reads_as_python_3_9(self) -> None:
        assert len(self.files()) > 8
        for path in self.files():
            ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 9))

    def test_it_needs_the_standard_library_alone(self) -> None:
        for path in self.files():
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom) and node.module:
                    names = [node.module]
                for name in names:
                    top = name.partition(".")[0]
                    assert top in sys.stdlib_module_names or top == "hikae_hook", (path, name)
                    assert top not in ("fcntl", "pwd", "grp", "termios"), f"{path}: not on Windows"

    def test_every_hook_has_a_timeout_in_seconds_and_no_matcher_takes_every_tool(self) -> None:
        hooks = json.loads((PLUGIN / "hooks" / "hooks.json").read_text(encoding="utf-8"))["hooks"]
        assert set(hooks) == set(EVENTS)
        for name, entries in hooks.items():
            for entry in entries:
                assert entry.get("matcher") == ("AskUserQuestion" if "ToolUse" in name else None)
                for hook in entry["hooks"]:
                    assert hook["type"] == "command"
                    assert 1 <= hook["timeout"] <= 10
                    assert "onFailure" not in hook
                    assert hook["args"] == [*FLAGS, "${CLAUDE_PLUGIN_ROOT}/hook.py", "event"]
                    assert not (hook.get("async") and name in ANSWERED)

    def test_no_path_leaves_the_plugin(self) -> None:
        for path in [*PLUGIN.rglob("*.json"), *PLUGIN.parent.glob(".claude-plugin/*.json")]:
            text = path.read_text(encoding="utf-8")
            json.loads(text)
            assert ".." not in text
            assert KEY[:4] not in text

    def test_versions_agree(self) -> None:
        from integrations.hooks.limits import PROTOCOL

        plugin = json.loads((PLUGIN / ".claude-plugin" / "plugin.json").read_text(encoding="utf-8"))
        market = json.loads(
            (PLUGIN.parent / ".claude-plugin" / "marketplace.json").read_text(encoding="utf-8")
        )
        text = (PLUGIN / "hikae_hook" / "__init__.py").read_text(encoding="utf-8")
        assert f'VERSION = "{plugin["version"]}"' in text
        assert market["plugins"][0]["version"] == plugin["version"]
        assert f"PROTOCOL = {PROTOCOL} " in text
