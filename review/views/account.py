"""Delete one's own account: a page says what goes, only a typed name does it (issue "The review page", Settings)."""

from __future__ import annotations

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from core.errors import Conflict, Invalid
from review.services.account import account_delete, shared_namespaces
from review.views.door import clock, page, person, say


@require_http_methods(["GET", "HEAD", "POST"])
@page
def delete(request: HttpRequest) -> HttpResponse:
    """There is no way back, and what others use must be handed over first."""
    user, error = person(request), ""
    if request.method == "POST":
        try:
            account_delete(user=user, typed_name=request.POST.get("typed_name", ""), now=clock())
        except (Invalid, Conflict) as refused:
            error = refused.message
        else:
            logout(request)
            say(request, _("Your account and everything that was yours alone is gone."))
            return redirect("sign-in")
    context = {"shared": shared_namespaces(user=user), "error": error}
    return render(request, "settings/account_delete.html", context)
