"""Take along what a person said about recurring questions, and say it again (``decisions.jsonl``)."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import F

from core.models import Namespace
from decisions.capture.clean import redacted
from decisions.capture.identity import Identity
from decisions.exchange_points import PointLine, Worded, point_line
from decisions.learning.types import OptionIn, Question
from decisions.models import Choice, DecisionPoint, Joined, Option, Preference, Recommendation, Wording
from decisions.selectors.aliases import aliases_of
from decisions.selectors.known import preferred_of
from decisions.services.asks import last_choice_refresh
from decisions.services.points import point_show, points_lock


def points_export(*, user: User) -> Iterator[str]:
    """Names, categories, wishes, other names of options, merges and splits: a line for each point that has any."""
    points = DecisionPoint.objects.visible_to(user).live().select_related("workspace__owner")
    ids = list(points.values_list("pk", flat=True))
    aliases, preferred = aliases_of(ids), preferred_of(user_id=user.pk, point_ids=ids)
    wordings: dict[uuid.UUID, list[Wording]] = {}
    for wording in Wording.objects.visible_to(user).order_by("question", "signature"):
        wordings.setdefault(wording.point_id, []).append(wording)
    lines = []
    for point in points:
        known = wordings.get(point.pk, [])
        arranged = any(wording.joined == Joined.PERSON for wording in known)
        said = point.name or point.category_set or point.always_ask or point.pk in preferred
        if known and (said or arranged or aliases.get(point.pk)):
            lines.append(_line(point, known, aliases.get(point.pk, {}), preferred.get(point.pk, ""), user))
    yield from sorted(lines)


def _line(
    point: DecisionPoint, wordings: list[Wording], aliases: dict[str, str], preferred: str, user: User
) -> str:
    home = point.workspace
    return point_line(
        PointLine(
            question=redacted(point.question),
            workspace=home.reference_for(user.pk, home.owner.get_username()) if home else "",
            name=redacted(point.name),
            category_set=point.category_set,
            always_ask=point.always_ask,
            preferred=preferred,
            aliases=dict(sorted(aliases.items())),
            wordings=tuple(
                Worded(redacted(each.question), tuple(each.options), point.multi, each.joined)
                for each in wordings
            ),
        ),
    )


def point_take(*, user: User, line: PointLine, workspace: Namespace | None, now: datetime) -> bool:
    """Bring these wordings together on one point and say again what is not said there. Inside a transaction.

    False: none of the wordings is known, since none of their choices came along.
    """
    points_lock(user.pk)
    joined = {_signature(each): each.joined for each in line.wordings}
    wordings = list(
        Wording.objects.visible_to(user)
        .filter(workspace=workspace, signature__in=joined)
        .select_related("point")
        .order_by("pk")
    )
    if not wordings:
        return False
    point = _home(user, wordings, now)
    for wording in wordings:
        how = joined[wording.signature]
        if (wording.point_id, wording.joined) != (point.pk, how):
            _move(wording, point, how)
    shown = next((each for each in wordings if redacted(each.question) == line.question), None)
    if shown is not None and point.question != shown.question:
        point_show(point, shown)
    _say(point, line, now)
    return True


def _signature(worded: Worded) -> str:
    options = tuple(OptionIn(key) for key in worded.keys)
    return Identity.of(Question(worded.question, options, multi=worded.multi)).signature


def _home(user: User, wordings: list[Wording], now: datetime) -> DecisionPoint:
    """The first of their points that holds no other wording; else a new one."""
    ids = [wording.pk for wording in wordings]
    for wording in wordings:
        if not Wording.objects.filter(point=wording.point_id).exclude(pk__in=ids).exists():
            return wording.point
    first = wordings[0]
    return DecisionPoint.objects.create(
        user=user,
        workspace_id=first.workspace_id,
        question=first.question,
        header=first.point.header,
        template=first.template,
        multi=first.point.multi,
        category=first.category,
        first_seen_at=now,
    )


def _move(wording: Wording, point: DecisionPoint, how: str) -> None:
    """With its choices and options; a point that is left without any wording becomes part of the new one."""
    old = wording.point_id
    Wording.objects.filter(pk=wording.pk).update(point=point, joined=how)
    if old == point.pk:
        return
    Choice.objects.filter(wording=wording).update(point=point)
    Recommendation.objects.filter(point=old, signature=wording.signature).update(point=point)
    have = set(Option.objects.filter(point=point).values_list("key", flat=True))
    for option in Option.objects.filter(point=old, key__in=set(wording.options) - have):
        Option.objects.create(point=point, key=option.key, label=option.label, description=option.description)
    if not Wording.objects.filter(point=old).exists():
        DecisionPoint.objects.filter(pk=old).update(merged_into=point, version=F("version") + 1)
    last_choice_refresh([old, point.pk])


def _say(point: DecisionPoint, line: PointLine, now: datetime) -> None:
    """What the person said here meanwhile stays."""
    DecisionPoint.objects.filter(pk=point.pk).update(
        name=point.name or line.name[:200],
        category_set=point.category_set or line.category_set,
        always_ask=point.always_ask or line.always_ask,
    )
    options = {option.key: option for option in Option.objects.filter(point=point)}
    for key, target in line.aliases.items():
        main = options.get(target)
        if key in options and main is not None and key != target and main.alias_of_id is None:
            Option.objects.filter(pk=options[key].pk, alias_of=None).update(alias_of=main)
    wish = options.get(line.preferred)
    live = Preference.objects.filter(point=point, kind="preferred", withdrawn_at=None)
    if wish is not None and not live.exists():
        Preference.objects.create(user_id=point.user_id, kind="preferred", point=point, option=wish, at=now)
