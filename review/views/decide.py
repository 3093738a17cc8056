"""Approve, reject, undo, reopen: one press each, by form or in place (review-ux lines 2, 4, 8, 13)."""

from __future__ import annotations

import uuid
from datetime import datetime
from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from core.errors import Conflict, DomainError
from memory.models import Candidate
from memory.services import gate
from memory.services.gate import PromotionFailed
from review.forms.texts import RejectForm
from review.models import Act
from review.selectors import candidate as one
from review.selectors.similar import similar_to
from review.services import acts
from review.views.door import back, clock, event, go, is_htmx, page, person, say, toast
from review.views.posted import id_of, incomplete, version_of
from review.views.queue import tally_for
from review.views.rows import row_of
from review.views.words import done_sentence, short, somebody_was_faster, undone_sentence


@require_POST
@page
def approve(request: HttpRequest, candidate_id: uuid.UUID) -> HttpResponse:
    """Approve as seen. A decision or postmortem asks for a second press, unless its source was opened."""
    user, now = person(request), clock()
    version = version_of(request)
    if one.kind_for(user=user, candidate_id=candidate_id) in acts.HEAVY and not (
        request.POST.get("seen") or request.POST.get("sure")
    ):
        return _second_press(request, one.candidate_for(user=user, candidate_id=candidate_id), now)
    item, replaces = acts.ItemRef(candidate_id, version), id_of(request, "replaces")
    result = acts.act_approve(user=user, items=[item], now=now, replaces=replaces)
    return settled(request, candidate_id, result, now)


@require_POST
@page
def reject(request: HttpRequest, candidate_id: uuid.UUID) -> HttpResponse:
    """Refuse; a reason is offered, never demanded."""
    form = RejectForm(request.POST)
    if not form.is_valid():
        raise incomplete("reason")
    now = clock()
    item = acts.ItemRef(candidate_id, form.cleaned_data["version"])
    result = acts.act_reject(user=person(request), items=[item], reason=form.cleaned_data["reason"], now=now)
    return settled(request, candidate_id, result, now)


@require_POST
@page
def undo(request: HttpRequest) -> HttpResponse:
    """Take back the named act, else the person's latest that still stands."""
    user, now, act_id = person(request), clock(), id_of(request, "act")
    undoing = partial(acts.act_undo, act_id=act_id) if act_id else acts.act_undo_last
    result = undoing(user=user, now=now)
    text = undone_sentence(result)
    if is_htmx(request):
        response = toast(request, text, tone="bad" if result.changed else "ok")
        return event(response, "hikae:undone", {"ids": [str(item) for item in result.done]})
    say(request, text)
    return go(request)


@require_POST
@page
def reopen(request: HttpRequest, candidate_id: uuid.UUID) -> HttpResponse:
    """Back to the queue from History: an archived one with a new clock, a decided one by undoing."""
    user, now = person(request), clock()
    version = version_of(request)
    found = one.candidate_for(user=user, candidate_id=candidate_id)
    act = gate.candidate_reopen if found.status == "archived" else gate.candidate_undo
    act(candidate_id=candidate_id, version=version, user=user, now=now)
    say(request, _("It waits for review again: “%(text)s”") % {"text": short(found.content)})
    return go(request, "history")


def settled(
    request: HttpRequest, candidate_id: uuid.UUID, result: acts.ActResult, now: datetime
) -> HttpResponse:
    """The answer to a decision about one candidate: gone from the queue, or what happened instead."""
    if result.act is not None:
        return _done(request, result.act, candidate_id)
    error = result.changed.get(candidate_id)
    if not isinstance(error, Conflict | PromotionFailed):
        raise error or Conflict(_("Nothing was changed."))
    return _not_done(request, candidate_id, error, now)


def _done(request: HttpRequest, act: Act, candidate_id: uuid.UUID) -> HttpResponse:
    text, reasons = done_sentence(act), act.verb == "reject" and not request.POST.get("reason")
    if not is_htmx(request):
        say(request, text, act=act.pk, reasons=reasons)
        return go(request)
    context = {
        "toast": {"text": text, "tone": "ok", "act": str(act.pk), "reasons": reasons},
        "tally": tally_for(person(request)),
        "oob": True,
    }
    return event(render(request, "review/_done.html", context), "hikae:done", {"id": str(candidate_id)})


def _not_done(
    request: HttpRequest, candidate_id: uuid.UUID, error: DomainError, now: datetime
) -> HttpResponse:
    found = one.candidate_for(user=person(request), candidate_id=candidate_id)
    row = row_of(found, now=now, note=somebody_was_faster(error))
    if is_htmx(request):  # a 200: browsers print other statuses as console errors
        return render(request, "review/_row.html", {"row": row})
    context = {"row": row, "panel": one.source_of(user=person(request), candidate=found), "seen": True}
    context |= {
        "events": one.timeline(found),
        "similar": similar_to(found),
        "reject": RejectForm(auto_id=False),
    }
    return render(request, "review/candidate.html", context, status=409)


def _second_press(request: HttpRequest, found: Candidate, now: datetime) -> HttpResponse:
    if is_htmx(request):
        return render(request, "review/_row.html", {"row": row_of(found, now=now, armed=True)})
    # Without scripts the page with the source is the second look: its Approve is final.
    messages.info(request, _("Decisions and postmortems deserve a look: this is where it comes from."))
    response = redirect("candidate", candidate_id=found.pk)
    response["Location"] += f"?next={back(request)}"
    return response
