"""What a very large file costs: ``manage.py import`` on files of 200 MB, as somebody would type it.

    .venv/bin/python -m benchmarks.imports [--mb 200] [--only chatgpt moai ...] [--full chatgpt ...]

Starts servers of its own, without workers: what is imported is stored and not scanned. Each file is made, tried with
``--dry-run`` and, for the stores named by ``--full``, imported, then deleted. Time is of the wall and of the command's
own processor time; memory is the most that the command's process ever held, Django's 120 MB included.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import stack

WORDS = ("deploy", "cache", "queue", "billing", "search", "staging", "rollback", "token", "worker", "index")


def said(number: int) -> str:
    picked = " ".join(WORDS[(number * step + step) % len(WORDS)] for step in (1, 3, 5, 7))
    return (
        f"Number {number}: the {picked} of team {number % 97} is checked before each release, 必ず確認する。"
    )


def _message(number: int, role: str, parent: str | None) -> dict[str, object]:
    body = {
        "id": f"m{number}",
        "author": {"role": role},
        "create_time": 1.7e9 + number,
        "content": {"content_type": "text", "parts": [said(number) * 4]},
    }
    return {"id": f"m{number}", "parent": parent, "children": [f"m{number + 1}"], "message": body}


def chatgpt() -> Iterator[str]:
    """One document on one line, as the export is; forty messages a conversation."""
    number = 0
    while True:
        nodes: dict[str, object] = {}
        parent = None
        for step in range(40):
            nodes[f"m{number}"] = _message(number, ("user", "assistant")[step % 2], parent)
            parent, number = f"m{number}", number + 1
        talk = {"title": said(number), "conversation_id": f"c{number}", "current_node": parent}
        yield ("[" if number == 40 else ", ") + json.dumps({**talk, "mapping": nodes})


def moai() -> Iterator[str]:
    number = 0
    while True:
        line: dict[str, object] = {
            "decision_id": f"d{number}",
            "question": said(number),
            "user_choice": "M",
            "timestamp": "2026-05-04T02:00:00Z",
        }
        yield json.dumps(line | ({"all_options": ["S", "M", "L"]} if number % 2 else {})) + "\n"
        number += 1


def aider() -> Iterator[str]:
    number = 0
    while True:
        yield f"\n# aider chat started at 2026-01-{number % 28 + 1:02d} {number % 24:02d}:00:00\n\n"
        for step in range(50):
            yield f"#### {said(number * 50 + step)}  \n\n{said(number + step) * 6}\n\n"
            yield "> Tokens: 1.2k sent, 90 received.\n\n"
        number += 1


def plain() -> Iterator[str]:
    """JSON Lines, a turn each, forty turns a session."""
    number = 0
    while True:
        messages = [{"role": "user", "text": said(number)}, {"role": "assistant", "text": said(number) * 6}]
        yield json.dumps({"session": f"s{number // 40}", "key": f"t{number}", "messages": messages}) + "\n"
        number += 1


def document() -> Iterator[str]:
    """The same as one document on one line."""
    for number, line in enumerate(plain()):
        yield ('{"turns": [' if not number else ", ") + line.rstrip()


def mem0() -> Iterator[str]:
    number = 0
    while True:
        row = {
            "id": f"i{number}",
            "memory": said(number),
            "user_id": "u",
            "created_at": "2026-05-04T02:00:00Z",
        }
        yield ('{"results": [' if not number else ", ") + json.dumps(row)
        number += 1


def mcp_memory() -> Iterator[str]:
    number = 0
    while True:
        row = {"type": "entity", "entityType": "t", "name": f"E{number}", "observations": [said(number)]}
        yield json.dumps(row) + "\n"
        number += 1


@dataclass(frozen=True)
class Kind:
    """A store: the name of its file, what makes the rows, what ends the file, and what the command is told."""

    file: str
    rows: Callable[[], Iterator[str]]
    end: str = ""
    arguments: Sequence[str] = ()


INTO = ("--into", "persona:default", "--from")
KINDS = {
    "chatgpt": Kind("conversations.json", chatgpt, "]", (*INTO, "chatgpt")),
    "moai": Kind("decisions.jsonl", moai, "", (*INTO, "moai")),
    "mem0": Kind("mem0.json", mem0, "]}", (*INTO, "mem0")),
    "mcp-memory": Kind("memory.jsonl", mcp_memory, "", (*INTO, "mcp-memory")),
    "aider": Kind(".aider.chat.history.md", aider),
    "plain": Kind("turns.jsonl", plain),
    "document": Kind("turns.json", document, "]}"),
}


def make(path: Path, kind: Kind, size: int) -> None:
    left = size - len(kind.end)
    with path.open("w", encoding="utf-8") as file:
        for row in kind.rows():
            left -= len(row.encode())
            if left < 0:
                break
            file.write(row)
        file.write(kind.end)


def run(arguments: Sequence[str]) -> tuple[float, float, float, str]:
    """Seconds of the wall, seconds of the processor, most memory in MB, and what the command said."""
    with tempfile.TemporaryFile("w+") as out:
        began = time.monotonic()
        command = [sys.executable, str(ROOT / "manage.py"), *arguments]
        actions = [(os.POSIX_SPAWN_DUP2, out.fileno(), 1), (os.POSIX_SPAWN_DUP2, out.fileno(), 2)]
        pid = os.posix_spawn(sys.executable, command, os.environ, file_actions=actions)
        _pid, status, used = os.wait4(pid, 0)
        wall = time.monotonic() - began
        out.seek(0)
        said = " · ".join(line.strip() for line in out.read().splitlines()[1:9])
    if status:
        said = f"exit {os.waitstatus_to_exitcode(status)}: {said}"
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, said[:300]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mb", type=int, default=200)
    parser.add_argument("--only", nargs="*", choices=KINDS, default=list(KINDS))
    parser.add_argument("--full", nargs="*", choices=KINDS, default=[])
    parser.add_argument(
        "--no-dry-run", action="store_true", help="import what --full names without trying it before"
    )
    given = parser.parse_args()
    stack.start()
    from django.contrib.auth.models import User
    from django.utils import timezone

    from core.actor import Actor
    from core.services.keys import agent_key_create
    from core.services.namespaces import persona_default

    owner = User.objects.create_user("owner")
    persona_default(user=owner, now=timezone.now())
    actor = Actor.operator("benchmark")
    agent_key_create(user=owner, name="import", scopes=["decide"], actor=actor, now=timezone.now())
    print(stack.machine(), f"load {os.getloadavg()[0]:.1f}", flush=True)
    for name in given.only:
        kind = KINDS[name]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / kind.file
            make(path, kind, given.mb * 1_000_000)
            arguments = ["import", str(path), "--user", "owner", *kind.arguments]
            for title, more in (("dry run", ["--dry-run"]), ("import", [])):
                if name in given.full if not more else not given.no_dry_run:
                    wall, spent, most, told = run([*arguments, *more])
                    print(f"{name}, {path.stat().st_size / 1e6:.0f} MB, {title}: {wall:.0f} s wall, {spent:.0f} s "
                          f"processor, {most:,.0f} MB; {told}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
