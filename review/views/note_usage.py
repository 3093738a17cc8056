"""What notes are worth: the page of a namespace, the switch that costs tokens, and slugs while typing."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from core.errors import Conflict, Forbidden
from core.ids import parse_id
from knowledge.models import Knowledge
from knowledge.services.notes import knowledge_resident
from review.plots.cost import Cost, costs
from review.plots.drawing import Drawing, Said
from review.plots.earning import Earning, earnings
from review.plots.timeline import tick_days
from review.selectors import knowledge as shelf
from review.selectors import note_candidates as wanted
from review.selectors.note_slugs import offers
from review.selectors.note_usage import (
    NoteUsage,
    Paid,
    paid_by_sessions,
    resident_cost,
    sessions_lately,
    usage_of_notes,
)
from review.templatetags.hikae import full
from review.views.door import clock, page, person, say
from review.views.posted import version_of

LANES = 20  # notes in the picture; the table has all
LEAST = timedelta(days=7)
DAYS = 30


@require_safe
@page
def usage(request: HttpRequest, namespace_id: uuid.UUID) -> HttpResponse:
    """What the resident part of a namespace costs, which notes earn their tokens, and which notes are missing."""
    user, now = person(request), clock()
    home = shelf.home_for(user=user, namespace_id=namespace_id)
    notes = Knowledge.objects.active().filter(namespace=home).order_by("slug")
    rows = sorted(
        usage_of_notes(notes=list(notes)), key=lambda each: (-each.uses, -each.exposures, each.note.slug)
    )
    paid = paid_by_sessions(namespace=home, now=now)
    context = {
        "home": home,
        "may_change": shelf.may_change(user=user, namespace_id=home.pk),
        "rows": [(each, each.protected_until(now)) for each in rows],
        "never": [each for each in rows if not each.uses],
        "cost": resident_cost(namespace=home),
        "paid": paid[::-1][:50],
        "paid_sum": sum(each.tokens for each in paid),
        "sessions": len(paid),
        "cost_picture": _cost_picture(paid, now) if paid else None,
        "earn_picture": _earn_picture(rows[:LANES])
        if any(each.exposures or each.uses for each in rows)
        else None,
        "recalled": wanted.recalled_often(namespace=home, now=now),
        "asked": wanted.asked_often(user=user, namespace=home, now=now),
    }
    return render(request, "knowledge/usage.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@page
def resident(request: HttpRequest, knowledge_id: uuid.UUID) -> HttpResponse:
    """The one switch that costs tokens unasked, with uses, exposures and the price in view."""
    user, now = person(request), clock()
    found = shelf.note_for(user=user, knowledge_id=knowledge_id)
    if not shelf.may_change(user=user, namespace_id=found.namespace_id):
        raise Forbidden(_("Readers of a namespace cannot change notes. Ask an owner for the reviewer role."))
    if request.method == "POST":
        on = request.POST.get("on") == "1"
        knowledge_resident(knowledge_id=found.pk, version=version_of(request), user=user, on=on, now=now)
        say(
            request,
            _("Every session starts with its description from now on.")
            if on
            else _("Sessions no longer start with it. Agents still find it, and #slug still brings it."),
        )
        return redirect("note", knowledge_id=found.pk)
    if found.status != "active":
        raise Conflict(_("Only active notes can stand before sessions. Restore it first."), code="not_active")
    (row,) = usage_of_notes(notes=[found])
    cost, lately = (
        resident_cost(namespace=found.namespace),
        sessions_lately(namespace_id=found.namespace_id, now=now, days=DAYS),
    )
    after = cost - row.line if found.model_invocation else cost + row.line
    context = {
        "note": found,
        "row": row,
        "protected": row.protected_until(now),
        "cost": cost,
        "after": after,
        "days": DAYS,
        "sessions": lately,
        "monthly": lately * row.line,
        "limit": settings.SUMMARY_TOKENS,
    }
    return render(request, "knowledge/resident.html", context)


@require_safe
@page
def slugs(request: HttpRequest) -> HttpResponse:
    """Notes whose slug or title holds ``q``, for completion: the signed-in person's, as JSON."""
    home = parse_id(request.GET.get("in", ""))
    found = offers(user=person(request), typed=request.GET.get("q", ""), home=home)
    rows = [{"slug": each.slug, "title": each.title, "namespace": each.namespace} for each in found]
    response = JsonResponse({"notes": rows})
    response["Cache-Control"] = "no-store"
    return response


def _cost_picture(paid: list[Paid], now: datetime) -> Drawing:
    start = min(paid[0].at, now - LEAST)
    ticks = [(now - timedelta(days=days), _day(now, days)) for days in tick_days(start, now)]
    most, last = max(each.tokens for each in paid), paid[-1].tokens
    about = _("%(n)s sessions. The last one started with %(last)s tokens, the dearest with %(most)s.") % {
        "n": len(paid),
        "last": last,
        "most": most,
    }
    return costs(
        Said("costs", _("What sessions started with"), about),
        heading=_("tokens before a session"),
        sessions=[Cost(each.at, each.tokens, f"{full(each.at)} · {_tokens(each.tokens)}") for each in paid],
        limit=settings.SUMMARY_TOKENS,
        limit_said=_("longest summary"),
        ticks=ticks,
        start=start,
        end=now,
    )


def _earn_picture(rows: list[NoteUsage]) -> Drawing:
    used = sum(1 for each in rows if each.uses)
    about = _("%(used)s of %(all)s notes were used. A bar shows exposures, the dark part of it uses.") % {
        "used": used,
        "all": len(rows),
    }
    lanes = [
        Earning(
            f"#{each.note.slug}",
            each.exposures,
            each.uses,
            _("%(used)s of %(shown)s") % {"used": each.uses, "shown": each.exposures},
        )
        for each in rows
    ]
    return earnings(Said("earnings", _("Used and shown"), about), notes=lanes)


def _tokens(count: int) -> str:
    return ngettext("%(n)s token", "%(n)s tokens", count) % {"n": count}


def _day(now: datetime, days: int) -> str:
    if days == 0:
        return _("today")
    return formats.date_format(timezone.localtime(now - timedelta(days=days)), "MONTH_DAY_FORMAT")


def facts_of(note: Knowledge, now: datetime) -> dict[str, Any]:
    """The record of one note for its page."""
    (row,) = usage_of_notes(notes=[note])
    return {"row": row, "protected": row.protected_until(now)}
