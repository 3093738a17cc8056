"""Bytes to text, JSON and times, for all readers alike. Whatever cannot be read becomes a sentence with its place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from core.encoding import as_utf8, likely_encoding
from core.json_faults import is_cut_off, unstorable_escapes
from core.moments import in_utc
from core.said import gettext_noop
from integrations.importers.base import FileIn, Found
from integrations.importers.words import STORES
from knowledge.notes.problems import Problem as FrontProblem


class _NoJson(ValueError):
    """NaN and the infinities, which Python would read."""


def decoded(file: FileIn, found: Found) -> str | None:
    """The text of a file: UTF-8, or UTF-16. None, and a problem that names the line, for anything else."""
    data, found.unit = as_utf8(file.data), "line"
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, name = data.count(b"\n", 0, error.start) + 1, likely_encoding(data)
        if name:
            said = gettext_noop("is not UTF-8 but %(encoding)s, it seems; save it as UTF-8 and try again")
            found.problem(file.path, line, said, encoding=name)
        else:
            found.problem(file.path, line, gettext_noop("is not UTF-8; save it as UTF-8 and try again"))
        return None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        found.problem(file.path, line, gettext_noop("holds a NUL character; it is no text"))
        return None
    if not text.strip():
        found.problem(file.path, 0, gettext_noop("is empty"))
        return None
    return text


def document(file: FileIn, found: Found) -> Any:
    """The JSON of a file; None, and a problem, where it is none. Numbers count its entries from here on."""
    text = decoded(file, found)
    if text is None:
        return None
    try:
        value = _parsed(text, file.path, 0, found)
        found.unit = "entry"
        return value
    except (ValueError, RecursionError) as error:
        if isinstance(error, json.JSONDecodeError) and is_cut_off(error, text):
            found.problem(
                file.path,
                text.count("\n") + 1,
                gettext_noop(
                    "looks like %(store)s that is cut off after %(bytes)s bytes, in the middle of its JSON. "
                    "Nothing of it was read; export it again."
                ),
                store=STORES[found.format],
                bytes=f"{len(file.data):,}",
            )
        else:
            line = error.lineno if isinstance(error, json.JSONDecodeError) else 0
            said, values = _why(error, text)
            found.problem(file.path, line, said, **values)
    return None


def json_lines(file: FileIn, found: Found) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line number, object) of each line that holds one; the others become problems."""
    text = decoded(file, found)
    for number, line in enumerate((text or "").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = _parsed(line, file.path, number, found)
        except (ValueError, RecursionError) as error:
            said, values = _why(error, line)
            found.problem(file.path, number, said, **values)
            continue
        if isinstance(value, dict):
            yield number, value
        else:
            found.problem(file.path, number, gettext_noop("is no JSON object"))


def _why(error: ValueError | RecursionError, text: str) -> tuple[str, dict[str, str | int]]:
    """Why ``json.loads`` refused this text, without the words of the library."""
    if isinstance(error, RecursionError):
        return gettext_noop("is nested too deeply to be read"), {}
    if isinstance(error, _NoJson):
        return gettext_noop("holds %(name)s, which is no JSON"), {"name": str(error)}
    if not isinstance(error, json.JSONDecodeError):
        return gettext_noop("holds a number of more than 4,300 digits"), {}
    if is_cut_off(error, text):
        return gettext_noop("is cut off in the middle of its JSON"), {}
    return gettext_noop("is not valid JSON at character %(at)s"), {"at": error.colno}


def _parsed(text: str, path: str, line: int, found: Found) -> Any:
    """Raises ValueError, RecursionError. ``line``: where the text stands, 0 for a whole document."""
    odd = list(unstorable_escapes(text))
    if odd:
        found.problem(
            path,
            line or text.count("\n", 0, odd[0]) + 1,
            gettext_noop("holds characters that cannot be stored; they were replaced"),
        )
        pieces = zip([0, *(at + 6 for at in odd)], [*odd, len(text)], strict=True)
        text = "\\ufffd".join(text[start:end] for start, end in pieces)
    return json.loads(text, parse_constant=_no_constants)


def _no_constants(name: str) -> Any:
    raise _NoJson(name)


def moment(value: Any, file: str, line: int, found: Found, *, zone: Any = UTC) -> datetime | None:
    """A time as stores write it: ISO 8601, or seconds or milliseconds since 1970. None, and a problem, otherwise."""
    if value in (None, ""):
        return None
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            seconds = value / 1000 if abs(value) > 1e11 else value
            return datetime.fromtimestamp(seconds, UTC)
        at = datetime.fromisoformat(str(value).strip())
        return in_utc(at if at.tzinfo else at.replace(tzinfo=zone))
    except (ValueError, OverflowError, OSError):
        said = gettext_noop("%(value)s is no date; it was left out")
        found.problem(file, line, said, value=repr(str(value)[:40]))
        return None


def written(
    created: datetime | None, updated: datetime | None, file: str, line: int, found: Found
) -> datetime | None:
    """When the text was written: its last change. Contradictory dates are named, and neither is believed."""
    if created and updated and updated < created:
        found.problem(file, line, gettext_noop("was changed before it was written; both dates were left out"))
        return None
    return updated or created


# By the codes of knowledge.notes.frontmatter.
_FRONT = {
    "no_front_matter": gettext_noop(
        "begins front matter with --- and never ends it; nothing of the file was taken"
    ),
    "front_too_long": gettext_noop(
        "has more than %(limit)s characters of front matter; nothing of the file was taken"
    ),
    "field_twice": gettext_noop(
        "names the field %(about)s twice in its front matter; nothing of the file was taken"
    ),
    "not_yaml": gettext_noop("has front matter that is no plain YAML; nothing of the file was taken"),
    "not_fields": gettext_noop("has front matter without fields; nothing of the file was taken"),
}


def front_problem(path: str, problem: FrontProblem, found: Found) -> None:
    """The front matter of a note cannot be read, and so nothing of the note is taken."""
    line = int(problem.about) if problem.code == "not_yaml" and problem.about.isdecimal() else 1
    found.problem(path, line, _FRONT[problem.code], about=problem.about[:80], limit=problem.limit)


def text_of(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""
