"""A claimed scan, as it is passed around between the queue and whoever scans."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Final

TURN: Final = "turn"
COMPACTION: Final = "compaction"


@dataclass(frozen=True)
class Job:
    """`kind` is turn or compaction, `id` that row's; `token` proves the lease; `attempts` counts this one."""

    kind: str
    id: int
    session_id: uuid.UUID
    token: uuid.UUID
    backlog: bool = False
    attempts: int = 1
