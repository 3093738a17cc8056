"""Auto-approve of one namespace: off by default, owners alone, tried on the past first (review-ux lines 31 to 33)."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from core.errors import Invalid
from core.selectors.access import namespace_owned
from memory.models import ReviewPolicy
from memory.services.policy import policy_dry_run, policy_set
from review.forms.policy import PolicyForm
from review.views.door import clock, page, person, say

LISTED = 20  # of those that nobody objected to; the others are listed whole


@require_http_methods(["GET", "HEAD", "POST"])
@page
def policy(request: HttpRequest, namespace_id: uuid.UUID) -> HttpResponse:
    """``do``: ``try`` (dry run, nothing changes), ``on`` (needs the typed name), ``off``."""
    user, now = person(request), clock()
    namespace = namespace_owned(user=user, namespace_id=namespace_id)
    stored = ReviewPolicy.objects.filter(namespace=namespace).first() or ReviewPolicy(namespace=namespace)
    initial = {
        "min_sessions": stored.min_sessions,
        "confidence": round(stored.min_confidence * 100),
        "min_age_hours": stored.min_age_hours,
        "kinds": stored.kinds,
    }
    form = PolicyForm(request.POST if request.method == "POST" else None, initial=initial)
    context: dict[str, Any] = {"namespace": namespace, "stored": stored, "form": form, "listed": LISTED}
    do = request.POST.get("do", "")
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        rule = {
            "namespace": namespace,
            "user": user,
            "min_sessions": typed["min_sessions"],
            "min_confidence": form.min_confidence,
            "min_age_hours": typed["min_age_hours"],
            "kinds": typed["kinds"],
            "now": now,
        }
        try:
            if do == "try":
                context["dry"] = policy_dry_run(**rule)
            else:
                policy_set(**rule, enabled=do == "on", typed_name=typed["typed_name"])
                said = (
                    _("Auto-approve is on for %(name)s.")
                    if do == "on"
                    else _("Auto-approve is off for %(name)s.")
                )
                say(request, said % {"name": namespace})
                return redirect("policy", namespace_id=namespace_id)
        except Invalid as error:
            field = str(error.details.get("field", ""))
            form.add_error(field if field in form.fields else None, error.message)
    return render(request, "settings/policy.html", context)
