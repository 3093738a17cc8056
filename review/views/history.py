"""What was decided, with the way back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from knowledge.models import Proposal
from knowledge.selectors.proposals import Shown, shown
from memory.models import Candidate
from review.forms.filters import HistoryForm
from review.selectors.history import Group, Row, decided, grouped
from review.selectors.paging import Cursor
from review.selectors.queue import review_namespaces
from review.views.door import page, person


@dataclass(frozen=True)
class Line:
    """A candidate or a proposal; ``together`` on the first of several that one act of the reader decided."""

    candidate: Candidate | None
    item: Shown | None
    together: Group | None


@require_safe
@page
def history(request: HttpRequest) -> HttpResponse:
    """Candidates and proposals that were decided or put away, the latest decision first."""
    user = person(request)
    form = HistoryForm(request.GET, namespaces=review_namespaces(user=user), user_id=user.pk)
    wanted = form.wanted()
    after = Cursor.parse(request.GET.get("after"))
    found = decided(user=user, wanted=wanted, after=after)
    context = {
        "lines": _lines(user, found.rows),
        "next": found.next,
        "paged": after is not None,
        "form": form,
        "filtered": bool(wanted),
    }
    return render(request, "review/history.html", context)


def _lines(user: User, rows: Sequence[Row]) -> list[Line]:
    items = {each.proposal.pk: each for each in shown([row for row in rows if isinstance(row, Proposal)])}
    lines: list[Line] = []
    for group in grouped(user=user, rows=rows):
        whole = group if group.act and not group.act.undone_at and group.total > 1 else None
        for row in group.rows:
            candidate = row if isinstance(row, Candidate) else None
            lines.append(Line(candidate, items.get(row.pk), whole))
            whole = None
    return lines
