"""ChatGPT's data export: ``conversations.json``, a list of conversations, each a tree of messages.

What was said becomes a conversation here, and Hikae's own scan proposes what is worth remembering. Only the branch that
the person kept (from ``current_node`` to the root) is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from core.said import gettext_noop
from integrations.importers.base import FileIn, Found
from integrations.importers.parsing import document, moment, text_of

MAX_CHARS = 100_000  # of one message; longer ones are cut, and counted


def reads(files: Sequence[FileIn]) -> bool:
    return any(_holds_talk(file) for file in files)


def _holds_talk(file: FileIn) -> bool:
    """By what stands in it; by its name where it was cut off too early for that. Others use the name, too."""
    name, head = PurePosixPath(file.path).name, file.data[:200_000]
    if not name.endswith(".json"):
        return False
    return b'"mapping"' in head or (name.startswith("conversations") and b'"chat_messages"' not in head)


def read(files: Sequence[FileIn]) -> Found:
    found = Found("chatgpt")
    seen: set[str] = set()
    for file in files:
        if not _holds_talk(file) and len(files) > 1:
            found.unsupported["other file of the export"] += 1
            continue
        value = document(file, found)
        rows = value if isinstance(value, list) else [value] if isinstance(value, dict) else []
        for number, row in enumerate(rows, start=1):
            if not isinstance(row, dict) or not isinstance(row.get("mapping"), dict):
                found.problem(file.path, number, gettext_noop("is no conversation"))
                continue
            named = text_of(row.get("conversation_id")) or text_of(row.get("id"))
            key = (named or f"{file.path}-{number}")[:180]
            if key in seen:
                said = gettext_noop("the conversation %(id)s stands twice; the first was taken")
                found.problem(file.path, number, said, id=key[:60])
                continue
            seen.add(key)
            turns = list(_turns(_branch(row, file.path, number, found), file.path, number, found))
            if turns:
                found.conversations.append({"key": f"chatgpt-{key}", "client": "chatgpt", "turns": turns})
            else:
                found.unsupported["conversation without a typed message"] += 1
    return found


def _branch(row: Mapping[str, Any], path: str, number: int, found: Found) -> list[Mapping[str, Any]]:
    """Messages from the root to the leaf that was kept; a circle or a broken link ends it, and is named."""
    nodes, held, walked = row["mapping"], [], set()
    at = row.get("current_node")
    while isinstance(at, str) and at:
        node = nodes.get(at)
        if at in walked or not isinstance(node, dict):
            said = gettext_noop("the conversation breaks off at the node %(id)s")
            found.problem(path, number, said, id=at[:40])
            break
        walked.add(at)
        if isinstance(node.get("message"), dict):
            held.append(node["message"])
        at = node.get("parent")
    found.unsupported["message on a branch that was left"] += sum(
        1
        for name, node in nodes.items()
        if name not in walked and isinstance(node, dict) and node.get("message")
    )
    return held[::-1]


def _turns(
    messages: Sequence[Mapping[str, Any]], path: str, number: int, found: Found
) -> Iterator[dict[str, Any]]:
    turn: dict[str, Any] | None = None
    for place, message in enumerate(messages, start=1):
        role = (
            text_of((message.get("author") or {}).get("role"))
            if isinstance(message.get("author"), dict)
            else ""
        )
        said = _said(message.get("content"), found)
        if role not in ("user", "assistant") or not said:
            if role not in ("user", "assistant"):
                found.unsupported[f"message of the role: {role[:30] or 'unknown'}"] += 1
            continue
        entry = {
            "key": text_of(message.get("id"))[:200] or None,
            "role": role,
            "text": said,
            "at": _at(message, path, number, found),
        }
        if role == "user":
            entry["origin"] = "human"
            if turn is not None:
                yield turn
            turn = {"key": entry["key"] or f"turn-{place}", "messages": []}
        if turn is not None:
            turn["messages"].append({name: value for name, value in entry.items() if value is not None})
    if turn is not None:
        yield turn


def _said(content: Any, found: Found) -> str:
    if not isinstance(content, dict):
        return ""
    if content.get("content_type") not in ("text", "multimodal_text"):
        found.unsupported[f"content of the type: {str(content.get('content_type'))[:30]}"] += 1
        return ""
    held = content.get("parts")
    parts: list[Any] = held if isinstance(held, list) else []
    said = "\n".join(part for part in parts if isinstance(part, str)).strip()
    if any(not isinstance(part, str) for part in parts):
        found.unsupported["picture or file"] += 1
    if len(said) > MAX_CHARS:
        found.unsupported["message that was cut"] += 1
    return said[:MAX_CHARS]


def _at(message: Mapping[str, Any], path: str, number: int, found: Found) -> str | None:
    """ISO 8601; a message without a time, or with one that cannot be read, follows the one before it."""
    at = moment(message.get("create_time"), path, number, found)
    return at.isoformat() if at else None
