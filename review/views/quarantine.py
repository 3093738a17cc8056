"""Calls that were not understood: look, try again, put away."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from decisions.services.capture import quarantine_run
from decisions.services.quarantine import quarantine_dismiss
from review.selectors import choices as chosen
from review.selectors.paging import Cursor
from review.views.door import clock, page, person, say, warn


@require_safe
@page
def quarantine(request: HttpRequest) -> HttpResponse:
    """What waits, the latest first."""
    user, after = person(request), Cursor.parse(request.GET.get("after"))
    found = chosen.waiting_calls(user=user, after=after)
    context = {
        "tab": "quarantine",
        "rows": found.rows,
        "next": found.next,
        "paged": after is not None,
        "quarantined": chosen.quarantined(user=user),
    }
    return render(request, "choices/quarantine.html", context)


@require_POST
@page
def dismiss(request: HttpRequest, quarantine_id: uuid.UUID) -> HttpResponse:
    """It will never count."""
    quarantine_dismiss(quarantine_id=quarantine_id, user=person(request), now=clock())
    say(request, _("Put away: it does not count."))
    return redirect("choices-quarantine")


@require_POST
@page
def run(request: HttpRequest, quarantine_id: uuid.UUID) -> HttpResponse:
    """Read it again: after an update it may be understood."""
    done = quarantine_run(quarantine_id=quarantine_id, user=person(request), now=clock())
    if any(each.outcome == "quarantined" for each in done.results):
        warn(request, _("It is still not understood; it waits."))
    else:
        observed = sum(each.outcome == "observed" for each in done.results)
        said = ngettext("Understood: %(n)s choice counts.", "Understood: %(n)s choices count.", observed)
        say(request, said % {"n": observed})
    return redirect("choices-quarantine")
