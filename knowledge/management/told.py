"""What the commands about notes share: where files come from, who and which namespace is meant, how problems read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandError

from core.errors import DomainError
from core.models import Namespace
from core.selectors.access import namespace_for_user
from knowledge.notes.packing import Unpacked, from_folder, unzip
from knowledge.notes.problems import Problem, errors
from knowledge.notes.tree import Tree, read_tree
from knowledge.services.importing import problem_json

MAX_ZIP = 64_000_000  # bytes


def tree_at(path: Path) -> Tree:
    """The notes in a folder, a zip, or one Markdown file. Raises OSError when it cannot be read."""
    if path.is_dir():
        found = from_folder(path)
    elif path.suffix.lower() == ".zip":
        if path.stat().st_size > MAX_ZIP:
            found = Unpacked(problems=[Problem("too_large", limit=MAX_ZIP)])
        else:
            found = unzip(path.read_bytes())
    else:
        found = Unpacked()
        found.add(path.name, path.stat().st_size, path.read_bytes)
    return read_tree(found.files, found.problems)


def whose(username: str) -> User:
    user = User.objects.filter(username=username).first()
    if user is None:
        raise CommandError(f"There is no user {username}.")
    return user


def where(user: User, reference: str) -> Namespace:
    try:
        return namespace_for_user(user=user, reference=reference)
    except DomainError as error:
        raise CommandError(error.message) from error


def lines(problems: Sequence[Problem]) -> list[str]:
    """``path: level: sentence``, as editors read them."""
    told = [problem_json(each) for each in problems]
    return [f"{each['path'] or '-'}: {each['level']}: {each['message']}" for each in told]


def as_json(tree: Tree, problems: Sequence[Problem]) -> str:
    """For programs: counts, and each problem with path, level, code, field, message."""
    told: dict[str, Any] = {
        "notes": len(tree.notes),
        "summary": tree.summary is not None,
        "errors": len(errors(list(problems))),
        "problems": [problem_json(each) for each in problems],
    }
    return json.dumps(told, ensure_ascii=False, indent=1)
