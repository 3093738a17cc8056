"""The rules of ARCHITECTURE.md, held by reading the source (design section 1)."""

from __future__ import annotations

import ast
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.views import APIView

from core.models import KEY_SCOPES

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("core", "transcripts", "memory", "decisions", "knowledge", "review", "integrations")
SOURCES = sorted(
    p for room in (*ROOMS, "config") for p in (ROOT / room).rglob("*.py") if "migrations" not in p.parts
)
# Runs before and outside Django: the launcher of the embedded servers, and the file that Celery loads.
OUTSIDE_DJANGO = {"config/asgi.py", "config/celery.py"}


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> set[str]:
    """Dotted names of all that a file imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def views() -> Iterator[type[APIView]]:
    def walk(resolver: URLResolver) -> Iterator[URLPattern]:
        for entry in resolver.url_patterns:
            if isinstance(entry, URLPattern):
                yield entry
            else:
                yield from walk(entry)

    for pattern in walk(get_resolver()):
        view = getattr(pattern.callback, "cls", None) or getattr(pattern.callback, "view_class", None)
        if isinstance(view, type) and issubclass(view, APIView) and view.__module__.split(".")[0] in ROOMS:
            yield view


def test_the_import_contracts_hold() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3_000:]


def test_the_environment_is_read_in_one_file() -> None:
    readers = {
        name(path)
        for path in SOURCES
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute)
        and node.attr in ("environ", "getenv", "environb")
        and isinstance(node.value, ast.Name)
        and node.value.id == "os"
    }
    outside = ("config/embedded/", "integrations/claude_code/")
    inside = {reader for reader in readers - OUTSIDE_DJANGO if not reader.startswith(outside)}
    # It sets what numpy reads, before anything may import numpy; `config/env.py` itself imports it by way of a room.
    assert inside <= {"config/env.py", "config/one_thread.py"}


@pytest.mark.parametrize(
    "path", [p for p in SOURCES if {"api", "tasks.py", "tasks", "mcp"} & {*p.parts}], ids=name
)
def test_no_door_of_an_agent_reaches_the_gate(path: Path) -> None:
    """Nor what changes memories: only pages and the admin, where a person signed in (lessons row 11)."""
    forbidden = (
        "memory.services.gate",
        "memory.services.memories",
        "review.services.acts",
        "memory.services.promotion",
    )
    assert not [found for found in imports(path) if found.startswith(forbidden)]


def test_every_rest_view_names_its_scope_and_keeps_the_authentication() -> None:
    found = list(views())
    assert len(found) >= 9
    for view in found:
        assert view.__dict__.get("scope") in (*KEY_SCOPES, "any"), view
        assert not {"authentication_classes", "permission_classes"} & set(view.__dict__), view


def test_no_scope_of_a_key_means_deciding() -> None:
    assert set(KEY_SCOPES) == {"ingest", "recall", "decide"}


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_files_stay_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 500


def test_and_most_are_very_small() -> None:
    sizes = [n for p in SOURCES if (n := len(p.read_text(encoding="utf-8").splitlines())) > 0]
    assert statistics.median(sizes) < 90


@pytest.mark.parametrize("path", [p for p in SOURCES if "services" in p.parts], ids=name)
def test_services_take_keyword_arguments_only(path: Path) -> None:
    """What takes "now" is called from other rooms; a leading underscore marks what is not."""
    public = [
        node
        for node in tree(path).body
        if isinstance(node, ast.FunctionDef)
        and not node.name.startswith("_")
        and any(argument.arg == "now" for argument in (*node.args.args, *node.args.kwonlyargs))
    ]
    for function in public:
        assert (
            "now" in [argument.arg for argument in function.args.kwonlyargs] or len(function.args.args) <= 3
        )


def test_nobody_listens_to_signals() -> None:
    for path in SOURCES:
        assert not [found for found in imports(path) if found.startswith("django.db.models.signals")], path
        assert "@receiver" not in path.read_text(encoding="utf-8"), path


def test_nobody_marks_work_as_left_for_later() -> None:
    words = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "pytest." + "skip", "x" + "fail"]
    tests = (ROOT / "tests").rglob("*.py")
    found = {name(p): w for p in (*SOURCES, *tests) for w in words if w in p.read_text(encoding="utf-8")}
    assert found == {}


@pytest.mark.parametrize("path", [p for p in SOURCES if p.name == "tasks.py"], ids=name)
def test_tasks_take_ids_and_call_services(path: Path) -> None:
    tasks = [node for node in tree(path).body if isinstance(node, ast.FunctionDef) and node.decorator_list]
    assert tasks
    for task in tasks:
        for argument in task.args.args:
            assert isinstance(argument.annotation, ast.Name)
            assert argument.annotation.id in ("str", "int")
