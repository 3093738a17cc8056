"""A person's whole log of choices, the archived ones too, as the backtest replays it."""

from __future__ import annotations

from django.contrib.auth.models import User

from decisions.learning.types import Asked, Observation
from decisions.models import Choice, Marker, Source
from decisions.selectors.aliases import aliases_of

_FIELDS = (
    *("id", "at", "chosen", "session_id", "labelled", "followed", "source", "context"),
    *("point_id", "point__workspace_id", "offered", "marked", "marked_by", "wording__template_hash"),
)


def log_of(*, user: User) -> list[Asked]:
    """Oldest first; what a person reset is left out. Two queries, no rows as objects."""
    rows = Choice.objects.visible_to(user).observed().filter(reset=None, point__isnull=False)
    found = list(rows.order_by("at", "id").values_list(*_FIELDS))
    aliases = aliases_of({row[8] for row in found})
    log = []
    for (
        pk,
        at,
        chosen,
        session,
        labelled,
        followed,
        source,
        context,
        point,
        place,
        offered,
        marked,
        by,
        template,
    ) in found:
        names = aliases.get(point, {})
        options = tuple(dict.fromkeys(names.get(each["key"], each["key"]) for each in offered))
        log.append(
            Asked(
                observation=Observation(
                    id=str(pk),
                    at=at,
                    chosen=tuple(dict.fromkeys(names.get(key, key) for key in chosen)),
                    session=str(session or ""),
                    workspace=str(place or ""),
                    offered=options,
                    labelled=labelled,
                    followed=followed,
                    source="hook" if source == Source.HOOK else "reported",
                    context=context,
                ),
                question=str(point),
                options=options,
                default=names.get(marked, marked) if marked and by == Marker.ASKER else None,
                template=template or "",
            )
        )
    return log
