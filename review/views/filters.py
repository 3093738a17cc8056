"""Filters under names of one's own (review-ux line 24)."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from review.services.filters import saved_filter_delete, saved_filter_save
from review.views.door import clock, go, page, person, say


@require_POST
@page
def save(request: HttpRequest) -> HttpResponse:
    """Keep the filter of the address bar; the same name again replaces it."""
    saved = saved_filter_save(
        user=person(request),
        name=request.POST.get("name", ""),
        query=request.POST.get("query", ""),
        now=clock(),
    )
    say(request, _("Saved as “%(name)s”.") % {"name": saved.name})
    return HttpResponseRedirect(f"{reverse('review')}?{saved.query}")


@require_POST
@page
def delete(request: HttpRequest, filter_id: uuid.UUID) -> HttpResponse:
    saved_filter_delete(user=person(request), filter_id=filter_id)
    say(request, _("The filter is gone; the candidates stay."))
    return go(request)
