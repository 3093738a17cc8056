"""Settings: keys, namespaces, language."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from core.actor import Actor
from core.errors import Conflict, Invalid
from core.models import Namespace
from core.selectors.workspaces import link_offers
from core.services.namespaces import namespace_create
from core.services.workspaces import namespace_link
from review.forms.settings import PersonaForm
from review.selectors import settings as listed
from review.views.door import clock, page, person, say


def overview(request: HttpRequest, persona: PersonaForm | None = None, *, status: int = 200) -> HttpResponse:
    """The page with everything; ``persona`` comes back with its errors."""
    user = person(request)
    context = {
        "keys": listed.keys_of(user=user),
        "memberships": listed.namespaces_of(user=user),
        "persona": persona or PersonaForm(),
        "offers": link_offers(user=user),
        "now": clock(),
    }
    return render(request, "settings/page.html", context, status=status)


@require_safe
@page
def settings(request: HttpRequest) -> HttpResponse:
    return overview(request)


@require_POST
@page
def persona_new(request: HttpRequest) -> HttpResponse:
    """A persona of one's own."""
    user, form = person(request), PersonaForm(request.POST)
    if form.is_valid():
        try:
            made = namespace_create(
                owner=user,
                type=Namespace.PERSONA,
                name=form.cleaned_data["name"],
                actor=Actor.person(user),
                now=clock(),
            )
        except (Invalid, Conflict) as error:
            form.add_error("name", error.message)
        else:
            say(request, _("%(name)s is ready.") % {"name": made})
            return redirect("settings")
    return overview(request, form, status=422)


@require_POST
@page
def link(request: HttpRequest, namespace_id: uuid.UUID) -> HttpResponse:
    """Sessions from a place that looked new belong to this workspace from now on."""
    try:
        place = uuid.UUID(request.POST.get("place", ""))
    except ValueError as error:
        raise Invalid(
            _("This form is not complete: reload the page and try again."), field="place"
        ) from error
    target = namespace_link(fingerprint_id=place, into=namespace_id, user=person(request), now=clock())
    say(request, _("Sessions from there belong to %(name)s from now on.") % {"name": target})
    return redirect("settings")
