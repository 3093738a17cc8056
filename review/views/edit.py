"""The editor of a candidate, in its row or on a page of its own (review-ux line 3)."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import Conflict, DomainError, Forbidden, NotFound
from memory.inputs import MAX_CONTENT_CHARS
from memory.models import Candidate
from memory.services.rewriting import candidate_rewrite
from review.diff import pieces
from review.forms.texts import CandidateForm
from review.selectors import candidate as one
from review.selectors.queue import review_namespaces
from review.services.acts import ItemRef
from review.services.editing import act_rewrite_and_approve
from review.views.decide import settled
from review.views.door import back, clock, go, is_htmx, page, person, say
from review.views.rows import row_of
from review.views.words import somebody_was_faster


@require_http_methods(["GET", "HEAD", "POST"])
@page
def edit(request: HttpRequest, candidate_id: uuid.UUID) -> HttpResponse:
    """Content, kind and namespace; the button says whether to approve at once."""
    user, now = person(request), clock()
    found = one.candidate_for(user=user, candidate_id=candidate_id)
    form = _form(request, found)
    if request.method != "POST":
        return _editor(request, found, form)
    if form.is_valid():
        try:
            return _save(request, candidate_id, form, now)
        except (NotFound, Forbidden):
            raise
        except DomainError as error:
            # Whatever was typed stays on the page; only the version moves on, so that saving again is possible.
            found.refresh_from_db(fields=["version", "status", "content"])
            form.add_error(None if isinstance(error, Conflict) else _field(error), _sentence(error, found))
            typed = request.POST.copy()
            typed["version"] = str(found.version)
            form.data = typed
    return _editor(request, found, form, status=422)


@require_POST
@page
def diff(request: HttpRequest, candidate_id: uuid.UUID) -> HttpResponse:
    """What was typed against what was proposed, while it is being typed (review-ux line 16)."""
    found = one.candidate_for(user=person(request), candidate_id=candidate_id)
    typed = request.POST.get("content", "").replace("\r\n", "\n")[:MAX_CONTENT_CHARS]
    changed = pieces(found.original, typed) if typed != found.original else []
    return render(request, "review/_diff.html", {"pieces": changed, "language": found.language})


def _form(request: HttpRequest, found: Candidate) -> CandidateForm:
    user = person(request)
    namespaces = review_namespaces(user=user)
    if request.method == "POST":
        return CandidateForm(
            request.POST, namespaces=namespaces, user_id=user.pk, auto_id=f"edit-{found.pk}-%s"
        )
    initial = {
        "content": found.content,
        "kind": found.kind,
        "namespace": str(found.namespace_id),
        "version": found.version,
    }
    return CandidateForm(
        initial=initial, namespaces=namespaces, user_id=user.pk, auto_id=f"edit-{found.pk}-%s"
    )


def _save(request: HttpRequest, candidate_id: uuid.UUID, form: CandidateForm, now: datetime) -> HttpResponse:
    user, typed = person(request), form.cleaned_data
    rewrite: dict[str, Any] = {
        "user": user,
        "content": typed["content"],
        "kind": typed["kind"],
        "namespace_id": uuid.UUID(typed["namespace"]),
        "now": now,
    }
    if request.POST.get("then") == "approve":
        return settled(
            request,
            candidate_id,
            act_rewrite_and_approve(item=ItemRef(candidate_id, typed["version"]), **rewrite),
            now,
        )
    candidate_rewrite(candidate_id=candidate_id, version=typed["version"], **rewrite)
    text = _("Saved. It still waits for your decision.")
    if is_htmx(request):
        fresh = one.candidate_for(user=user, candidate_id=candidate_id)
        context = {"row": row_of(fresh, now=now), "toast": {"text": text}, "oob": True}
        return render(request, "review/_saved.html", context)
    say(request, text)
    return go(request)


def _editor(
    request: HttpRequest, found: Candidate, form: CandidateForm, *, status: int = 200
) -> HttpResponse:
    context = {"candidate": found, "form": form, "back": back(request)}
    if is_htmx(request):
        return render(request, "review/_editor.html", context)
    return render(request, "review/edit.html", context, status=status)


def _field(error: DomainError) -> str | None:
    name = str(error.details.get("field", ""))
    return name if name in ("content", "kind", "namespace") else None


def _sentence(error: DomainError, found: Candidate) -> str:
    said = somebody_was_faster(error)
    if error.code == "already_decided" and found.status == "pending":
        return _("%(said)s It reads “%(text)s”; saving again replaces that.") % {
            "said": said,
            "text": found.content,
        }
    return said
