"""What is the same question, what is the same option, what it is called: a person's word, each one service."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from decisions.services.arranging import option_alias, point_categorise, point_rename
from decisions.services.merging import point_merge, point_split
from review.views.door import clock, page, person, say
from review.views.posted import id_of, incomplete, numbers_in, version_of


@require_POST
@page
def rename(request: HttpRequest, point_id: uuid.UUID) -> HttpResponse:
    """A name of one's own; an empty one shows the question again."""
    name = request.POST.get("name", "")
    point_rename(point_id=point_id, version=version_of(request), user=person(request), name=name, now=clock())
    say(request, _("Renamed.") if name.strip() else _("It is called by its question again."))
    return redirect("point", point_id=point_id)


@require_POST
@page
def category(request: HttpRequest, point_id: uuid.UUID) -> HttpResponse:
    """Correct what the rules found; an empty one goes back to them."""
    point_categorise(
        point_id=point_id,
        version=version_of(request),
        user=person(request),
        category=request.POST.get("category", ""),
        now=clock(),
    )
    say(request, _("The category is set."))
    return redirect("point", point_id=point_id)


@require_POST
@page
def alias(request: HttpRequest, point_id: uuid.UUID) -> HttpResponse:
    """Two options are one; without a target that is taken back."""
    option, target = numbers_in(request, "option"), numbers_in(request, "alias_of")
    if len(option) != 1:
        raise incomplete("option")
    option_alias(
        point_id=point_id,
        version=version_of(request),
        user=person(request),
        option_id=option[0],
        alias_of_id=target[0] if target else None,
        now=clock(),
    )
    say(request, _("They count together.") if target else _("They count apart again."))
    return redirect("point", point_id=point_id)


@require_POST
@page
def split(request: HttpRequest, point_id: uuid.UUID) -> HttpResponse:
    """Some wordings are another question; merging that one back is the way back."""
    new = point_split(
        point_id=point_id,
        version=version_of(request),
        user=person(request),
        wording_ids=numbers_in(request, "wording"),
        now=clock(),
    )
    say(request, _("Split off: this is the new question. Merging it takes it back."))
    return redirect("point", point_id=new.pk)


@require_POST
@page
def merge(request: HttpRequest, point_id: uuid.UUID) -> HttpResponse:
    """Both are one question; splitting its wordings off is the way back."""
    target = id_of(request, "into")
    if target is None:
        raise incomplete("into")
    merged = point_merge(
        source_id=point_id, target_id=target, version=version_of(request), user=person(request), now=clock()
    )
    say(request, _("Merged. Splitting its wordings off takes them apart again."))
    return redirect("point", point_id=merged.pk)
