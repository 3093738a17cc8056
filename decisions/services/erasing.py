"""Nothing of a person, and nothing in an erased workspace, is left behind (design section 8)."""

from __future__ import annotations

from django.contrib.auth.models import User

from core.models import Namespace
from decisions.models import (
    AskSeen,
    Choice,
    DecisionPoint,
    LearningSetting,
    Mute,
    Option,
    Preference,
    Quarantine,
    Recommendation,
    Wording,
)
from decisions.services.points import points_lock
from decisions.services.rehousing import same_questions


def choices_erase(*, user: User) -> int:
    """All that was learned about a person, with the log it was learned from. Inside the caller's transaction.

    How many choices. The audit trail keeps its events, which hold no texts.
    """
    points_lock(user.pk)
    Recommendation.objects.filter(user=user).delete()
    count, _rows = Choice.objects.filter(user=user).delete()
    Preference.objects.filter(user=user).delete()
    Option.objects.filter(point__user=user).delete()
    for model in (Wording, DecisionPoint, Mute, AskSeen, Quarantine, LearningSetting):
        model._default_manager.filter(user=user).delete()
    return count


def choices_let_go(*, namespace: Namespace) -> int:
    """What others chose in a workspace that is erased stays theirs, outside of any. How many questions."""
    points = DecisionPoint.objects.filter(workspace=namespace)
    for user_id in sorted(set(points.values_list("user_id", flat=True))):
        points_lock(user_id)
        same_questions(user_id, namespace, None)
    Wording.objects.filter(workspace=namespace).update(workspace=None)
    return points.update(workspace=None)
