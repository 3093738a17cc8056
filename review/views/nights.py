"""The night shift: when it last looked, what it proposed, a night now, and the undo of one (design section 6)."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from knowledge.services.night.due import night_now
from knowledge.services.night.undo import night_undo
from review.selectors.nights import places, report, with_proposals
from review.selectors.paging import Cursor
from review.views.door import clock, page, person, say


@require_safe
@page
def nights(request: HttpRequest) -> HttpResponse:
    """Where it looks, and the nights that proposed something."""
    after = Cursor.parse(request.GET.get("after"))
    found = with_proposals(user=person(request), after=after)
    context = {
        "places": places(user=person(request)) if after is None else [],
        "rows": found.rows,
        "next": found.next,
        "paged": after is not None,
    }
    return render(request, "settings/nights.html", context)


@require_safe
@page
def night(request: HttpRequest, run_id: uuid.UUID) -> HttpResponse:
    """One night's report and what it filed."""
    return render(request, "settings/night.html", {"report": report(user=person(request), run_id=run_id)})


@require_POST
@page
def start(request: HttpRequest, namespace_id: uuid.UUID) -> HttpResponse:
    """A night now: an owner asks, a worker does it."""
    run = night_now(namespace_id=namespace_id, user=person(request), now=clock())
    say(request, _("The night shift is on its way. Reload this page in a moment."))
    return redirect("night", run_id=run.pk)


@require_POST
@page
def undo(request: HttpRequest, run_id: uuid.UUID) -> HttpResponse:
    """Take back everything that the night proposed."""
    done = night_undo(run_id=run_id, user=person(request), now=clock())
    taken = done.withdrawn + done.reverted
    said = ngettext("%(n)d proposal was taken back.", "%(n)d proposals were taken back.", taken) % {
        "n": taken
    }
    if done.kept:
        kept = len(done.kept)
        said += " " + ngettext(
            "%(n)d stays, because something touched it since.",
            "%(n)d stay, because something touched them since.",
            kept,
        ) % {"n": kept}
    say(request, said)
    return redirect("night", run_id=run_id)
