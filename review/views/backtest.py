"""Would the recommendations have been right? The person's own log, replayed (design section 5)."""

from __future__ import annotations

from math import log
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from decisions.learning.types import Backtest, Bin
from decisions.numbers import numbers
from decisions.services.backtest import choices_backtest
from review.plots.drawing import Drawing, Said
from review.plots.reliability import Bin as Dot
from review.plots.reliability import Words, reliability
from review.selectors.choices import quarantined
from review.selectors.knowing import numbers_of
from review.views.choice_words import best_of, verdict
from review.views.door import page, person

NEWEST = 1_000  # replayed for a page: about a second
LEAST = 50  # answers below which the numbers say more about chance


@require_safe
@page
def backtest(request: HttpRequest) -> HttpResponse:
    """Ours against plain rules: how often right, how honest about being sure, and whether another rate fits better."""
    user = person(request)
    rate = numbers_of(user=user).decay_rate
    replay = choices_backtest(user=user, newest=NEWEST)
    context = {
        "tab": "backtest",
        "replay": replay,
        "few": replay.n < LEAST,
        "least": LEAST,
        "quarantined": quarantined(user=user),
        "rate": rate,
        "own_rate": rate != numbers().decay_rate,
        "half_life": log(2) / rate if rate else None,
        **(_told(replay) if replay.scores else {}),
    }
    return render(request, "choices/backtest.html", context)


def _told(replay: Backtest) -> dict[str, Any]:
    ours = replay.scores[0]
    bins = [each for each in ours.bins if each.n]
    return {
        "bins": bins,
        "coverage": ours.coverage,
        "best": best_of(replay.scores),
        "verdict": verdict(replay),
        "picture": picture_of(bins, ours.ece),
    }


def picture_of(bins: list[Bin], ece: float) -> Drawing:
    said = [
        ngettext(
            "predicted %(p)s%%, came true %(true)s%% (%(n)s answer)",
            "predicted %(p)s%%, came true %(true)s%% (%(n)s answers)",
            each.n,
        )
        % {"p": round(100 * each.mean_confidence), "true": round(100 * each.accuracy), "n": each.n}
        for each in bins
    ]
    about = _("On average %(gap)s percentage points apart. %(bins)s") % {
        "gap": round(100 * ece),
        "bins": "; ".join(said),
    }
    return reliability(
        Said("trust", _("Predicted and come true"), about),
        Words(across=_("predicted →"), upwards=_("↑ came true"), ideal=_("exactly as promised")),
        bins=[
            Dot(each.mean_confidence, each.accuracy, each.n, words)
            for each, words in zip(bins, said, strict=True)
        ],
    )
