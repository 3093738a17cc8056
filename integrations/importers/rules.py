"""``CLAUDE.md``, ``AGENTS.md`` and their likes: rules that somebody wrote for agents, one memory a list item.

A short item is read together with its heading, because ``Testing: run pytest -x`` stands by itself and ``run pytest
-x`` does not. Imports of other files (``@path``), code and tables are counted, not taken.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from integrations.importers.base import Block, FileIn, Found, Item, blocks
from integrations.importers.parsing import decoded
from knowledge.notes.frontmatter import normal, without

NAMES = ("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md", ".cursorrules", "copilot-instructions.md")
_SHORT = 60  # characters
_IMPORT = re.compile(r"^@[\w./~-]+$")


def reads(files: Sequence[FileIn]) -> bool:
    return all(PurePosixPath(file.path).name in NAMES or file.path.endswith(".mdc") for file in files)


def read(files: Sequence[FileIn]) -> Found:
    found = Found("rules")
    for file in files:
        text = decoded(file, found)
        for block in blocks(without(normal(text)), found) if text is not None else ():
            if _IMPORT.match(block.text):
                found.unsupported["import of another file"] += 1
            elif block.is_item or len(block.text.split()) > 3:
                found.add(Item(_said(block), "preference", file.path, block.line))
            else:
                found.unsupported["caption"] += 1
    return found


def _said(block: Block) -> str:
    heading = block.headings[-1] if len(block.headings) > 1 else ""
    return (
        f"{heading}: {block.text}" if heading and block.is_item and len(block.text) < _SHORT else block.text
    )
