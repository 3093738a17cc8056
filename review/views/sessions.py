"""A person's conversations, as stored."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from review.selectors import sessions as talks
from review.selectors.paging import Cursor
from review.views.door import clock, page, person, say
from transcripts.services import scans


@require_safe
@page
def sessions(request: HttpRequest) -> HttpResponse:
    """The latest first, with how much came of each."""
    after = Cursor.parse(request.GET.get("after"))
    found = talks.sessions(user=person(request), after=after)
    context = {"rows": found.rows, "next": found.next, "paged": after is not None}
    return render(request, "sessions/list.html", context)


@require_safe
@page
def session(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """The conversation from the beginning, from a turn (``start``) or around a message (``message``)."""
    user = person(request)
    found = talks.session_for(user=user, session_id=session_id)
    start, message = _number(request.GET.get("start")), _number(request.GET.get("message"))
    context = {
        "session": found,
        "talk": talks.conversation(user=user, session=found, start=start, message=message),
        "dead": talks.dead_compactions(found),
    }
    return render(request, "sessions/detail.html", context)


@require_POST
@page
def retry(request: HttpRequest, session_id: uuid.UUID, kind: str, scan_id: int) -> HttpResponse:
    """Give a dead scan fresh attempts."""
    user = person(request)
    talks.session_for(user=user, session_id=session_id)
    scans.retry(kind=kind, id=scan_id, user=user, now=clock())
    say(request, _("It will be scanned again in a moment."))
    return redirect("session", session_id=session_id)


def _number(raw: str | None) -> int | None:
    """A row number from the address; anything else means "not given"."""
    return int(raw) if raw and raw.isascii() and raw.isdigit() and len(raw) <= 18 else None
