"""Corrections of what was learned: each one service, each undone by its counterpart on the same page."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from core.ids import parse_id
from decisions.models import Option
from decisions.services import allowing, preferences, resets
from review.forms.choices import ResetForm
from review.selectors import choice_log as past
from review.selectors import choices as chosen
from review.views.door import clock, go, page, person, say
from review.views.posted import incomplete, numbers_in, version_of


def _option(request: HttpRequest, point_id: uuid.UUID, field: str) -> Option | None:
    """The option of the question that a field names; None for an empty one. Raises NotFound, Invalid."""
    named = numbers_in(request, field)
    point = chosen.point_for(user=person(request), point_id=point_id)
    found = point.options.filter(pk__in=named).first()
    if named and found is None:
        raise incomplete(field)
    return found


@require_POST
@page
def prefer(request: HttpRequest, point_id: uuid.UUID) -> HttpResponse:
    """Set by hand what is recommended; the empty choice lets the habit speak again."""
    user, version, now = person(request), version_of(request), clock()
    option = _option(request, point_id, "option")
    if option is None:
        preferences.preferred_clear(user=user, point_id=point_id, version=version, now=now)
        say(request, _("From now on what you usually pick speaks again."))
    else:
        preferences.preferred_set(user=user, point_id=point_id, option=option.label, version=version, now=now)
        say(
            request,
            _("Set: “%(option)s” is recommended, whatever you picked before.") % {"option": option.label},
        )
    return redirect("point", point_id=point_id)


@require_POST
@page
def always_ask(request: HttpRequest, point_id: uuid.UUID) -> HttpResponse:
    """Never settle it without asking; or allow that again."""
    on = request.POST.get("on") == "1"
    preferences.always_ask_set(
        user=person(request), point_id=point_id, on=on, version=version_of(request), now=clock()
    )
    if on:
        say(request, _("You will always be asked this."))
    else:
        say(request, _("It may be settled without asking again, once your habit is clear enough."))
    return redirect("point", point_id=point_id)


@require_POST
@page
def contest(request: HttpRequest, recommendation_id: uuid.UUID) -> HttpResponse:
    """ "Ask me next time": what was settled without asking is asked from now on."""
    preferences.ask_next_time(user=person(request), recommendation_id=recommendation_id, now=clock())
    say(request, _("You will be asked next time."))
    return go(request, "choices-settled")


@require_POST
@page
def mute(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """No recommendations in this one session, or again."""
    user, now = person(request), clock()
    if request.POST.get("on") == "1":
        preferences.session_mute(user=user, session_id=session_id, now=now)
        say(request, _("Muted: in that session Hikae recommends nothing."))
    else:
        preferences.session_unmute(user=user, session_id=session_id, now=now)
        say(request, _("Unmuted."))
    return go(request, "choices")


@require_http_methods(["GET", "HEAD", "POST"])
@page
def reset(request: HttpRequest) -> HttpResponse:
    """A page says what leaves the sums; only its buttons do it."""
    user, now = person(request), clock()
    if request.method == "POST":
        form = ResetForm(request.POST)
        if not form.is_valid():
            raise incomplete("reach")
        return _forget(request, form)
    point_id = parse_id(request.GET.get("point", ""))
    point = chosen.point_for(user=user, point_id=point_id) if point_id else None
    context = {"point": point, "reaches": past.reaches(user=user, point=point, now=now)}
    return render(request, "choices/reset.html", context)


def _forget(request: HttpRequest, form: ResetForm) -> HttpResponse:
    user, now, typed = person(request), clock(), form.cleaned_data
    if typed["reach"] == "point":
        done = resets.reset_point(user=user, point_id=typed["point"], now=now)
    elif typed["reach"] == "category":
        done = resets.reset_category(user=user, category=typed["category"], now=now)
    else:
        done = resets.reset_all(user=user, now=now)
    said = ngettext(
        "%(n)s choice forgotten. You can bring it back on the page of its question.",
        "%(n)s choices forgotten. You can bring them back on the page of their question.",
        done.choices,
    )
    say(request, said % {"n": done.choices})
    return redirect("point", point_id=typed["point"]) if typed["reach"] == "point" else redirect("choices")


@require_POST
@page
def reset_undo(request: HttpRequest, preference_id: uuid.UUID) -> HttpResponse:
    """What was forgotten counts again, as far as it is young enough."""
    back = resets.reset_undo(user=person(request), preference_id=preference_id, now=clock())
    said = ngettext("%(n)s choice counts again.", "%(n)s choices count again.", back)
    say(request, said % {"n": back})
    return go(request, "choices")


@require_POST
@page
def resolving(request: HttpRequest) -> HttpResponse:
    """Allow settling without asking, in one workspace or (no workspace) everywhere else, or always be asked."""
    raw = request.POST.get("workspace", "")
    workspace_id = parse_id(raw) if raw else None
    if (raw and workspace_id is None) or request.POST.get("allowed") not in ("0", "1"):
        raise incomplete("workspace" if raw and workspace_id is None else "allowed")
    allowed = request.POST["allowed"] == "1"
    allowing.resolving_allow(user=person(request), workspace_id=workspace_id, allowed=allowed, now=clock())
    say(
        request,
        _("Old, clear and harmless habits may be settled there.")
        if allowed
        else _("You are always asked there."),
    )
    return redirect("choices-settled")


@require_POST
@page
def rate(request: HttpRequest) -> HttpResponse:
    """Take the rate that the backtest suggests, or go back to the usual one (empty)."""
    raw = request.POST.get("rate", "")
    try:
        wanted = float(raw) if raw else None
    except ValueError as error:
        raise incomplete("rate") from error
    if wanted is not None and wanted != wanted:  # not a number
        raise incomplete("rate")
    allowing.decay_rate_set(user=person(request), rate=wanted, now=clock())
    say(request, _("Your own rate is used.") if wanted is not None else _("The usual rate is used."))
    return redirect("choices-backtest")
