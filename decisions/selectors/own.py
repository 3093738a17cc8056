"""A person's own rows, or the same NotFound for what is missing and what is somebody else's."""

from __future__ import annotations

import uuid

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.utils.translation import gettext as _

from core.errors import NotFound
from decisions.models import DecisionPoint, Recommendation
from transcripts.models import AgentSession

Person = User | AbstractBaseUser | AnonymousUser


def point_of(*, user: Person, point_id: uuid.UUID, lock: bool = False) -> DecisionPoint:
    """The person's decision point; one that was merged leads to the one it was merged into. Raises NotFound.

    ``lock`` holds the row to the end of the transaction, so that two changes of one point take turns.
    """
    points = DecisionPoint.objects.visible_to(user).select_related("merged_into")
    if lock:
        points = points.select_for_update(of=("self",))
    found = points.filter(pk=point_id).first()
    if found is None:
        raise NotFound(_("You have no such choice."), code="point_not_found", field="point")
    if found.merged_into_id is not None:
        return point_of(user=user, point_id=found.merged_into_id, lock=lock)
    return found


def session_of(*, user: Person, session_id: uuid.UUID) -> AgentSession:
    """Raises NotFound."""
    found = AgentSession.objects.visible_to(user).filter(pk=session_id).first()
    if found is None:
        raise NotFound(_("You have no such session."), code="session_not_found", field="session")
    return found


def recommendation_of(*, user: Person, recommendation_id: uuid.UUID) -> Recommendation:
    """Raises NotFound."""
    found = Recommendation.objects.visible_to(user).filter(pk=recommendation_id).first()
    if found is None:
        raise NotFound(_("You were given no such recommendation."), code="recommendation_not_found")
    return found
