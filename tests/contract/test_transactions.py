"""Tests run inside a transaction, production does not: what takes a lock must bring its own. The code is read for it.

An audit event is chained under an advisory lock, which refuses to be taken outside a transaction, as rows do.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("config", "core", "transcripts", "memory", "decisions", "knowledge", "review", "integrations")
DOORS = {"views", "api", "admin", "tasks", "commands", "mcp"}
Name = tuple[str, str]  # module and function
ROWS: Name = ("", "select_for_update")
LOCKS = {("core.locks", "lock"), ("core.locks", "try_lock"), ROWS}


def sources() -> dict[str, ast.Module]:
    found = {}
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            if "migrations" not in parts:
                found[".".join(parts)] = ast.parse(path.read_text(encoding="utf-8"))
    return found


class Reader(ast.NodeVisitor):
    """Which functions each function of a module calls while it has no transaction of its own."""

    def __init__(self, module: str, tree: ast.Module) -> None:
        self.module = module
        self.names = {
            alias.asname or alias.name: (node.module, alias.name)
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module and not node.level
            for alias in node.names
        }
        self.calls: dict[Name, set[Name]] = {}
        self.inside: Name | None = None
        self.safe = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        before = self.inside, self.safe
        self.inside, self.safe = (self.module, node.name), any(map(_atomic, node.decorator_list))
        self.generic_visit(node)
        self.inside, self.safe = before

    def visit_With(self, node: ast.With) -> None:
        before = self.safe
        self.safe = self.safe or any(_atomic(item.context_expr) for item in node.items)
        self.generic_visit(node)
        self.safe = before

    def visit_Call(self, node: ast.Call) -> None:
        if self.inside and not self.safe:
            for part in (node.func, *node.args):
                if (found := self._named(part)) is not None:
                    self.calls.setdefault(self.inside, set()).add(found)
        self.generic_visit(node)

    def _named(self, node: ast.expr) -> Name | None:
        if isinstance(node, ast.Name):
            return self.names.get(node.id, (self.module, node.id))
        if not isinstance(node, ast.Attribute):
            return None
        if node.attr == ROWS[1]:
            return ROWS
        if isinstance(node.value, ast.Name) and node.value.id in self.names:
            return ".".join(self.names[node.value.id]), node.attr
        return None


def _atomic(node: ast.expr) -> bool:
    return "atomic" in ast.dump(node)


def doors_without(modules: Mapping[str, ast.Module]) -> set[Name]:
    """Functions of doors from which a lock is reached without any transaction on the way."""
    calls: dict[Name, set[Name]] = {}
    for module, tree in modules.items():
        reader = Reader(module, tree)
        reader.visit(tree)
        calls |= reader.calls
    need = set(LOCKS)
    while grown := {name for name, called in calls.items() if called & need} - need:
        need |= grown
    return {name for name in need if DOORS & set(name[0].split("."))}


def test_no_door_reaches_a_lock_outside_a_transaction() -> None:
    assert doors_without(sources()) == set()


def test_such_a_door_would_be_found() -> None:
    body = {
        "room.services.audit": "from core.locks import lock\ndef record(): lock('a')",
        "room.services.bare": "from room.services import audit\ndef act(): audit.record()",
        "room.services.sound": "from room.services import audit\n@transaction.atomic\ndef act(): audit.record()",
        "room.services.within": (
            "from room.services import audit\ndef act():\n    with transaction.atomic():\n        audit.record()"
        ),
        "room.views.one": "from room.services.bare import act\ndef page(): act()",
        "room.views.two": "from room.services.sound import act\ndef page(): act()",
        "room.tasks.three": "def job(): rows.select_for_update().first()",
        "room.tasks": "from room.services.within import act\ndef job(): act()",
    }
    modules = {name: ast.parse(text) for name, text in body.items()}
    assert doors_without(modules) == {("room.views.one", "page"), ("room.tasks.three", "job")}
