"""A call as understood: what was asked, and what came back for each question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from decisions.learning.types import OptionIn

Event = Literal["PreToolUse", "PostToolUse", "PostToolUseFailure"]


@dataclass(frozen=True)
class Asked:
    """One question as shown. ``answer``: None when there is none; ``skip``: why, where the client says it."""

    text: str
    options: tuple[OptionIn, ...]
    header: str = ""
    multi: bool = False
    answer: str | tuple[str, ...] | None = None
    skip: str = ""
    note: str = ""
    category: str = ""


@dataclass(frozen=True)
class Call:
    """One event of the tool. ``skip``: why nothing of the whole call counts. ``reply``: typed instead of choosing.

    ``prefilled``: of a PreToolUse, the questions that have an answer already (``ANY``: cannot be told, so all).
    """

    event: Event
    session: str
    tool_use_id: str
    asked: tuple[Asked, ...] = ()
    skip: str = ""
    reply: str = ""
    prefilled: tuple[str, ...] = ()
    prompt_id: str = ""
    context: Mapping[str, str] = field(default_factory=dict)


ANY = "*"


@dataclass(frozen=True)
class Refused:
    """A call for the quarantine: a code of ``reasons``, the place, and what could be read all the same."""

    reason: str
    detail: str
    session: str = ""
    questions: tuple[str, ...] = ()


class Odd(Exception):
    """Raised while reading, becomes ``Refused``."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail
