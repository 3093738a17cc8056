"""How the gate does, what agents were given, and whether work flows."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import formats
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.scope import Scope
from memory.models import Source
from review.plots.drawing import Drawing, Said
from review.plots.weeks import Week, weeks
from review.selectors import insights as found
from review.selectors.machinery import machinery_of, meters_of
from review.views.door import clock, page, person

# Part of the picture and CSS class, the lowest first: what was let in carries the rest.
FATES = (("approved", "kept"), ("rejected", "refused"), ("archived", "faded"), ("waiting", "open"))
PATHS = (("resident", "at-start"), ("recall", "recalled"), ("get", "read"), ("expansion", "expanded"))
EVERY = 4  # weeks between two labels of the axis


@require_safe
@page
def insights(request: HttpRequest) -> HttpResponse:
    """Ninety days of the person's own, over all their namespaces or the one of the address."""
    user, now = person(request), clock()
    homes, home = found.homes_of(user=user, wanted=request.GET.get("namespace", ""))
    scope = Scope.of([home.pk] if home else [each.pk for each in homes])
    gate = found.gate_by_week(user=user, scope=scope, now=now)
    shown = found.shown_by_week(user=user, scope=scope, now=now)
    recalled, different = found.recalled_most(user=user, scope=scope, now=now)
    tally = {name: found.total(gate, name) for name, _css in FATES}
    decided = tally["approved"] + tally["rejected"]
    waited = found.hours_to_decide(user=user, scope=scope, now=now)
    context = {
        "homes": homes,
        "home": home,
        "machinery": machinery_of(user=user, scope=scope, now=now),
        "meters": meters_of(user=user, scope=scope, now=now),
        "model_is_set": bool(settings.LLM_BASE_URL),
        "tally": tally,
        "proposed": sum(tally.values()),
        "approved_share": tally["approved"] / decided if decided else None,
        "hours": None if waited is None else round(waited),
        "days": None if waited is None else round(waited / 24),
        "gate": [(each.monday, [each.counts[name] for name, _css in FATES]) for each in reversed(gate)],
        "gate_picture": _gate(gate, tally) if sum(tally.values()) else None,
        "sources": [
            (Source(each.source).label, each)
            for each in found.gate_by_source(user=user, scope=scope, now=now)
        ],
        "scans": (scans := found.scans_of(user=user, scope=scope, now=now)),
        "left_out": scans.left_out.most_common(),
        "given": sum(found.total(shown, name) for name, _css in PATHS),
        "tokens": found.total(shown, "tokens"),
        "shown": [
            (each.monday, [each.counts[name] for name, _css in PATHS], each.counts["tokens"])
            for each in reversed(shown)
        ],
        "shown_picture": _shown(shown) if any(each.counts for each in shown) else None,
        "recalled": recalled,
        "different": different,
        "memories": found.memories_active(user=user, scope=scope),
        "advice": found.advice_of(user=user, scope=scope, now=now),
    }
    return render(request, "insights/page.html", context)


def _gate(columns: list[found.Weekly], tally: dict[str, int]) -> Drawing:
    about: Any = _(
        "Of %(all)s proposals %(approved)s were approved, %(rejected)s rejected and %(archived)s archived; "
        "%(waiting)s wait."
    )
    said = Said("gate", _("Proposals by week"), about % {"all": sum(tally.values()), **tally})
    return _drawn(said, columns, FATES)


def _shown(columns: list[found.Weekly]) -> Drawing:
    about = _("%(n)s texts with %(tokens)s tokens were put before agents.") % {
        "n": sum(found.total(columns, name) for name, _css in PATHS),
        "tokens": found.total(columns, "tokens"),
    }
    return _drawn(Said("shown", _("Given to agents by week"), about), columns, PATHS)


def _drawn(said: Said, columns: list[found.Weekly], parts: tuple[tuple[str, str], ...]) -> Drawing:
    drawn = [
        Week(_label(each.monday, number), tuple(each.counts[name] for name, _css in parts))
        for number, each in enumerate(columns)
    ]
    return weeks(said, parts=[css for _name, css in parts], columns=drawn)


def _label(monday: date, number: int) -> str:
    return str(formats.date_format(monday, "MONTH_DAY_FORMAT")) if number % EVERY == 0 else ""
