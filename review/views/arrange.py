"""Later, or the same as another: acts that take a row away without judging it (review-ux lines 9, 10 and 15)."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from memory.services.merging import Into
from review.forms.texts import MergeForm, ReasonForm
from review.services import acts
from review.services.reasons import act_reason
from review.views.decide import settled
from review.views.door import clock, go, is_htmx, page, person, say
from review.views.posted import incomplete, version_of
from review.views.words import reason_sentence


@require_POST
@page
def set_aside(request: HttpRequest, candidate_id: uuid.UUID) -> HttpResponse:
    """Out of sight until this time tomorrow; its thirty days go on."""
    item, now = acts.ItemRef(candidate_id, version_of(request)), clock()
    result = acts.act_set_aside(user=person(request), items=[item], now=now)
    return settled(request, candidate_id, result, now)


@require_POST
@page
def merge(request: HttpRequest, candidate_id: uuid.UUID) -> HttpResponse:
    """A duplicate: its evidence goes to the one it repeats."""
    form, now = MergeForm(request.POST), clock()
    if not form.is_valid():
        raise incomplete("into")
    typed = form.cleaned_data
    result = acts.act_merge(
        user=person(request),
        items=[acts.ItemRef(candidate_id, typed["version"])],
        into=Into(typed["type"], typed["into"]),
        now=now,
    )
    return settled(request, candidate_id, result, now)


@require_POST
@page
def reason(request: HttpRequest) -> HttpResponse:
    """Why the last act rejected; asked for in its toast, never demanded."""
    form = ReasonForm(request.POST)
    if not form.is_valid():
        raise incomplete("reason")
    typed = form.cleaned_data
    result = act_reason(user=person(request), act_id=typed["act"], reason=typed["reason"], now=clock())
    text, act = reason_sentence(typed["reason"]), str(result.act.pk) if result.act else ""
    if is_htmx(request):
        return render(
            request, "_toast.html", {"toast": {"text": text, "tone": "ok", "act": act}, "oob": True}
        )
    say(request, text, act=act)
    return go(request)
