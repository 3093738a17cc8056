"""What every page's view shares: who asks, when, in which zone, and how a refusal looks.

A view parses, authorises, calls one service and renders. ``page`` turns what a service raises into the
right page, so that no view repeats it.
"""

from __future__ import annotations

import json
import re
import zoneinfo
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render, resolve_url
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect, trigger_client_event

from core.errors import DomainError, NotFound
from core.statuses import TRANSIENT, busy, status_of

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]

ZONE_COOKIE = "hikae_tz"  # set by review.js from the browser
OWN_ZONE_COOKIE = "hikae_zone"  # what the person chose in Settings; wins, and costs no query


def person(request: HttpRequest) -> User:
    """The signed-in person of a request that passed ``page``."""
    return cast(User, request.user)


def is_htmx(request: HttpRequest) -> bool:
    return bool(getattr(request, "htmx", False))


def in_persons_zone(request: HttpRequest) -> AbstractContextManager[None]:
    """Dates are shown in the person's zone: the one they chose, else the browser's, else the server's."""
    names = (request.COOKIES.get(OWN_ZONE_COOKIE, ""), request.COOKIES.get(ZONE_COOKIE, ""))
    zone = next(filter(None, map(_zone, names)), None)
    return cast("AbstractContextManager[None]", timezone.override(zone)) if zone else nullcontext()


def _zone(name: str) -> zoneinfo.ZoneInfo | None:
    """None for an empty name and for a strange cookie."""
    try:
        return zoneinfo.ZoneInfo(name) if name else None
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return None


def page(view: View[P]) -> View[P]:
    """Sign-in required; the browser's zone; services' refusals as pages with the right status."""

    @wraps(view)
    def inner(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not request.user.is_authenticated:
            if request.method not in ("GET", "HEAD"):
                warn(
                    request,
                    _("You were signed out meanwhile, so nothing was changed. Sign in and try again."),
                )
            if is_htmx(request):  # a sign-in form inside a row helps nobody
                return HttpResponseClientRedirect(_sign_in_and_back(request))
            if request.method in ("GET", "HEAD"):
                return redirect_to_login(request.get_full_path())
            return redirect_to_login(back(request))  # the address of an act cannot be opened
        with in_persons_zone(request):
            try:
                return view(request, *args, **kwargs)
            except NotFound as error:
                raise Http404(error.message) from error
            except DomainError as error:
                return refusal(request, error)
            except TRANSIENT as error:
                return refusal(request, busy(error))

    return cast("View[P]", inner)


def _sign_in_and_back(request: HttpRequest) -> str:
    """The sign-in page, then the list as it was with the same row in hand: the row that was acted on names itself."""
    htmx = getattr(request, "htmx", None)
    where = (htmx and htmx.current_url_abs_path) or resolve_url("review")
    target = getattr(htmx, "target", "") or ""
    row = f"#{target}" if re.fullmatch(r"c-[0-9a-f-]{36}", target) else ""
    return f"{resolve_url(settings.LOGIN_URL)}?{urlencode({'next': where.partition('#')[0] + row})}"


def refusal(request: HttpRequest, error: DomainError) -> HttpResponse:
    """The error in the frame; for an htmx request only the sentence, in the toast.

    The latter is a 200: the page shows it in place, and browsers print other statuses as console errors.
    """
    if is_htmx(request):
        return toast(request, error.message, tone="bad", reswap=True)
    allowed = error.details.get("allowed") or []  # a sentence, or a list of values
    context = {
        "error": error,
        "allowed": [allowed] if isinstance(allowed, str) else allowed,
        "back": back(request),
    }
    return render(request, "errors/refused.html", context, status=status_of(error))


def toast(request: HttpRequest, text: str, *, tone: str = "ok", reswap: bool = False) -> HttpResponse:
    """Only the toast, swapped out of band; with ``reswap`` the target stays as it is."""
    response = render(request, "_toast.html", {"toast": {"text": text, "tone": tone}, "oob": True})
    if reswap:
        response["HX-Reswap"] = "none"
    return response


def say(request: HttpRequest, text: str, *, act: object = "", reasons: bool = False, link: str = "") -> None:
    """Leave a toast for the next page.

    ``act`` is the act that its Undo button takes back, ``reasons`` offers the reasons of a rejection, ``link`` leads to
    what was left behind. They ride in the message's tags, one JSON object.
    """
    tags = {"act": str(act), "reasons": reasons, "link": link}
    messages.success(request, text, extra_tags=json.dumps(tags) if any(tags.values()) else "")


def warn(request: HttpRequest, text: str) -> None:
    messages.warning(request, text)


def back(request: HttpRequest, default: str = "review") -> str:
    """Where the form came from (field ``next``), if it is an address of ours."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    if url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    ):
        return wanted
    return resolve_url(default)


def go(request: HttpRequest, default: str = "review") -> HttpResponseRedirect:
    return HttpResponseRedirect(back(request, default))


def event(response: HttpResponse, name: str, data: dict[str, Any]) -> HttpResponse:
    """Tell review.js what happened as soon as the answer is in the page."""
    return trigger_client_event(response, name, data, after="swap")


def clock() -> datetime:
    """ "Now", taken once per request and passed down."""
    return timezone.now()
