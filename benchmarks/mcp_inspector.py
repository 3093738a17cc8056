"""The MCP Inspector's command line against the real server: every tool listed and called by somebody else's client.

    .venv/bin/python benchmarks/mcp_inspector.py

Needs Node 22.19 or newer and npm; says so and stops where there is none. Starts a server of its own (``bin/up``).
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.product import running

INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
NEEDS = (22, 19)
CALLS: dict[str, dict[str, str]] = {
    "recall": {"q": "Which package manager?"},
    "remember": {"kind": "decision", "content": "We deploy with containers."},
    "list_namespaces": {},
    "expand_knowledge": {"text": "See #deploy-checklist."},
    "find_knowledge": {},
    "recommend_decision": {
        "questions": json.dumps([{"question": "Which tier?", "options": [{"label": "S"}, {"label": "M"}]}])
    },
}


def node() -> tuple[int, ...] | None:
    found = shutil.which("node")
    if not found or not shutil.which("npm"):
        return None
    said = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    return tuple(int(part) for part in said.strip().lstrip("v").split("."))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--package", default=INSPECTOR, help=f"default {INSPECTOR}")
    parser.add_argument(
        "--any-node", action="store_true", help="try with an older Node (and an older package)"
    )
    given = parser.parse_args()
    version = node()
    if version is None or (version < NEEDS and not given.any_node):
        raise SystemExit(f"The inspector needs Node {'.'.join(map(str, NEEDS))} with npm; found {version}.")
    with tempfile.TemporaryDirectory() as folder, running() as hikae:
        subprocess.run(["npm", "install", "--silent", "--prefix", folder, given.package], check=True)
        program = str(Path(folder) / "node_modules" / ".bin" / "mcp-inspector")

        common = [program, "--cli", f"{hikae.address}/mcp", "--transport", "http"]
        common += ["--header", f"Authorization: Bearer {hikae.key}"]

        def ask(*arguments: str) -> dict[str, Any]:
            done = subprocess.run(
                [*common, *arguments],
                capture_output=True,
                text=True,
                check=False,
                timeout=120,
            )
            if done.returncode:
                raise SystemExit(f"{arguments}: {done.stderr[-2_000:]}{done.stdout[-2_000:]}")
            answer: dict[str, Any] = json.loads(done.stdout)
            return answer

        tools = [tool["name"] for tool in ask("--method", "tools/list")["tools"]]
        print(f"tools: {', '.join(tools)}")
        for name, arguments in CALLS.items():
            pairs = [part for key, value in arguments.items() for part in ("--tool-arg", f"{key}={value}")]
            answer = ask("--method", "tools/call", "--tool-name", name, *pairs)
            print(f"{name}: {'refused' if answer.get('isError') else 'answered'}")
            if answer.get("isError"):
                raise SystemExit(json.dumps(answer)[:2_000])
        for method in ("resources/templates/list", "prompts/list"):
            lists = [value for value in ask("--method", method).values() if isinstance(value, list)]
            print(f"{method}: {len(lists[0])}")


if __name__ == "__main__":
    main()
