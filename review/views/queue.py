"""The review page: the queue, one candidate, and where it comes from."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_safe

from core.moments import in_utc
from knowledge.selectors.proposals import shown
from memory.services.archive import CANDIDATE_ARCHIVE_DAYS
from review.context import key_map_of
from review.diff import pieces
from review.forms.filters import QueueForm, namespace_choices
from review.forms.texts import RejectForm
from review.keys import effective
from review.selectors import candidate as one
from review.selectors import queue as waiting
from review.selectors.paging import Cursor
from review.selectors.person import saved_filters, settings_of
from review.selectors.proposals import waiting_proposals
from review.selectors.resembling import resembling
from review.selectors.similar import picked, similar_to
from review.selectors.wanted import parse, spell
from review.views.door import clock, is_htmx, page, person
from review.views.rows import row_of


@require_safe
@page
def review(request: HttpRequest) -> HttpResponse:
    """What waits for this person, what expires first on top."""
    user, now = person(request), clock()
    namespaces, own = waiting.review_namespaces(user=user), settings_of(user=user)
    form = QueueForm(request.GET, namespaces=namespaces, user_id=user.pk)
    wanted, only = form.wanted(), ids_of(request.GET.get("only", "").split(",")[:100])
    after = Cursor.parse(request.GET.get("after"))
    found = waiting.queue(user=user, wanted=wanted, after=after, now=now, only=only)
    rows = [row_of(candidate, now=now) for candidate in found.rows]
    tally = tally_for(user)
    # Proposals stand on top of the first page; a filter speaks of candidates, or of a namespace.
    first = after is None and not only and not replace(wanted, namespace="", sort="")
    proposals = []
    if first and tally.proposals:
        proposals = shown(waiting_proposals(user=user, namespace=wanted.namespace))
    filtered = bool(wanted or only)
    context = {
        "rows": rows,
        "proposals": proposals,
        "next": found.next,
        "paged": bool(request.GET.get("after")),
        "form": form,
        "filtered": filtered,
        "only": only,
        "tally": tally,
        "pending_count": tally.total,
        "matching": waiting.waiting(user=user, wanted=wanted, now=now).count() if wanted else tally.pending,
        "asked": spell(wanted),
        "as_of": now,
        "saved": saved_filters(user=user, now=now),
        # As plain values: every row reads them, and a lazy object costs at every look.
        "own_settings": own,
        "keys": effective(own.key_map),
        "key_map": key_map_of(own),
        "moves": namespace_choices(namespaces, user.pk),
    }
    if not rows and not proposals:
        context["empty"] = _why_empty(user, filtered=filtered)
        context["curl"] = _first_steps(request)
    return render(request, "review/page.html", context)


@require_safe
@page
def news(request: HttpRequest) -> HttpResponse:
    """What changed since the list was made, in counts: the list itself never moves (review-ux line 30)."""
    user, now = person(request), clock()
    wanted, count = parse(request.GET.get("query", "")), 0
    try:
        since = parse_datetime(request.GET.get("since", ""))
        since = since and in_utc(since)
    except ValueError:  # an address that somebody mangled
        since = None
    if since is not None:
        count = waiting.arrivals(user=user, wanted=wanted, since=since, now=now)
    tally = tally_for(user)
    context = {"count": count, "tally": tally, "pending_count": tally.total, "oob": True}
    return render(request, "review/_news.html", context)


def tally_for(user: User) -> waiting.Tally:
    """The header's counts, refreshed with every act."""
    today = timezone.localtime(clock()).replace(hour=0, minute=0, second=0, microsecond=0)
    return waiting.tally(user=user, now=clock(), today=today, archive_days=CANDIDATE_ARCHIVE_DAYS)


def _why_empty(user: User, *, filtered: bool) -> str:
    if filtered:
        return "nothing_matches"
    return "all_reviewed" if waiting.ever_any(user=user) else "first_run"


def _first_steps(request: HttpRequest) -> dict[str, Any]:
    """What the first run needs: the address, and the key file for whoever runs the machine."""
    file = settings.HIKAE_DATA / "agent.key"
    own_machine = request.user.is_superuser and file.is_file()
    return {"base": request.build_absolute_uri("/").rstrip("/"), "key_file": str(file) if own_machine else ""}


@require_safe
@page
def candidate(request: HttpRequest, candidate_id: uuid.UUID) -> HttpResponse:
    """One candidate with its source, likeness and history: the address to share, and the way without scripts."""
    user, now = person(request), clock()
    found = one.candidate_for(user=user, candidate_id=candidate_id)
    context = {
        "row": row_of(found, now=now),
        "panel": one.source_of(user=user, candidate=found),
        "events": one.timeline(found),
        "resembles": resembling(user=user, ids=ids_of(request.GET.getlist("like")[:8])),
        "similar": similar_to(found),
        "pieces": pieces(found.original, found.content) if found.original != found.content else [],
        "reject": RejectForm(auto_id=False),
        "seen": True,
    }
    return render(request, "review/candidate.html", context)


def ids_of(raw: Iterable[str]) -> list[uuid.UUID]:
    """Ids from the address; what is none of ours is passed over."""
    found: list[uuid.UUID] = []
    for item in raw:
        with suppress(ValueError):
            found.append(uuid.UUID(item))
    return found


TABS = ("source", "similar", "timeline")


@require_safe
@page
def source(request: HttpRequest, candidate_id: uuid.UUID) -> HttpResponse:
    """The panel beside the queue, one tab of it; who comes without htmx gets the whole page."""
    if not is_htmx(request):
        return candidate(request, candidate_id)
    user, now = person(request), clock()
    found = one.candidate_for(user=user, candidate_id=candidate_id)
    tab, text = request.GET.get("tab", ""), request.GET.get("find", "").strip()
    context = {"row": row_of(found, now=now), "tab": tab if tab in TABS else TABS[0]}
    if tab == "similar":
        context |= {"similar": picked(found, text=text) if text else similar_to(found), "find": text}
        if "find" in request.GET:
            return render(request, "review/_similar.html", context | {"in_place": True})
    elif tab == "timeline":
        context["events"] = one.timeline(found)
    else:
        # Opening the source is the second look that a decision or postmortem asks for.
        context |= {"panel": one.source_of(user=user, candidate=found), "seen": True, "oob": True}
    return render(request, "review/_panel.html", context)


@require_safe
@page
def row(request: HttpRequest, candidate_id: uuid.UUID) -> HttpResponse:
    """One row as it is now: what leaving the editor puts back."""
    found = one.candidate_for(user=person(request), candidate_id=candidate_id)
    return render(request, "review/_row.html", {"row": row_of(found, now=clock())})
