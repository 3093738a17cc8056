"""Files out of a zip or a folder, read without trust. No Django.

Nothing is written, and nothing is read beyond the limits: whatever a zip claims about itself, each entry is unpacked
up to one byte more than a file may have. Links are never followed.
"""

from __future__ import annotations

import io
import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from knowledge.notes.problems import Problem

MAX_FILES = 2_000
MAX_FILE = 160_000  # bytes: the longest summary takes half of it
MAX_TOTAL = 32_000_000  # bytes of all files together
# Others decompress without a bound, and no tool makes them by default.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)
# What operating systems leave in folders; nobody misses it.
_LITTER = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")


@dataclass(frozen=True)
class FileIn:
    """A file as it came: its path with ``/``, relative to the tree, and its bytes."""

    path: str
    data: bytes


@dataclass
class Unpacked:
    files: list[FileIn] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    total: int = 0  # bytes

    def add(self, path: str, size: int, read: Callable[[], bytes]) -> bool:
        """Take one file if it fits; False when nothing more will."""
        if len(self.files) >= MAX_FILES:
            self.problems.append(Problem("too_many_files", limit=MAX_FILES))
            return False
        if size > MAX_FILE:
            self.problems.append(Problem("file_too_large", path, limit=MAX_FILE))
            return True
        data = read()
        if len(data) > MAX_FILE:
            self.problems.append(Problem("file_too_large", path, limit=MAX_FILE))
        elif self.total + len(data) > MAX_TOTAL:
            self.problems.append(Problem("too_large", limit=MAX_TOTAL))
            return False
        else:
            self.total += len(data)
            self.files.append(FileIn(path, data))
        return True


def unzip(data: bytes) -> Unpacked:
    """The files of a zip; what cannot be taken becomes a problem, and the rest is still looked at."""
    found = Unpacked()
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except _BROKEN:
        found.problems.append(Problem("not_a_zip"))
        return found
    with archive:
        for info in archive.infolist():
            path = info.orig_filename
            if info.is_dir() or is_litter(path):
                continue
            if wrong := _wrong_entry(info):
                found.problems.append(Problem(wrong, path[:300]))
                continue
            try:
                if not found.add(path, info.file_size, lambda info=info: _bounded(archive, info)):  # type: ignore[misc]
                    break
            except _BROKEN:
                found.problems.append(Problem("damaged", path[:300]))
    return found


def _wrong_entry(info: zipfile.ZipInfo) -> str:
    if not is_safe(info.orig_filename):
        return "unsafe_path"
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        return "symlink" if stat.S_ISLNK(kind) else "no_file"
    if info.flag_bits & 0x1:
        return "encrypted"
    return "" if info.compress_type in _METHODS else "packed_strangely"


def _bounded(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    with archive.open(info) as file:
        return file.read(MAX_FILE + 1)


def gathered(uploads: Iterable[FileIn]) -> Unpacked:
    """What somebody chose in one go: zips are opened, other files are taken by their names."""
    found = Unpacked()
    for upload in uploads:
        if upload.path.lower().endswith(".zip"):
            inside = unzip(upload.data)
            found.problems += inside.problems
            for file in inside.files:
                if not found.add(file.path, len(file.data), lambda file=file: file.data):  # type: ignore[misc]
                    return found
        elif not found.add(upload.path, len(upload.data), lambda upload=upload: upload.data):  # type: ignore[misc]
            return found
    return found


def is_safe(path: str) -> bool:
    """Whether a path stays inside its tree, on every system."""
    parts = path.split("/")
    return not (
        "\\" in path
        or "\0" in path
        or ":" in parts[0]
        or any(part in ("", ".", "..") for part in parts)
        or not path.isprintable()
    )


def is_litter(path: str) -> bool:
    parts = path.split("/")
    return parts[0] in _LITTER or parts[-1] in _LITTER or parts[-1].startswith("._")


def from_folder(root: Path) -> Unpacked:
    """The Markdown files below a folder, in order. Raises OSError when the folder itself cannot be read."""
    found = Unpacked()
    for path in _walk(root):
        name = path.relative_to(root).as_posix()
        try:
            kind = path.lstat()
            if stat.S_ISLNK(kind.st_mode):
                found.problems.append(Problem("symlink", name))
            elif not stat.S_ISREG(kind.st_mode):
                found.problems.append(Problem("no_file", name))
            elif not found.add(name, kind.st_size, path.read_bytes):
                break
        except OSError:
            found.problems.append(Problem("damaged", name))
    return found


def _walk(folder: Path) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        rows = sorted(entries, key=lambda entry: entry.name)
    for entry in rows:
        if entry.name in _LITTER or entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(Path(entry.path))
        else:
            yield Path(entry.path)


def zipped(files: Iterable[tuple[str, bytes]], *, at: datetime) -> bytes:
    """A zip of these files, all with one date: equal files make equal archives."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files:
            info = zipfile.ZipInfo(path, at.timetuple()[:6])
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o600 << 16
            archive.writestr(info, data)
    return held.getvalue()
