"""The Choices page, one question with its past, and what was settled without asking."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from decisions.learning.types import Prediction
from decisions.models.point import CATEGORY_CHOICES
from review.forms.choices import ChoicesForm
from review.pace import too_slow
from review.plots.drawing import Drawing, Said
from review.plots.spark import spark
from review.selectors import choice_log as past
from review.selectors import choices as chosen
from review.selectors.knowing import Log, advice_of, logs_of, numbers_of
from review.selectors.paging import Cursor
from review.views.choice_pictures import moves_of
from review.views.door import clock, page, person

SPARK = 20  # choices in the little picture of a row


@require_safe
@page
def choices(request: HttpRequest) -> HttpResponse:
    """One row for each question, the latest first."""
    user, now = person(request), clock()
    form = ChoicesForm(request.GET, workspaces=chosen.workspaces_of(user=user), user_id=user.pk)
    wanted, after = form.wanted(), Cursor.parse(request.GET.get("after"))
    rows, following = chosen.points(
        user=user, wanted=wanted, after=after, numbers=numbers_of(user=user), now=now
    )
    context = {
        "tab": "points",
        "form": form,
        "filtered": bool(wanted),
        "rows": [_shown(row) for row in rows],
        "next": following,
        "paged": after is not None,
        "quarantined": chosen.quarantined(user=user),
    }
    return render(request, "choices/list.html", context)


def _shown(row: chosen.Row) -> dict[str, Any]:
    return {
        "point": row.point,
        "known": row.known,
        "leader": row.log.label(row.usual),
        "share": row.share,
        "preferred": row.preferred,
        "picture": _spark(row) if row.usual else None,
    }


def _spark(row: chosen.Row) -> Drawing:
    led = [row.usual in chosen for chosen in row.log.last(SPARK)]
    about = _("%(hits)s of the last %(n)s choices were “%(leader)s”; the newest is at the right.") % {
        "hits": sum(led),
        "n": len(led),
        "leader": row.log.label(row.usual),
    }
    return spark(Said(f"spark-{row.point.pk}", _("Last choices"), about), led=led)


@require_safe
@page
def point(request: HttpRequest, point_id: uuid.UUID) -> HttpResponse:
    """What is usually picked, how that moved, what was observed and recommended, and how to correct it."""
    user, now = person(request), clock()
    found = chosen.point_for(user=user, point_id=point_id)
    if found.merged_into_id is not None:  # a bookmark, or the back button
        return redirect("point", point_id=found.merged_into_id)
    log = logs_of(user=user, points=[found], numbers=numbers_of(user=user), now=now)[found.pk]
    known, after = log.known(), Cursor.parse(request.GET.get("after"))
    drawn = past.drawn(user=user, point=found)
    listed, following = past.observations(user=user, log=log, after=after)
    sessions = past.recent_sessions(user=user, point=found)
    wish = next((each for each in log.options if each.key == log.preferred), None)
    context = {
        "point": found,
        "known": known,
        "elsewhere": sum(each.count for each in log.elsewhere.older),
        "advice": advice_of(user=user, log=log, known=known, lang="ja" if get_language() == "ja" else "en"),
        "preferred": wish.label if wish else "",
        "preferred_id": wish.pk if wish else None,
        "shares": shares_of(log, known),
        **moves_of(log, drawn, known),
        "choices": listed,
        "next": following,
        "paged": after is not None,
        "evidence": past.evidence(user=user, log=log, ids=known.evidence),
        "pace": too_slow(
            [choice.at for choice in drawn],
            now=now,
            keep_days=log.numbers.archive_days,
            needed=log.numbers.n_mature,
        ),
        "given": past.given(user=user, point=found),
        "fates": past.fates(user=user, point=found),
        "options": [option for option in log.options if option.alias_of_id is None],
        "aliases": [option for option in log.options if option.alias_of_id is not None],
        "wordings": list(found.wordings.order_by("created_at", "pk")[:50]),
        "targets": past.other_points(user=user, point=found),
        "categories": CATEGORY_CHOICES,
        "sessions": sessions,
        "muted": past.muted(user=user, sessions=sessions),
        "resets": past.resets(user=user, point=found),
    }
    return render(request, "choices/detail.html", context)


def shares_of(log: Log, known: Prediction) -> list[dict[str, Any]]:
    """Counted options, the leader first, then by how often they were picked; those never picked at the end."""
    if not known.n:
        return []
    usual, _share = log.usual(known)
    keys = sorted(known.counts, key=lambda key: (key != usual, -known.counts[key]))
    return [
        {
            "label": log.label(key),
            "share": known.shares[key],
            "count": known.counts[key],
            "leads": key == usual,
        }
        for key in keys
    ]


@require_safe
@page
def settled(request: HttpRequest) -> HttpResponse:
    """Each one with "ask me next time"."""
    user, after = person(request), Cursor.parse(request.GET.get("after"))
    found = past.settled(user=user, after=after)
    context = {
        "tab": "settled",
        "rows": found.rows,
        "next": found.next,
        "paged": after is not None,
        "allowances": chosen.allowances(user=user),
        "quarantined": chosen.quarantined(user=user),
    }
    return render(request, "choices/settled.html", context)
