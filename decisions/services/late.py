"""A choice that arrives late, from before a reset, is out of the sums like those that were there."""

from __future__ import annotations

from collections.abc import Sequence

from decisions.models import Choice, DecisionPoint, Preference
from decisions.services.places import Place


def resets_mark(*, place: Place, choices: Sequence[Choice], points: Sequence[DecisionPoint]) -> None:
    """Sets ``reset`` on rows not yet stored. No query for what happens now."""
    if not choices or place.at >= place.now:
        return
    category_of = {point.pk: point.effective_category for point in points}
    resets = Preference.objects.visible_to(place.user).live().filter(kind="reset", at__gte=place.at)
    for reset in resets.order_by("at"):
        for choice in choices:
            reached = reset.point_id == choice.point_id if reset.point_id else True
            if reset.category and choice.point_id:
                reached = category_of[choice.point_id] == reset.category
            if reached and choice.reset_id is None:
                choice.reset = reset
