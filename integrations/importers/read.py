"""The door to all readers: files or a zip in, what was found out. Finds out the format where nobody names it."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable, Sequence
from types import ModuleType

from integrations.importers import (
    basic_memory,
    chatgpt,
    claude_mem,
    claude_memory,
    mcp_memory,
    mem0,
    moai,
    rules,
)
from integrations.importers.base import FileIn, Found

MAX_FILES = 5_000
MAX_BYTES = 200_000_000  # of all files together, unpacked
FORMATS: dict[str, ModuleType] = {
    "claude-memory": claude_memory,
    "rules": rules,
    "moai": moai,
    "mem0": mem0,
    "claude-mem": claude_mem,
    "basic-memory": basic_memory,
    "mcp-memory": mcp_memory,
    "chatgpt": chatgpt,
}
# What tells itself apart best comes first: Markdown that anybody might write is the last guess.
_ORDER = ("chatgpt", "claude-mem", "mcp-memory", "mem0", "moai", "rules", "claude-memory", "basic-memory")
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)
_LITTER = ("__MACOSX/", ".DS_Store", "Thumbs.db")


class Unreadable(ValueError):
    """Nothing can be read from it at all; the text says why."""


def read(files: Sequence[FileIn], *, format: str = "auto") -> Found:
    """Read what somebody hands over. A single zip is unpacked first. Whatever the bytes are, they give a result.

    Raises Unreadable: no files, too large, a format that is not known or cannot be told.
    """
    if sum(len(file.data) for file in files) > MAX_BYTES:
        raise Unreadable(f"The files are larger than {MAX_BYTES:,} bytes together.")
    unpacked, problems = _unzipped(files[0]) if len(files) == 1 and _is_zip(files[0]) else (list(files), [])
    held = [file for file in unpacked if not any(part in file.path for part in _LITTER)]
    if not held:
        raise Unreadable("There is no file in it.")
    if format not in ("auto", *FORMATS):
        raise Unreadable(f"The format must be auto or one of {', '.join(FORMATS)}; got {format[:40]!r}.")
    name = format if format != "auto" else sniff(held)
    if name is None:
        raise Unreadable("Hikae does not know what this is. Say which store it comes from.")
    reader: Callable[[Sequence[FileIn]], Found] = FORMATS[name].read
    found = reader(sorted(held, key=lambda file: file.path))
    for path, reason in problems:
        found.problem(path, 0, reason)
    return found


def sniff(files: Sequence[FileIn]) -> str | None:
    """The format of these files by their names and contents; None when nothing fits."""
    return next((name for name in _ORDER if FORMATS[name].reads(files)), None)


def _is_zip(file: FileIn) -> bool:
    return file.data.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def _unzipped(file: FileIn) -> tuple[list[FileIn], list[tuple[str, str]]]:
    """Each entry is unpacked up to what is left of the limit, whatever the zip claims about itself."""
    held: list[FileIn] = []
    problems: list[tuple[str, str]] = []
    left = MAX_BYTES
    try:
        archive = zipfile.ZipFile(io.BytesIO(file.data))
    except _BROKEN as error:
        raise Unreadable(f"{file.path} is no whole zip file: {error}") from error
    with archive:
        for info in archive.infolist():
            if info.is_dir():
                continue
            if len(held) >= MAX_FILES:
                raise Unreadable(f"The zip holds more than {MAX_FILES:,} files.")
            if info.flag_bits & 1:
                problems.append((info.filename[:200], "is encrypted"))
                continue
            try:
                with archive.open(info) as entry:
                    data = entry.read(left + 1)
            except _BROKEN:
                problems.append((info.filename[:200], "is damaged in the zip"))
                continue
            left -= len(data)
            if left < 0:
                raise Unreadable(f"Unpacked it is larger than {MAX_BYTES:,} bytes.")
            held.append(FileIn(info.filename.replace("\\", "/"), data))
    return held, problems
