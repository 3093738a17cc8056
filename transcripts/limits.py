"""Numbers of this room, each with its one owner here (design: "Numbers in capitals are settings")."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

MAX_MESSAGE_CHARS: Final = 100_000
MAX_TURN_MESSAGES: Final = 500
MAX_COMPACTION_MESSAGES: Final = 5_000  # a whole window
MAX_BATCH_TURNS: Final = 100
MAX_KEY_CHARS: Final = 200

# A client's clock may be a little fast; more is a mistake that would spoil the order of turns.
CLOCK_SKEW: Final = timedelta(minutes=5)

# How long candidates about the project wait for the client to name the workspace (design section 7).
WORKSPACE_WAIT: Final = timedelta(seconds=60)

# Late deliveries: how long scans wait for more of them when the client says that there is more (its own pauses are
# up to two minutes), when it does not say, and at the very most.
REPLAY_WAIT: Final = timedelta(minutes=3)
REPLAY_QUIET: Final = timedelta(seconds=20)
REPLAY_MOST: Final = timedelta(hours=1)

# How long a closed turn waits for an earlier one that is still open (design section 4).
GAP_WAIT: Final = timedelta(seconds=60)

# A session silent for so long is not coming back to its open turn.
IDLE: Final = timedelta(hours=24)

# A scan that has not reported for so long is taken to be dead with its worker.
LEASE: Final = timedelta(seconds=120)
MAX_ATTEMPTS: Final = 5
BACKOFF: Final = timedelta(seconds=15)  # doubled at each further attempt

# Messages of one compaction that are scanned at a time.
COMPACTION_BATCH: Final = 60

# A text served without a session is compared with what its key sends for so long (design section 3).
KEY_EXPOSURE: Final = timedelta(hours=24)

TRANSCRIPT_RETENTION_DAYS: Final = 90
