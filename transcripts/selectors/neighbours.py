"""A turn and what stands around it: for the source panel, and for pins."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Q

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
    rows = Turn.objects.filter(session=turn.session_id)
    before = Q(opened_at__lt=turn.opened_at) | Q(opened_at=turn.opened_at, pk__lt=turn.pk)
    after = Q(opened_at__gt=turn.opened_at) | Q(opened_at=turn.opened_at, pk__gt=turn.pk)
    earlier = rows.filter(before).order_by("-opened_at", "-pk").values_list("pk", flat=True)
    later = rows.filter(after).order_by("opened_at", "pk").values_list("pk", flat=True)
    return [*earlier[:each_way], turn.pk, *later[:each_way]]
