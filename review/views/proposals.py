"""Accept or refuse what the night shift or an agent's report proposes: the same queue, keys and undo."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from core.errors import Conflict, DomainError, Invalid, NotFound
from knowledge.note_payloads import Create, NotePayload
from knowledge.selectors.proposals import Shown, proposal_for
from knowledge.services.proposals import proposal_undo
from review.diff import pieces
from review.forms.drafts import DraftForm
from review.forms.texts import ProposalForm, RejectForm
from review.selectors.candidate import timeline_of
from review.selectors.knowledge import confusing
from review.services import acts
from review.services.results import ActResult
from review.views.door import clock, event, go, is_htmx, page, person, say
from review.views.posted import incomplete, version_of
from review.views.queue import tally_for
from review.views.words import done_sentence, somebody_was_faster


@require_safe
@page
def proposal(request: HttpRequest, proposal_id: uuid.UUID) -> HttpResponse:
    """One proposal with the memories it is about, and a place for one's own wording."""
    return _page(request, proposal_id)


def _page(
    request: HttpRequest,
    proposal_id: uuid.UUID,
    note: str = "",
    status: int = 200,
    form: DraftForm | None = None,
) -> HttpResponse:
    item = proposal_for(user=person(request), proposal_id=proposal_id)
    content = str(getattr(item.payload, "content", ""))
    context = {
        "item": item,
        "form": form or _draft_form(item, None),
        "confusing": _confusing(item),
        "note": note,
        "events": timeline_of("proposal", proposal_id),
        "content": content or (item.memories[0].content if item.memories else ""),
        "pieces": pieces(item.memories[0].content, content) if content and item.memories else [],
        "may_word": item.proposal.kind in ("report", "merge"),
    }
    return render(request, "review/proposal.html", context, status=status)


@require_safe
@page
def source(request: HttpRequest, proposal_id: uuid.UUID) -> HttpResponse:
    """The panel beside the queue."""
    if not is_htmx(request):
        return _page(request, proposal_id)
    item = proposal_for(user=person(request), proposal_id=proposal_id)
    context = {"item": item, "events": timeline_of("proposal", proposal_id)}
    return render(request, "review/_proposal_panel.html", context)


@require_POST
@page
def accept(request: HttpRequest, proposal_id: uuid.UUID) -> HttpResponse:
    """Do it, with the person's own wording if there is one."""
    if request.POST.get("own"):
        return _accept_own(request, proposal_id)
    form, now = ProposalForm(request.POST), clock()
    if not form.is_valid():
        raise incomplete(next(iter(form.errors)))
    item = acts.ItemRef(proposal_id, form.cleaned_data["version"])
    content = form.cleaned_data["content"] or None
    result = acts.act_accept(user=person(request), items=[item], now=now, content=content)
    return _settled(request, proposal_id, result)


def _accept_own(request: HttpRequest, proposal_id: uuid.UUID) -> HttpResponse:
    """A draft in the person's own words; what is wrong with them is said at their fields."""
    item = proposal_for(user=person(request), proposal_id=proposal_id)
    form = _draft_form(item, request.POST)
    if form is None:
        raise NotFound(_("There is no such proposal."))
    if not form.is_valid():
        return _page(request, proposal_id, status=422, form=form)
    result = acts.act_accept(
        user=person(request),
        items=[acts.ItemRef(proposal_id, form.cleaned_data["version"])],
        now=clock(),
        content=form.content(),
        note=form.note(),
    )
    error = result.changed.get(proposal_id)
    if isinstance(error, Invalid):
        field = str(error.details.get("field", ""))
        form.add_problems(error.details.get("problems") or [{"field": field, "message": error.message}])
        return _page(request, proposal_id, status=422, form=form)
    return _settled(request, proposal_id, result)


def _draft_form(item: Shown, data: Any) -> DraftForm | None:
    """The form of an open draft; None for everything else."""
    if item.proposal.state != "open" or not isinstance(item.payload, NotePayload):
        return None
    return DraftForm(data, payload=item.payload, version=item.proposal.version)


def _confusing(item: Shown) -> list[str]:
    """Slugs that a person would take for the drafted one."""
    if item.proposal.state != "open" or not isinstance(item.payload, Create):
        return []
    return confusing(namespace_id=item.proposal.namespace_id, slug=item.payload.slug)


@require_POST
@page
def refuse(request: HttpRequest, proposal_id: uuid.UUID) -> HttpResponse:
    form, now = RejectForm(request.POST), clock()
    if not form.is_valid():
        raise incomplete("reason")
    item = acts.ItemRef(proposal_id, form.cleaned_data["version"])
    result = acts.act_refuse(user=person(request), items=[item], now=now, reason=form.cleaned_data["reason"])
    return _settled(request, proposal_id, result)


@require_POST
@page
def reopen(request: HttpRequest, proposal_id: uuid.UUID) -> HttpResponse:
    """Take the decision back, from its page or from History."""
    proposal_undo(proposal_id=proposal_id, version=version_of(request), user=person(request), now=clock())
    say(request, _("It waits for review again, and everything is as it was."))
    return go(request)


def _settled(request: HttpRequest, proposal_id: uuid.UUID, result: ActResult) -> HttpResponse:
    if result.act is None:
        error = result.changed.get(proposal_id) or Conflict(_("Nothing was changed."))
        if not isinstance(error, Conflict):
            raise error
        return _not_done(request, proposal_id, error)
    text = done_sentence(result.act)
    if not is_htmx(request):
        say(request, text, act=result.act.pk)
        return go(request)
    toast = {"text": text, "tone": "ok", "act": str(result.act.pk)}
    context = {"toast": toast, "tally": tally_for(person(request)), "oob": True}
    return event(render(request, "review/_done.html", context), "hikae:done", {"id": str(proposal_id)})


def _not_done(request: HttpRequest, proposal_id: uuid.UUID, error: DomainError) -> HttpResponse:
    note = somebody_was_faster(error)
    if not is_htmx(request):
        return _page(request, proposal_id, note, status=409)
    item = proposal_for(user=person(request), proposal_id=proposal_id)
    return render(request, "review/_proposal_row.html", {"item": item, "note": note})
