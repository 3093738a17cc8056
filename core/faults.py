"""What may be kept or logged of an exception: what broke and where, never the row it broke on.

PostgreSQL explains an error with further lines (DETAIL, CONTEXT, in the server's language) that quote the row, and so
what somebody typed. Only the first line is taken, and that is redacted like everything else that is kept.
"""

from __future__ import annotations

import traceback

from core.redact import redact

MAX_CHARS = 2_000


def brief(error: BaseException) -> str:
    """One line for an ``error`` column, such as ``IntegrityError: duplicate key value …``; at most 2,000 characters."""
    lines = str(error).strip().splitlines()
    said = f"{type(error).__qualname__}: {lines[0]}" if lines else type(error).__qualname__
    return redact(said).text[:MAX_CHARS]


def trace(error: BaseException | None) -> str:
    """The stack of an exception and of those behind it, the first cause on top; each with its line of ``brief``."""
    parts: list[str] = []
    while error is not None:
        stack = "".join(traceback.format_tb(error.__traceback__))
        parts.append(f"{stack}{brief(error)}")
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return redact("\n\nwhich led to:\n\n".join(reversed(parts))).text
