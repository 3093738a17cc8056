"""Every file of benchmarks/ can be run as it lies there: a program with options, or a part that says what it is."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
FILES = sorted(path for path in (ROOT / "benchmarks").glob("*.py") if path.name != "__init__.py")
OURS = {path.name for path in ROOT.iterdir() if (path / "__init__.py").exists()}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_finds_the_project_before_it_imports_from_it(path: Path) -> None:
    """Run as a file, Python looks beside the file and not in the project."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    assert any(isinstance(part, ast.If) and "__main__" in ast.unparse(part.test) for part in body)
    for part in body:
        if "sys.path.insert" in ast.unparse(part) or _leaves(part):
            return
        assert not OURS & set(_imported(part)), f"line {part.lineno} comes before sys.path.insert"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_program_that_runs_for_long_says_first_what_it_does(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(source))
    if "def main(" in source:
        assert "ArgumentParser(" in source


@pytest.mark.parametrize("how", [["benchmarks/recall_halves.py"], ["-m", "benchmarks.recall_halves"]])
def test_a_part_says_what_it_is_part_of(how: list[str]) -> None:
    said = _run(how)
    assert "benchmarks/recall.py --halves" in said


@pytest.mark.parametrize(
    "how", [["benchmarks/train_rules.py"], ["-m", "benchmarks.train_rules"], ["benchmarks/recall_spaces.py"]]
)
def test_a_program_shows_its_help_without_doing_its_work(how: list[str]) -> None:
    assert _run(how).startswith("usage: ")


def _run(how: list[str]) -> str:
    done = subprocess.run(
        [sys.executable, *how, "--help"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout


def _imported(part: ast.stmt) -> Iterator[str]:
    if isinstance(part, ast.Import):
        yield from (name.name.partition(".")[0] for name in part.names)
    if isinstance(part, ast.ImportFrom) and part.module:
        yield part.module.partition(".")[0]


def _leaves(part: ast.stmt) -> bool:
    return isinstance(part, ast.If) and "sys.exit" in ast.unparse(part)
