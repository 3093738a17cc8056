"""Split a workspace: choose places, see what would move, then move it (design section 2)."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from core.errors import Conflict, Invalid, NotFound
from core.models import Namespace
from core.selectors.access import namespace_owned
from core.statuses import status_of
from review.forms.split import SplitForm
from review.selectors.places import moving, places_of
from review.services.workspaces import Split, namespace_split, split_preview
from review.views.door import clock, page, person, say


@require_http_methods(["GET", "HEAD", "POST"])
@page
def split(request: HttpRequest, namespace_id: uuid.UUID) -> HttpResponse:
    """``do``: ``preview`` (nothing changes) or ``split``."""
    user, now = person(request), clock()
    namespace = namespace_owned(user=user, namespace_id=namespace_id)
    if namespace.type != Namespace.WORKSPACE:
        raise NotFound(_("Only a workspace can be split."))
    places = places_of(user=user, workspace=namespace)
    form = SplitForm(request.POST if request.method == "POST" else None, places=places.rows)
    context: dict[str, Any] = {"namespace": namespace, "places": places, "form": form}
    context["chosen"] = set(request.POST.getlist("fingerprints"))
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            asked = {
                "namespace_id": namespace.pk,
                "user": user,
                "name": form.cleaned_data["name"],
                "fingerprint_ids": form.chosen,
            }
            try:
                if request.POST.get("do") == "split":
                    return _done(request, namespace, namespace_split(**asked, now=now))
                context["plan"] = plan = split_preview(**asked)
                context["moving"] = moving(
                    user=user, workspace=namespace, memories=plan.memories, candidates=plan.candidates
                )
                status = 200
            except (Invalid, Conflict) as error:
                field = str(error.details.get("field", ""))
                form.add_error(field if field in form.fields else None, error.message)
                status = status_of(error)
    return render(request, "settings/split.html", context, status=status)


def _done(request: HttpRequest, source: Namespace, done: Split) -> HttpResponse:
    counted = [
        ngettext("%(n)s session", "%(n)s sessions", done.sessions) % {"n": done.sessions},
        ngettext("%(n)s memory", "%(n)s memories", done.memory.memories) % {"n": done.memory.memories},
        ngettext("%(n)s candidate", "%(n)s candidates", done.memory.candidates)
        % {"n": done.memory.candidates},
    ]
    said = _("%(name)s now holds %(what)s. To take it back, merge it into %(source)s on this page.")
    say(request, said % {"name": done.namespace, "what": _(", ").join(counted), "source": source})
    address = redirect("namespace", namespace_id=done.namespace.pk)
    address["Location"] += f"?into={source.pk}"
    return address
