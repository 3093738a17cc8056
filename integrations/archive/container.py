"""The zip around an archive: written so that equal content gives equal bytes, read with limits. Pure: no Django.

``manifest.json`` comes last and counts and hashes every file, so that a truncated archive is recognised.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any

FORMAT = "hikae-namespace"
VERSION = 1
MANIFEST = "manifest.json"
MAX_FILES = 100
MAX_BYTES = 4 * 1024**3  # unpacked, all files together
MAX_LINE = 64 * 1024**2  # one record; a message has at most a few megabytes
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the zip format's own beginning: no clock stands in the file


class Unreadable(ValueError):
    """Not an archive, a damaged one, or one that is larger than it may be. The text says which file and why."""


class Writer:
    """Adds files to the zip and remembers their lines and hashes for the manifest."""

    def __init__(self, target: IO[bytes]) -> None:
        self._zip = zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED)
        self._files: dict[str, dict[str, Any]] = {}

    def add(self, name: str, lines: Iterable[bytes]) -> int:
        """Each line ends with its line break; returns how many there were."""
        digest, count = hashlib.sha256(), 0
        with self._zip.open(_entry(name), "w", force_zip64=True) as file:
            for line in lines:
                file.write(line)
                digest.update(line)
                count += 1
        self._files[name] = {"lines": count, "sha256": digest.hexdigest()}
        return count

    def close(self, **about: Any) -> None:
        manifest = {"format": FORMAT, "version": VERSION, **about, "files": self._files}
        body = json.dumps(manifest, ensure_ascii=False, indent=1).encode()
        self._zip.writestr(_entry(MANIFEST), body)
        self._zip.close()


def _entry(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _EPOCH)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o600 << 16
    return info


@dataclass(frozen=True)
class Line:
    """One record with the number of its line, or why it cannot be read."""

    number: int
    value: Mapping[str, Any] | None
    problem: str = ""


class Reader:
    """An archive that was checked as a whole: form, version, sizes. Raises Unreadable."""

    def __init__(self, source: IO[bytes]) -> None:
        try:
            self._zip = zipfile.ZipFile(source)
            names = self._zip.namelist()
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise Unreadable(
                "This is no zip file, or only the beginning of one. Copy the archive again."
            ) from error
        if len(names) > MAX_FILES or len(set(names)) < len(names):
            raise Unreadable(f"The zip holds {len(names)} files, more than {MAX_FILES}, or two of one name.")
        if sum(info.file_size for info in self._zip.infolist()) > MAX_BYTES:
            raise Unreadable(f"Unpacked it would be larger than {MAX_BYTES} bytes.")
        if MANIFEST not in names:
            raise Unreadable(f"{MANIFEST} is missing: this is no archive of Hikae, or only a part of one.")
        self.manifest = self._manifest()
        missing = sorted(set(self.files) - set(names))
        if missing:
            raise Unreadable(f"{missing[0]} is missing.")

    @property
    def files(self) -> Mapping[str, Mapping[str, Any]]:
        found: Mapping[str, Mapping[str, Any]] = self.manifest["files"]
        return found

    def lines(self, name: str) -> Iterator[Line]:
        """The records of one file, in order. Raises Unreadable where it is not what the manifest says."""
        if name not in self.files:
            return
        digest, count, said = hashlib.sha256(), 0, self.files[name]
        try:
            with self._zip.open(name) as file:
                while raw := file.readline(MAX_LINE + 1):
                    if len(raw) > MAX_LINE:
                        raise Unreadable(f"{name} line {count + 1} is longer than {MAX_LINE} bytes.")
                    count += 1
                    digest.update(raw)
                    yield _parsed(count, raw)
        except (
            zipfile.BadZipFile,
            OSError,
            EOFError,
            ValueError,
            NotImplementedError,
            RuntimeError,
        ) as error:
            raise (
                error if isinstance(error, Unreadable) else Unreadable(f"{name} is damaged in the zip.")
            ) from error
        if count != said.get("lines") or digest.hexdigest() != said.get("sha256"):
            raise Unreadable(f"{name} is not as the manifest says: it was changed or cut off.")

    def _manifest(self) -> Mapping[str, Any]:
        try:
            with self._zip.open(MANIFEST) as file:
                found = json.loads(file.read(MAX_LINE))
        except (ValueError, zipfile.BadZipFile, OSError, RecursionError, RuntimeError) as error:
            raise Unreadable(f"{MANIFEST} is damaged. Copy the archive again.") from error
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise Unreadable(f"{MANIFEST} names another format than {FORMAT}.")
        if found.get("version") != VERSION:
            raise Unreadable(f"The archive has version {found.get('version')}; this Hikae reads {VERSION}.")
        files = found.get("files")
        if not isinstance(files, dict) or not all(isinstance(each, dict) for each in files.values()):
            raise Unreadable(f"{MANIFEST} does not list the files.")
        return found


def is_archive(source: IO[bytes]) -> bool:
    """A zip with our manifest, whatever else is wrong with it. Leaves the stream at its beginning."""
    try:
        with zipfile.ZipFile(source) as found:
            return MANIFEST in found.namelist() and FORMAT.encode() in found.open(MANIFEST).read(1_000)
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError):
        return False
    finally:
        source.seek(0)


def _parsed(number: int, raw: bytes) -> Line:
    try:
        value = json.loads(raw, parse_constant=_no_constants)
    except (ValueError, RecursionError):
        return Line(number, None, "not valid JSON")
    if not isinstance(value, dict):
        return Line(number, None, "a line is one JSON object")
    return Line(number, value)


def _no_constants(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
