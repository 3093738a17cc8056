"""Give a person everything of theirs as one zip (Settings → Data)."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Iterator
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from core.actor import Actor
from core.models import Namespace
from core.services import audit
from memory.models import Memory
from review.exporting import FORMAT, Told, file_name, json_line, markdown, unique
from review.selectors.export import FILES
from review.selectors.export_texts import CHUNK, safe

PIECE = 64 * 1024  # bytes, at least, that are handed on at a time


class _Pipe(io.RawIOBase):
    """Where the zip is written; what is in it is handed on and forgotten. It cannot seek, and ``zipfile`` copes."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self.size = 0

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        part = bytes(data)  # type: ignore[call-overload]
        self._parts.append(part)
        self.size += len(part)
        return len(part)

    def take(self) -> bytes:
        parts, self._parts, self.size = self._parts, [], 0
        return b"".join(parts)


def export_begin(*, user: User, now: datetime) -> Iterator[bytes]:
    """Record that the person took their data, and return the zip in pieces of at most a few hundred kilobytes.

    ``<type>.jsonl`` for each of ``review.selectors.export.FILES``, ``memories/<namespace>.md``, and last
    ``manifest.json`` with the number of lines in each: a zip without it was cut off. Reading goes on while the pieces
    are taken, so a change made meanwhile may or may not be in it.
    """
    with transaction.atomic():
        audit.record(
            stream=f"user:{user.pk}",
            verb="data.exported",
            actor=Actor.person(user),
            object_type="user",
            object_id=user.pk,
            now=now,
        )
    return _pieces(user, now, _read_me())


def _read_me() -> bytes:
    """In the person's language, which is only known before the answer begins."""
    said = [
        _("What Hikae stores about you, as you may see it."),
        _("Files ending in .jsonl hold one JSON object a line; memories/ holds the same memories to read."),
        _("Secrets were cut out before anything was stored; they are not in here."),
        _("manifest.json comes last and counts the lines: without it this file is not complete."),
    ]
    return "\n".join([*said, ""]).encode()


def _pieces(user: User, now: datetime, read_me: bytes) -> Iterator[bytes]:
    pipe, counts = _Pipe(), dict[str, int]()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        yield from _file(archive, pipe, now, "README.txt", [read_me])
        for name, records in FILES.items():
            counts[f"{name}.jsonl"] = 0
            yield from _file(archive, pipe, now, f"{name}.jsonl", _counted(counts, name, records(user)))
        taken: set[str] = set()
        spaces = Namespace.objects.visible_to(user).select_related("owner")
        for space in spaces:
            title = space.reference_for(user.pk, space.owner.get_username())
            name = f"memories/{unique(file_name(title), taken)}.md"
            yield from _file(archive, pipe, now, name, markdown(title, _told(user, space)))
        manifest = {
            "format": FORMAT,
            "made_at": now.isoformat(),
            "user": user.get_username(),
            "lines": counts,
        }
        body = json.dumps(manifest, ensure_ascii=False, indent=1).encode()
        yield from _file(archive, pipe, now, "manifest.json", [body])
    yield pipe.take()


def _counted(counts: dict[str, int], name: str, records: Iterable[dict[str, object]]) -> Iterator[bytes]:
    for record in records:
        counts[f"{name}.jsonl"] += 1
        yield json_line(record)


def _file(
    archive: zipfile.ZipFile, pipe: _Pipe, now: datetime, name: str, chunks: Iterable[bytes]
) -> Iterator[bytes]:
    info = zipfile.ZipInfo(name, now.timetuple()[:6])
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o600 << 16
    with archive.open(info, "w", force_zip64=True) as file:  # its size is not known before its end
        for chunk in chunks:
            file.write(chunk)
            if pipe.size >= PIECE:
                yield pipe.take()
    if pipe.size >= PIECE:
        yield pipe.take()


def _told(user: User, space: Namespace) -> Iterator[Told]:
    rows = Memory.objects.visible_to(user).filter(namespace=space).exclude(status="deleted").defer("blocks")
    for row in rows.order_by("kind", "-valid_from", "pk").iterator(CHUNK):
        notes = () if row.status == "active" else (row.status,)
        yield Told(row.kind, safe(row.content), row.valid_from.date(), notes)
