"""Find the recurring question behind a question, or begin a new one (design section 5)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime

from django.db.models import Q

from core.locks import lock
from decisions.capture.identity import Identity, alike
from decisions.learning.labels import normalise_label, option_key
from decisions.learning.types import Question
from decisions.models import DecisionPoint, Joined, Option, Wording
from decisions.selectors.aliases import aliases_of

_CANDIDATES = 200  # wordings that are compared by likeness


def points_lock(user_id: int) -> None:
    """Who makes, merges or splits a person's points takes turns."""
    lock(f"decisions:{user_id}")


def wordings_for(
    *, user_id: int, workspace_id: uuid.UUID | None, questions: Sequence[Question], now: datetime
) -> list[Wording]:
    """The wording of each question, with its point; unknown ones are made. Inside the caller's transaction.

    One query when all are known. An unknown one joins the point that reads alike, else it begins its own.
    """
    found = [Identity.of(question) for question in questions]
    known = _known(user_id, workspace_id, found)
    if any(each.signature not in known for each in found):
        points_lock(user_id)
        known = _known(user_id, workspace_id, found)
        for question, identity in zip(questions, found, strict=True):
            if identity.signature not in known:
                known[identity.signature] = _new(user_id, workspace_id, question, identity, now)
    _options([(known[each.signature].point, q) for each, q in zip(found, questions, strict=True)])
    return [known[each.signature] for each in found]


def _known(
    user_id: int, workspace_id: uuid.UUID | None, identities: Sequence[Identity]
) -> dict[str, Wording]:
    rows = Wording.objects.filter(
        user_id=user_id, workspace_id=workspace_id, signature__in=[each.signature for each in identities]
    )
    return {row.signature: row for row in rows.select_related("point")}


def _new(
    user_id: int, workspace_id: uuid.UUID | None, question: Question, identity: Identity, now: datetime
) -> Wording:
    near, likeness = _nearest(user_id, workspace_id, question, identity)
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


def _nearest(
    user_id: int, workspace_id: uuid.UUID | None, question: Question, identity: Identity
) -> tuple[Wording | None, float]:
    """The same options and category in other words; or the same words with options under other names of theirs."""
    rows = list(
        Wording.objects.filter(user_id=user_id, workspace_id=workspace_id)
        .filter(Q(options_hash=identity.options_hash) | Q(template_hash=identity.template_hash))
        .select_related("point")
        .order_by("-pk")[:_CANDIDATES]
    )
    aliases = aliases_of(
        {row.point_id for row in rows if row.options_hash != identity.options_hash}
    )  # no query without such rows
    best: tuple[Wording | None, float] = (None, 1.0)
    score = 0.0
    for row in rows:
        if row.options_hash == identity.options_hash:
            same_kind = identity.category in (row.category, row.point.category_set)
            found = alike(question.text, row.question, identity.options) if same_kind else 0.0
        else:
            names = aliases.get(row.point_id, {})
            same = {names.get(k, k) for k in identity.options} == {names.get(k, k) for k in row.options}
            found = 1.0 if same and row.point.multi == question.multi else 0.0
        if found > score:
            best, score = (row, min(found, 1.0)), found
    return best


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
