"""Hold turns that something cites, against purging (design section 3)."""

from __future__ import annotations

from collections.abc import Collection

from transcripts.models import TurnPin
from transcripts.selectors.neighbours import with_neighbours

NEIGHBOURS = 2


def turn_pin(*, turn_ids: Collection[int], holder: str) -> None:
    """Pin the cited turns and their two neighbours each way for `holder`, e.g. `candidate:<id>`.

    One INSERT, safe to repeat. Neighbours that do not exist yet are held by purge itself, which keeps what follows a
    pinned turn.
    """
    wanted = with_neighbours(turn_ids, NEIGHBOURS)
    TurnPin.objects.bulk_create(
        [TurnPin(turn_id=turn_id, holder=holder) for turn_id in sorted(wanted)], ignore_conflicts=True
    )


def turn_unpin(*, holder: str) -> int:
    """Let go of everything that `holder` held; returns how many pins there were."""
    return TurnPin.objects.filter(holder=holder).delete()[0]
