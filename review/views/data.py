"""Data: what is stored about me, take it along, erase old conversations (Settings → Data)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from core import throttle
from core.errors import Busy
from memory.services.archive import CANDIDATE_ARCHIVE_DAYS
from review.forms.data import EraseForm
from review.selectors.holdings import besides_of, holdings_of
from review.services.export import export_begin
from review.views.door import clock, page, person, say
from transcripts.limits import TRANSCRIPT_RETENTION_DAYS
from transcripts.services.purge import conversations_purge


@require_safe
@page
def data(request: HttpRequest) -> HttpResponse:
    return _render(request, EraseForm())


@require_POST
@page
def export(request: HttpRequest) -> HttpResponse:
    """The zip, in pieces while it is read. A POST: it is written down, and no other site can ask for it."""
    user = person(request)
    if not throttle.allowed("export", str(user.pk)):
        raise Busy(_("You have taken your data many times just now. Try again in a quarter of an hour."))
    pieces = export_begin(user=user, now=clock())
    response = StreamingHttpResponse(pieces, content_type="application/zip")
    day = timezone.localtime(clock()).strftime("%Y-%m-%d")
    response["Content-Disposition"] = f'attachment; filename="hikae-{day}.zip"'
    response["Cache-Control"] = "no-store"
    return response  # type: ignore[return-value]


@require_POST
@page
def erase(request: HttpRequest) -> HttpResponse:
    """Old conversations go now instead of at night; what evidence rests on stays."""
    form = EraseForm(request.POST)
    if not form.is_valid():
        return _render(request, form, status=422)
    gone = conversations_purge(user=person(request), days=form.cleaned_data["days"], now=clock())
    if gone.turns:
        said = ngettext("%(n)s old turn is erased.", "%(n)s old turns are erased.", gone.turns)
        say(request, said % {"n": gone.turns})
    else:
        say(request, _("There was nothing that old to erase."))
    return redirect("data")


def _render(request: HttpRequest, form: EraseForm, *, status: int = 200) -> HttpResponse:
    user = person(request)
    context = {
        "holdings": holdings_of(user=user),
        "besides": besides_of(user=user),
        "transcript_days": TRANSCRIPT_RETENTION_DAYS,
        "candidate_days": CANDIDATE_ARCHIVE_DAYS,
        "form": form,
    }
    return render(request, "settings/data.html", context, status=status)
