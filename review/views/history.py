"""What was decided, with the way back."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from review.forms.filters import HistoryForm
from review.selectors.history import decided
from review.selectors.paging import Cursor
from review.selectors.queue import review_namespaces
from review.views.door import page, person


@require_safe
@page
def history(request: HttpRequest) -> HttpResponse:
    """Approved, rejected and archived candidates, the latest decision first."""
    user = person(request)
    form = HistoryForm(request.GET, namespaces=review_namespaces(user=user), user_id=user.pk)
    wanted = form.wanted()
    after = Cursor.parse(request.GET.get("after"))
    found = decided(user=user, wanted=wanted, after=after)
    context = {
        "rows": found.rows,
        "next": found.next,
        "paged": after is not None,
        "form": form,
        "filtered": bool(wanted),
    }
    return render(request, "review/history.html", context)
