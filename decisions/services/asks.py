"""PreToolUse: what stood in the answers before anybody saw the question (design section 5)."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence

from django.db.models import Max, OuterRef, Subquery

from core.actor import Actor
from core.services import audit
from core.text import fold
from decisions.capture import reasons
from decisions.capture.shapes import ANY
from decisions.inputs import Captured, Result
from decisions.models import AskSeen, Choice, DecisionPoint, Fate, Outcome, Recommendation
from decisions.services.places import Place


def ask_see(*, place: Place, prefilled: Sequence[str]) -> Captured:
    """Keep which questions were pre-filled, and re-judge answers that came in before. Inside the caller's transaction.

    Gives the choices that do not count any more.
    """
    seen, created = AskSeen.objects.visible_to(place.user).get_or_create(
        session=place.session,
        tool_use_id=place.tool_use_id,
        defaults={"user": place.user, "prefilled": list(prefilled), "at": place.at},
    )
    added = [text for text in prefilled if text not in seen.prefilled]
    if added and not created:
        AskSeen.objects.filter(pk=seen.pk).update(prefilled=[*seen.prefilled, *added])
    withdrawn = _rejudge(place, prefilled) if prefilled else []
    return Captured(
        tuple(Result(choice.pk, choice.question, Outcome.SKIPPED, reasons.PREFILLED) for choice in withdrawn),
        new=created or bool(added),
    )


def prefilled_of(*, place: Place) -> tuple[str, ...]:
    if place.session is None or not place.tool_use_id:
        return ()
    rows = AskSeen.objects.filter(session=place.session, tool_use_id=place.tool_use_id)
    return tuple(rows.values_list("prefilled", flat=True).first() or ())


def _rejudge(place: Place, prefilled: Collection[str]) -> list[Choice]:
    """Observed → skipped, where the answer had been there before the person."""
    texts = {fold(text) for text in prefilled}
    rows = Choice.objects.visible_to(place.user).observed()
    found = [
        choice
        for choice in rows.filter(session=place.session, tool_use_id=place.tool_use_id)
        if ANY in texts or fold(choice.question) in texts
    ]
    for choice in found:
        rows.filter(pk=choice.pk).update(outcome=Outcome.SKIPPED, reason=reasons.PREFILLED)
        Recommendation.objects.filter(choice=choice).update(choice=None, fate=Fate.OPEN)
        audit.record(
            stream=f"user:{place.user.pk}",
            verb="choice.rejudge",
            actor=Actor.key(place.agent_key),
            object_type="choice",
            object_id=choice.pk,
            from_state=Outcome.OBSERVED,
            to_state=Outcome.SKIPPED,
            data={"reason": reasons.PREFILLED},
            now=place.now,
        )
    last_choice_refresh({choice.point_id for choice in found if choice.point_id})
    return found


def last_choice_refresh(point_ids: Collection[uuid.UUID]) -> None:
    """Set ``last_choice_at`` of these points from what is observed there now."""
    latest = (
        Choice.objects.observed()
        .filter(point=OuterRef("pk"))
        .values("point")
        .annotate(latest=Max("at"))
        .values("latest")
    )
    if point_ids:
        DecisionPoint.objects.filter(pk__in=point_ids).update(last_choice_at=Subquery(latest))
