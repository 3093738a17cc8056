"""A turn and what stands around it: for the source panel, and for pins."""

from __future__ import annotations

from collections.abc import Collection

from transcripts.models import Turn


def neighbours(turn: Turn, each_way: int = 2) -> list[Turn]:
    """The turn with up to `each_way` turns before and after it, in order, their messages prefetched.

    The caller has checked that the turn is visible to whoever looks (`Turn.objects.visible_to`).
    """
    return list(
        Turn.objects.filter(pk__in=_around(turn, each_way))
        .prefetch_related("messages")
        .order_by("opened_at", "pk")
    )


def with_neighbours(turn_ids: Collection[int], each_way: int) -> set[int]:
    """Ids of these turns and their neighbours; ids that do not exist are left out."""
    return {pk for turn in Turn.objects.filter(pk__in=turn_ids) for pk in _around(turn, each_way)}


def _around(turn: Turn, each_way: int) -> list[int]:
    # One statement: every scan that files a candidate asks this under its namespace's lock.
    earlier = Turn.objects.before(turn).values_list("pk", flat=True)[:each_way]
    later = Turn.objects.after(turn).values_list("pk", flat=True)[:each_way]
    return [turn.pk, *earlier.union(later, all=True)]
