"""Bytes to clean lines, and the notes a reader takes on its way. Nothing in here raises on odd input."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo
from io import BytesIO
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from core.said import gettext_noop
from transcripts.readers.shapes import Problem

# A file that is not a transcript at all can hold a million broken lines; a person reads a page of them.
MAX_PROBLEMS = 200

# Tool and host output is context, not evidence: enough to see what happened, not the whole build log.
MAX_OUTPUT_CHARS = 8_000

MAX_KEY_CHARS = 200

# So many lines that are no UTF-8, and fewer that are: no damage, but another encoding.
_FOREIGN_LINES = 3

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class Notes:
    """Problems (capped, each with its line) and counted skips of one reading."""

    def __init__(self) -> None:
        self._problems: list[Problem] = []
        self.skipped: Counter[str] = Counter()

    def problem(self, line: int, said: str, /, *, at: str = "", **values: str | int) -> None:
        """Name a line, by a template of gettext_noop and its values; `at`: the place in a document.

        Beyond MAX_PROBLEMS only the count goes on, as `more_problems`.
        """
        if len(self._problems) < MAX_PROBLEMS:
            kept = {
                name: cleaned(value) if isinstance(value, str) else value for name, value in values.items()
            }
            self._problems.append(Problem(line, said, kept, cleaned(at)))
        else:
            self.skipped["more_problems"] += 1

    def skip(self, reason: str, count: int = 1) -> None:
        if count:
            self.skipped[reason] += count

    def problems(self) -> tuple[Problem, ...]:
        return tuple(sorted(self._problems, key=lambda problem: problem.line))


def cleaned(text: str) -> str:
    """The text with NUL and lone surrogates, which no database stores, made visible as U+FFFD."""
    return _UNSTORABLE.sub("\ufffd", text)


def is_storable(text: str) -> bool:
    return _UNSTORABLE.search(text) is None


def key_of(value: object) -> str | None:
    """A client's identifier as a key, or None when it is missing, blank or no string."""
    if not isinstance(value, str) or not value.strip():
        return None
    return cleaned(value.strip())[:MAX_KEY_CHARS]


def shortened(text: str, limit: int = MAX_OUTPUT_CHARS) -> str:
    """The first `limit` characters; a cut is marked with how many were left out."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}\n[… {len(text) - limit:,} more characters left out]"


def numbered_lines(data: bytes, notes: Notes) -> Iterator[tuple[int, str]]:
    """Each line with its 1-based number, without its line end. Invalid UTF-8 is replaced and named."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        # Windows shells write redirected output like this; re-coding first keeps line splitting simple.
        data = data.decode("utf-16", errors="replace").encode("utf-8", errors="replace")
    for number, raw in enumerate(BytesIO(data.removeprefix(b"\xef\xbb\xbf")), start=1):
        try:
            line = raw.decode()
        except UnicodeDecodeError:
            line = raw.decode(errors="replace")
            if raw.endswith(b"\n"):  # the last line may be cut inside a character; its reader judges it
                notes.problem(number, gettext_noop("not valid UTF-8; unreadable bytes were replaced"))
        yield number, line.removesuffix("\n").removesuffix("\r")


def foreign_line(data: bytes) -> int:
    """The first line of a file that was written in another encoding altogether; 0 for UTF-8, and for UTF-8 with
    damage: what is left of a Shift_JIS file after replacing bytes would be stored as what a person said.
    """
    first = wrong = right = 0
    for number, raw in enumerate(BytesIO(data), start=1):
        if raw.isascii():
            continue
        try:
            raw.decode()
            right += 1
        except UnicodeDecodeError:
            first, wrong = first or number, wrong + 1
    return first if wrong >= _FOREIGN_LINES and wrong > right else 0


def zone(name: object) -> tzinfo | None:
    """The IANA zone of that name, or None."""
    if not isinstance(name, str) or not name:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def instant(value: object, *, local: tzinfo | None = None) -> datetime | None:
    """An ISO 8601 time as an aware UTC instant, or None.

    A time without an offset is read in `local`, else as UTC: an unknown offset must not be filled with the
    server's own zone, which dates evening turns to the wrong day (lesson 17).
    """
    if not isinstance(value, str):
        return None
    try:
        parsed = datetime.fromisoformat(value.strip())
        if parsed.tzinfo is None:
            parsed = parsed.replace(tzinfo=local or UTC)
        return parsed.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
