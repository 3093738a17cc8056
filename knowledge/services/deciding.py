"""Who decides about a proposal, and with what words of their own."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.actor import Decider
from knowledge.notes.fields import Note


@dataclass(frozen=True)
class Deciding:
    """Who decides, when, in which act, about what of which namespace.

    ``content`` is the person's own wording instead of the proposed one: of a memory or of the summary; ``note`` that of
    a note. ``sources`` are the proposal's.
    """

    user: Decider
    now: datetime
    group: uuid.UUID | None
    namespace_id: uuid.UUID
    sources: Sequence[Mapping[str, Any]] = ()
    content: str | None = None
    note: Note | None = None
