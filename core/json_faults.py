"""What is wrong with a JSON text, beyond the words of the library. Pure, standard library only."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

_LITERALS = ("true", "false", "null")
# Escapes of characters that no database stores, unless two halves make a pair: NUL, and surrogates.
_ODD_ESCAPE = re.compile(r"\\u(?:0000|[dD][89a-fA-F]..)")
_SECOND_HALF = re.compile(r"\\u[dD][c-fC-F]..")


def is_cut_off(error: json.JSONDecodeError, text: str) -> bool:
    """Whether the JSON was good as far as it goes: the error lies at its very end, or in a string that never ends."""
    rest = text[error.pos :].rstrip()
    return (
        not rest
        or error.msg.startswith("Unterminated string")
        or any(word.startswith(rest) for word in _LITERALS)
        or (error.msg.startswith("Invalid \\") and len(rest) <= len("\\uFFFF"))
    )


def unstorable_escapes(text: str) -> Iterator[int]:
    """Where escapes stand that no database stores. A backslash that is escaped itself begins none."""
    after = 0
    for match in _ODD_ESCAPE.finditer(text):
        at = match.start()
        before = at
        while before and text[before - 1] == "\\":
            before -= 1
        if at < after or (at - before) % 2:
            continue
        if match[0][2] in "dD" and match[0][3] in "89abAB" and _SECOND_HALF.match(text, match.end()):
            after = match.end() + 6
            continue
        yield at
