"""``manage.py mcp``: the same server over standard input and output."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.db import connection
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from tests import build
from tests.integrations.mcp import PREVIOUS, REVISIONS, said, structured
from tests.memory.recalling import remember

ROOT = Path(__file__).resolve().parents[2]
FACT = "Production runs on Python 3.12."


def environment() -> dict[str, str]:
    """The child's: the test database instead of the one that the address names."""
    address, _slash, _name = os.environ["DATABASE_URL"].rpartition("/")
    _database, question, query = _name.partition("?")
    name = connection.settings_dict["NAME"]
    return {**os.environ, "DATABASE_URL": f"{address}/{name}{question}{query}"}


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_client_on_the_same_machine_recalls(transactional_db: None, tmp_path: Path, revision: str) -> None:
    alice = build.person()
    remember(build.workspace(alice), FACT)
    held = tmp_path / "agent.key"
    held.write_text(build.key(alice).secret + "\n")
    server = StdioServerParameters(
        command=sys.executable,
        args=["manage.py", "mcp", "--key-file", str(held), "--workspace", "api"],
        env=environment(),
        cwd=ROOT,
    )

    async def say() -> dict[str, object]:
        mode = "legacy" if revision == PREVIOUS else revision
        async with Client(server, mode=mode, read_timeout_seconds=60) as client:
            assert len((await client.list_tools()).tools) == 8
            return structured(await client.call_tool("recall", {"q": "Which Python?"}))

    with ThreadPoolExecutor(1) as pool:
        got = pool.submit(asyncio.run, say()).result()
    assert [hit["content"] for hit in got["hits"]] == [FACT]  # type: ignore[attr-defined]


@pytest.mark.parametrize("revision", REVISIONS)
def test_what_a_key_may_not_do_or_reach_is_refused_there_too(
    transactional_db: None, tmp_path: Path, revision: str
) -> None:
    alice, bob = build.person(), build.person("bob")
    remember(build.workspace(alice), FACT)
    foreign = remember(build.workspace(bob, "secret"), "The launch is in May.", kind="fact")
    held = tmp_path / "agent.key"
    held.write_text(build.key(alice, scopes=["recall"]).secret + "\n")
    server = StdioServerParameters(
        command=sys.executable,
        args=["manage.py", "mcp", "--key-file", str(held), "--workspace", "api"],
        env=environment(),
        cwd=ROOT,
    )
    calls: list[tuple[str, dict[str, object], str]] = [
        ("remember", {"kind": "fact", "content": "We deploy on Fridays."}, "missing_scope"),
        (
            "recall",
            {"q": "When is the launch?", "namespace": ["workspace:bob/secret"]},
            "namespace_not_found",
        ),
        ("get_memory", {"memory_id": str(foreign.pk)}, "not_found"),
        ("report_memory", {"memory_id": str(foreign.pk), "reason": "no"}, "not_found"),
    ]

    async def say() -> list[str]:
        mode = "legacy" if revision == PREVIOUS else revision
        async with Client(server, mode=mode, read_timeout_seconds=60) as client:
            answers = [await client.call_tool(tool, given) for tool, given, _code in calls]
            assert all(answer.is_error for answer in answers)
            return [said(answer) for answer in answers]

    with ThreadPoolExecutor(1) as pool:
        told = pool.submit(asyncio.run, say()).result()
    for text, (tool, _given, code) in zip(told, calls, strict=True):
        assert code in text, tool
        assert "launch" not in text


@pytest.mark.parametrize(
    ("content", "why"), [("hik_00000000_EXAMPLE", "not known"), (None, "cannot be read")]
)
def test_a_key_that_is_not_known_ends_it_at_once(
    transactional_db: None, tmp_path: Path, content: str | None, why: str
) -> None:
    held = tmp_path / "agent.key"
    if content:
        held.write_text(content)
    done = subprocess.run(
        [sys.executable, "manage.py", "mcp", "--key-file", str(held)],
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    assert why in done.stderr
    assert done.stdout == ""
