"""Options that a person declared to be one: which key counts as which."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection

from decisions.models import Option


def aliases_of(point_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, dict[str, str]]:
    """By point: alias key → the key it counts as. Points of one person, chosen by the caller; no query for none."""
    found: dict[uuid.UUID, dict[str, str]] = defaultdict(dict)
    if point_ids:
        rows = Option.objects.filter(point_id__in=point_ids, alias_of__isnull=False)
        for point, key, target in rows.values_list("point_id", "key", "alias_of__key"):
            found[point][key] = target
    return dict(found)
