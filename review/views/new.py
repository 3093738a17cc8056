"""*New memory*: a person types; it waits for review like everything else (design section 4, ``manual``)."""

from __future__ import annotations

import uuid
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from core.errors import Invalid, NotFound, Paused
from memory.services.remember import candidate_type
from review.forms.texts import NewMemoryForm
from review.selectors.queue import review_namespaces
from review.views.door import clock, page, person, say


@require_http_methods(["GET", "HEAD", "POST"])
@page
def new_memory(request: HttpRequest) -> HttpResponse:
    """Kind, namespace and text in; the candidate's page with what it resembles out."""
    user = person(request)
    namespaces = review_namespaces(user=user)
    initial = {"kind": "fact", "namespace": request.GET.get("namespace", "")}
    form = NewMemoryForm(
        request.POST if request.method == "POST" else None,
        initial=initial,
        namespaces=namespaces,
        user_id=user.pk,
    )
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        try:
            made = candidate_type(
                user=user,
                namespace_id=uuid.UUID(typed["namespace"]),
                kind=typed["kind"],
                content=typed["content"],
                now=clock(),
            )
        except (Invalid, NotFound, Paused) as error:
            field = str(error.details.get("field", ""))
            form.add_error(field if field in form.fields else None, error.message)
        else:
            say(request, _("It waits for review: nothing is remembered before somebody approves it."))
            address = reverse("candidate", args=[made.candidate.pk if made.candidate else ""])
            like = urlencode([("like", pk) for pk in made.resembles[:8]])
            return HttpResponseRedirect(f"{address}?{like}" if like else address)
    return render(request, "review/new.html", {"form": form}, status=422 if form.errors else 200)
