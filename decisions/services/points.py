"""Find the recurring question behind a question, or begin a new one (design section 5)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime

from core.locks import lock
from decisions.capture.identity import Identity
from decisions.learning.labels import normalise_label, option_key
from decisions.learning.types import Question
from decisions.models import DecisionPoint, Joined, Option, Wording
from decisions.selectors.wordings import wording_nearest, wordings_known


def points_lock(user_id: int) -> None:
    """Who makes, merges or splits a person's points takes turns."""
    lock(f"decisions:{user_id}")


def wordings_for(
    *, user_id: int, workspace_id: uuid.UUID | None, questions: Sequence[Question], now: datetime
) -> list[Wording]:
    """The wording of each question, with its point; unknown ones are made. Inside the caller's transaction.

    Two queries when all are known. They are held, so that a merge meanwhile takes along what is stored with them.
    An unknown one joins the point that reads alike, else it begins its own.
    """
    found = [Identity.of(question) for question in questions]
    known = wordings_known(user_id, workspace_id, found)
    if any(each.signature not in known for each in found):
        points_lock(user_id)
        known = wordings_known(user_id, workspace_id, found)
        for question, identity in zip(questions, found, strict=True):
            if identity.signature not in known:
                known[identity.signature] = _new(user_id, workspace_id, question, identity, now)
    _hold(list(known.values()))
    _options([(known[each.signature].point, q) for each, q in zip(found, questions, strict=True)])
    return [known[each.signature] for each in found]


def point_show(point: DecisionPoint, wording: Wording) -> None:
    """Show a point under one of its wordings, which is then also what its likeness and its twins elsewhere go by."""
    DecisionPoint.objects.filter(pk=point.pk).update(question=wording.question, template=wording.template)


def _hold(wordings: Sequence[Wording]) -> None:
    """Lock these rows to the end of the transaction; one that a merge has just moved says where it is now."""
    rows = Wording.objects.filter(pk__in=[each.pk for each in wordings]).select_for_update(no_key=True)
    homes = dict(rows.order_by("pk").values_list("pk", "point_id"))
    for wording in wordings:
        if wording.point_id != homes[wording.pk]:
            wording.point = DecisionPoint.objects.get(pk=homes[wording.pk])


def _new(
    user_id: int, workspace_id: uuid.UUID | None, question: Question, identity: Identity, now: datetime
) -> Wording:
    near, likeness = wording_nearest(user_id, workspace_id, question, identity)
    point = near.point if near else None
    if point is None:
        point = DecisionPoint.objects.create(
            user_id=user_id,
            workspace_id=workspace_id,
            question=question.text,
            header=question.header,
            template=identity.template,
            multi=question.multi,
            category=identity.category,
            first_seen_at=now,
        )
    return Wording.objects.create(
        user_id=user_id,
        workspace_id=workspace_id,
        point=point,
        signature=identity.signature,
        template=identity.template,
        template_hash=identity.template_hash,
        options_hash=identity.options_hash,
        options=list(identity.options),
        question=question.text,
        category=identity.category,
        joined=Joined.LIKENESS if near else Joined.FIRST,
        likeness=likeness,
        created_at=now,
    )


def _options(pairs: Sequence[tuple[DecisionPoint, Question]]) -> None:
    """Each point has a row for each option it ever had, under the label last shown. One query when all are known."""
    wanted = {
        (point.pk, option_key(option.label)): (normalise_label(option.label), option.description)
        for point, question in pairs
        for option in question.options
    }
    rows = Option.objects.filter(point_id__in={point for point, _key in wanted})
    known = {(row.point_id, row.key): row for row in rows}
    fresh = [
        Option(point_id=point, key=key, label=label, description=description)
        for (point, key), (label, description) in wanted.items()
        if (point, key) not in known
    ]
    if fresh:
        Option.objects.bulk_create(fresh, ignore_conflicts=True)
    for place, (label, description) in wanted.items():
        row = known.get(place)
        if row and (row.label, row.description) != (label, description or row.description):
            Option.objects.filter(pk=row.pk).update(label=label, description=description or row.description)
