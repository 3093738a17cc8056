"""The night shift's numbers (design section 6); each has its one owner here."""

from __future__ import annotations

from datetime import timedelta

# Explicit use protects from retiring, and from any rewrite that drops over half of the text.
PROTECTED_FOR = timedelta(days=30)
KEPT_SHARE = 0.5

# Unused: active for so long, with neither use nor recall exposure for so long.
UNUSED_AFTER = timedelta(days=90)
RETIRE_A_NIGHT = 20
# "until 31 March": a day or two late is still of use to whoever plans.
OUTDATED_AFTER = timedelta(days=7)

# A queue of hundreds is a queue that nobody reads: so many may wait, what is over comes back later.
PAIRS_A_NIGHT = 50
# Two rules that contradict each other and were said on one day are more likely about two things.
CONTRADICTS_AFTER = timedelta(days=1)

# New notes, and changes of notes, that are put before a person after one night: a handful gets read.
NOTES_A_NIGHT = 5
