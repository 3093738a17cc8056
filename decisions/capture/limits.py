"""How much of what is taken. Longer ones are no real question; they go to the quarantine."""

from __future__ import annotations

from typing import Final

MAX_QUESTIONS: Final = 4
MIN_OPTIONS: Final = 2
MAX_OPTIONS: Final = 50
MAX_QUESTION_CHARS: Final = 4_000
MAX_HEADER_CHARS: Final = 200
MAX_LABEL_CHARS: Final = 500
MAX_LABEL_BYTES: Final = 2_000  # a key of an index holds no more than 2,704
MAX_DESCRIPTION_CHARS: Final = 10_000
MAX_TYPED_CHARS: Final = 50_000
MAX_ID_CHARS: Final = 200
MAX_DEPTH: Final = 40
MAX_CONTEXT_KEYS: Final = 20
MAX_CONTEXT_KEY_CHARS: Final = 40
MAX_CONTEXT_CHARS: Final = 200
