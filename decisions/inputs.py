"""What the services of this room take and give (design section 7, ``POST decisions/``)."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from decisions.learning.types import OptionIn

# A client's clock may be a little fast (as in transcripts); more is a mistake.
CLOCK_SKEW: Final = timedelta(minutes=5)


@dataclass(frozen=True)
class RecordIn:
    """Our plain record. ``answer``: a label, several of them, or words of the person's own. ``at`` is aware."""

    decision_id: str
    at: datetime
    question: str
    options: tuple[OptionIn, ...]
    answer: str | tuple[str, ...]
    session: str = ""
    context: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """What became of one question: ``observed``, ``skipped`` or ``quarantined``; ``reason`` is a code or empty.

    ``id`` is the choice's, or of the quarantined call.
    """

    id: uuid.UUID
    question: str
    outcome: str
    reason: str


@dataclass(frozen=True)
class Captured:
    """``new``: something was stored or changed. ``scan``: sessions in which words were stored that memory may read."""

    results: tuple[Result, ...] = ()
    new: bool = False
    scan: tuple[uuid.UUID, ...] = ()
