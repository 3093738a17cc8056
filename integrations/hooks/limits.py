"""Numbers of the hooks, each with its one owner here."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

# Of the envelope. A plugin speaks one protocol; the server understands a range (docs/claude-code.md, Versions).
PROTOCOL: Final = 1
OLDEST_PROTOCOL: Final = 1

# Three public hooks report that a client cuts injected text at 10,000 characters; this stays below, fence included.
ANSWER_CHARS: Final = 9_500
NOTICE_CHARS: Final = 600  # what a person reads in passing

PROMPT_HITS: Final = 5
PROMPT_TOKENS: Final = 700  # of recalled text at one prompt

ANNOUNCED: Final = 3  # proposals named at one prompt; the rest are counted

MAX_SLICE_LINES: Final = 20_000
MAX_SLICE_BYTES: Final = 6_000_000

# A delivery that has not reported for so long died with its process; the plugin's next try takes over.
LEASE: Final = timedelta(seconds=30)
# Longer than a spool keeps events, so that no replay is taken for news.
LEDGER_DAYS: Final = 45
