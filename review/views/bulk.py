"""Many at once: the picked rows, or all that matched when the person looked (review-ux lines 19 to 22)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from core.errors import Invalid
from review.forms.texts import BulkForm
from review.selectors.queue import waiting
from review.selectors.selection import Selection
from review.selectors.wanted import parse
from review.services import acts
from review.services.results import ActResult
from review.views.door import clock, event, go, is_htmx, page, person, say
from review.views.posted import incomplete
from review.views.queue import tally_for
from review.views.words import bulk_sentence

REST_SHOWN = 60  # ids in an address; proxies cut addresses of more than some 4,000 characters


@require_POST
@page
def bulk(request: HttpRequest) -> HttpResponse:
    """One act, one toast, one undo. Decisions and postmortems are never approved by the dozen."""
    form = BulkForm(request.POST)
    if not form.is_valid():
        raise incomplete(next(iter(form.errors)))
    result = _run(request, form)
    text, act = (
        bulk_sentence(result, verb=form.cleaned_data["verb"]),
        str(result.act.pk) if result.act else "",
    )
    rest = _rest(result)
    if not is_htmx(request):
        say(request, text, act=act, link=rest)
        return go(request)
    reasons = form.cleaned_data["verb"] == "reject" and bool(act)
    tone = "ok" if result.act else "bad"
    toast = {"text": text, "tone": tone, "act": act, "link": rest, "reasons": reasons}
    context = {"toast": toast, "tally": tally_for(person(request)), "oob": True}
    return event(render(request, "review/_done.html", context), "hikae:bulk", {})


def _run(request: HttpRequest, form: BulkForm) -> ActResult:
    user, now, typed = person(request), clock(), form.cleaned_data
    verb, namespace_id = typed["verb"], typed["namespace"]
    if typed["all"]:
        if typed["as_of"] is None:
            raise incomplete("as_of")
        selection = Selection(parse(typed["query"]), min(typed["as_of"], now))
        return acts.act_bulk(user=user, verb=verb, selection=selection, namespace_id=namespace_id, now=now)
    if not typed["item"]:
        raise Invalid(_("Select at least one row first."), field="item")
    if verb == "move" and namespace_id is None:
        raise Invalid(_("Choose where to move them."), field="namespace")
    do: dict[str, Callable[..., ActResult]] = {
        "approve": partial(acts.act_approve, bulk=True),
        "reject": acts.act_reject,
        "set_aside": acts.act_set_aside,
        "move": partial(acts.act_move, namespace_id=namespace_id),
    }
    return do[verb](user=user, items=typed["item"], now=now)


def _rest(result: ActResult) -> str:
    """The address of what was left behind; empty when nothing was."""
    ids = [*result.left_out, *result.changed][:REST_SHOWN]
    only = ",".join(each.hex for each in ids)
    return f"{reverse('review')}?{urlencode({'only': only})}" if ids else ""


@require_safe
@page
def everything(request: HttpRequest) -> HttpResponse:
    """ "All N matching", counted and frozen at this moment; unticking goes back to the picked rows."""
    now, wanted = clock(), parse(request.GET.get("query", ""))
    context = {
        "matching": waiting(user=person(request), wanted=wanted, now=now).count(),
        "as_of": now,
        "all": request.GET.get("all") == "1",
        "asked": request.GET.get("query", ""),
    }
    return render(request, "review/_everything.html", context)
