"""A zip, opened without trust: nothing is written, and nothing is unpacked beyond the limits, whatever it claims."""

from __future__ import annotations

import io
import stat
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.said import gettext_noop
from integrations.importers.base import FileIn, Problem
from integrations.importers.words import Unreadable
from transcripts.readers.lines import cleaned

MAX_FILES = 5_000
MAX_BYTES = 200_000_000  # of all files together, unpacked
# Others decompress without a bound, and no tool makes them by default.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)
_LITTER = ("__MACOSX/", ".DS_Store", "Thumbs.db")


@dataclass
class Unpacked:
    files: list[FileIn] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    size: int = 0  # bytes

    def take(self, path: str, data: bytes, most_files: int, most_bytes: int) -> None:
        self.size += len(data)
        if self.size > most_bytes:
            raise Unreadable(
                gettext_noop("The files are larger than %(most)s MB together."), most=most_bytes // 1_000_000
            )
        if len(self.files) >= most_files:
            raise Unreadable(gettext_noop("There are more than %(most)s files."), most=most_files)
        self.files.append(FileIn(path, data))


def unpacked(files: Sequence[FileIn], *, most_files: int, most_bytes: int) -> Unpacked:
    """All files, those of zips in their place. Raises Unreadable: too many, too large, a zip that is none."""
    found = Unpacked()
    for file in files:
        path = cleaned(file.path.replace("\\", "/"))
        if file.data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
            _unzip(FileIn(path, file.data), found, most_files, most_bytes)
        elif path.lower().endswith(".zip") and file.data:
            raise Unreadable(
                gettext_noop("%(file)s is no zip file: it does not begin like one. Pack the folder again."),
                file=path,
            )
        elif not _is_litter(path):
            found.take(path, file.data, most_files, most_bytes)
    return found


def _unzip(file: FileIn, found: Unpacked, most_files: int, most_bytes: int) -> None:
    """Each entry is unpacked up to what is left of the limit."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(file.data))
    except _BROKEN as error:
        raise Unreadable(
            gettext_noop(
                "%(file)s begins like a zip file, but is cut off or damaged. Copy it, or pack the folder again."
            ),
            file=file.path,
        ) from error
    seen: set[str] = set()
    with archive:
        for info in archive.infolist():
            path = cleaned(info.filename.replace("\\", "/"))
            if info.is_dir() or _is_litter(path):
                continue
            said = _wrong(info, path, seen)
            seen.add(path)
            if not said:
                try:
                    with archive.open(info) as entry:
                        data = entry.read(most_bytes - found.size + 1)
                except _BROKEN:
                    said = gettext_noop("is damaged in the zip; it was not read")
                else:
                    found.take(path, data, most_files, most_bytes)
            if said:
                found.problems.append(Problem(path[:200], 0, said))


def _wrong(info: zipfile.ZipInfo, path: str, seen: set[str]) -> str:
    """Why an entry is not read; "" for an ordinary one."""
    parts = path.split("/")
    if any(part in ("", "..") for part in parts) or ":" in parts[0] or not path.isprintable():
        return gettext_noop("has a path that leads out of its folder; it was not read")
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        return gettext_noop("is a link or a device; it was not read")
    if path in seen:
        return gettext_noop("stands twice in the zip; the first was taken")
    if info.flag_bits & 1:
        return gettext_noop("is encrypted; pack it without a password")
    if info.compress_type not in _METHODS:
        return gettext_noop("is packed in a way that is not read; use the ordinary method")
    return ""


def _is_litter(path: str) -> bool:
    return any(part in path for part in _LITTER)
