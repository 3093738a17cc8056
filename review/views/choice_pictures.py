"""The picture of a question's past, in the reader's words and dates, and the same numbers as a table."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.utils import formats, timezone
from django.utils.translation import gettext as _

from decisions.learning.types import Prediction
from decisions.models import Choice
from review.plots import timeline as draw
from review.plots.drawing import Said
from review.plots.shares import Seen, at_moment, share_curves
from review.selectors.choice_log import factor_of, is_archived
from review.selectors.knowing import Log
from review.templatetags.hikae import full
from review.views.words import short

LANES = 6  # what fits; rarer options share the last one
LEAST = timedelta(days=7)  # so that the choices of one day do not fill the whole width


def moves_of(log: Log, drawn: Sequence[Choice], known: Prediction) -> dict[str, Any]:
    """``picture``, and for the table ``moments`` (dates) and ``moved`` (label, shares then); nothing for no choices."""
    if not drawn:
        return {"picture": None, "moments": [], "moved": []}
    start = min(drawn[0].at, log.now - LEAST)
    lanes, lane_of = _lanes(log, drawn, known)
    seen = [
        Seen(choice.at, lane_of[key], factor_of(log, choice))
        for choice in drawn
        if choice.reset_id is None
        for key in log.chosen(choice)
    ]
    curves = share_curves(seen, rate=log.numbers.decay_rate, keep=log.numbers.archive_after, now=log.now)
    ordered = [curves.get(number, []) for number in range(len(lanes))]
    ticks = [(log.now - timedelta(days=day), _day(log.now, day)) for day in draw.tick_days(start, log.now)]
    picture = draw.timeline(
        Said("moves", _("Choices over time"), _about(log, lanes, ordered, len(drawn))),
        shares=_("share; recent choices weigh more"),
        lanes=lanes,
        dots=[
            draw.Dot(
                at=choice.at,
                lane=lane_of[key],
                said=f"{full(choice.at)} · {log.label(key)}",
                kind=_kind(choice),
                archived=is_archived(log, choice) or choice.reset_id is not None,
            )
            for choice in drawn
            for key in log.chosen(choice)
        ],
        curves=ordered,
        ticks=ticks,
        start=start,
        end=log.now,
        counted_from=log.now - log.numbers.archive_after,
    )
    moments = ticks[::-1]
    return {
        "picture": picture,
        "moments": [label for _moment, label in moments],
        "moved": [
            (label, [at_moment(curve, moment) for moment, _label in moments])
            for label, curve in zip(lanes, ordered, strict=True)
        ],
    }


def _lanes(log: Log, drawn: Sequence[Choice], known: Prediction) -> tuple[list[str], dict[str, int]]:
    """Labels from the top, and the lane of each option; the leader's is the first."""
    usual, _share = log.usual(known)
    counts: dict[str, int] = {}
    for choice in drawn:
        for key in log.chosen(choice):
            counts[key] = counts.get(key, 0) + 1
    keys = sorted(counts, key=lambda key: (key != usual, -counts[key]))
    if len(keys) <= LANES:
        return [log.label(key) for key in keys], {key: number for number, key in enumerate(keys)}
    lane_of = {key: min(number, LANES - 1) for number, key in enumerate(keys)}
    return [*(log.label(key) for key in keys[: LANES - 1]), _("all others")], lane_of


def _kind(choice: Choice) -> str:
    if not choice.labelled:
        return draw.PLAIN
    return draw.FOLLOWED if choice.followed else draw.OVERRIDDEN


def _day(now: datetime, days: int) -> str:
    if days == 0:
        return _("today")
    return formats.date_format(timezone.localtime(now - timedelta(days=days)), "MONTH_DAY_FORMAT")


def _about(
    log: Log, lanes: Sequence[str], curves: Sequence[Sequence[tuple[datetime, float]]], count: int
) -> str:
    shares = _(", ").join(
        f"{short(label)} {at_moment(curve, log.now):.0%}" for label, curve in zip(lanes, curves, strict=True)
    )
    return _("%(n)s choices. Weighed by age, the shares today: %(shares)s.") % {"n": count, "shares": shares}
