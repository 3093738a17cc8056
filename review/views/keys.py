"""Agent keys: made, rotated, revoked; the secret is shown once, in the answer that made it."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from core.actor import Actor
from core.errors import Forbidden, Invalid
from core.services import keys
from review.forms.settings import KeyForm
from review.selectors.memories import member_namespaces
from review.selectors.settings import key_for
from review.views.door import clock, page, person, say


@never_cache
@sensitive_variables("new")
@require_http_methods(["GET", "HEAD", "POST"])
@page
def key_new(request: HttpRequest) -> HttpResponse:
    """The form; its answer carries the secret and is kept nowhere, so reloading it makes another key."""
    user, now = person(request), clock()
    namespaces = member_namespaces(user=user)
    form = KeyForm(request.POST if request.method == "POST" else None, namespaces=namespaces, user_id=user.pk)
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        wanted = set(typed["namespaces"]) if typed["reach"] == "list" else set()
        try:
            new = keys.agent_key_create(
                user=user,
                name=typed["name"],
                scopes=typed["scopes"],
                actor=Actor.person(user),
                now=now,
                reach=typed["reach"],
                namespaces=[item for item in namespaces if str(item.pk) in wanted],
                speaks_for_person=typed["speaks_for_person"],
                expires_at=form.expires_at(now=now),
            )
        except (Invalid, Forbidden) as error:
            field = str(error.details.get("field", ""))
            form.add_error(field if field in form.fields else None, error.message)
        else:
            return _shown_once(request, new)
    return render(request, "settings/key_new.html", {"form": form}, status=422 if form.errors else 200)


@never_cache
@sensitive_variables("new")
@require_POST
@page
def key_rotate(request: HttpRequest, key_id: uuid.UUID) -> HttpResponse:
    """A new secret with the same rights; the old one stops at once."""
    user = person(request)
    return _shown_once(
        request, keys.agent_key_rotate(key=key_for(user=user, key_id=key_id), by=user, now=clock())
    )


@require_POST
@page
def key_revoke(request: HttpRequest, key_id: uuid.UUID) -> HttpResponse:
    user = person(request)
    key = keys.agent_key_revoke(key=key_for(user=user, key_id=key_id), by=user, now=clock())
    say(request, _("“%(name)s” no longer works.") % {"name": key.name})
    return redirect("settings")


def _shown_once(request: HttpRequest, new: keys.NewKey) -> HttpResponse:
    base = request.build_absolute_uri("/").rstrip("/")
    return render(request, "settings/key_made.html", {"key": new.key, "secret": new.secret, "base": base})
