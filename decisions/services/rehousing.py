"""Decision points follow their workspace when it is merged into another one (design section 2)."""

from __future__ import annotations

from core.models import Namespace
from decisions.models import Choice, DecisionPoint, LearningSetting, Wording
from decisions.services.merging import point_fold
from decisions.services.points import points_lock


def choices_rehouse(*, source: Namespace, target: Namespace) -> int:
    """All persons' points of ``source``, each staying its person's own. Inside the caller's transaction; how many.

    A question that both workspaces know becomes one point. What a person set for the target stays.
    """
    points = DecisionPoint.objects.filter(workspace=source)
    for user_id in sorted(set(points.values_list("user_id", flat=True))):
        points_lock(user_id)
        same_questions(user_id, source, target)
    Wording.objects.filter(workspace=source).update(workspace=target)
    settled = LearningSetting.objects.filter(workspace=target).values("user_id")
    LearningSetting.objects.filter(workspace=source).exclude(user_id__in=settled).update(workspace=target)
    return points.update(workspace=target)


def same_questions(user_id: int, source: Namespace, target: Namespace | None) -> None:
    """Equal wordings become one, and their points with them. ``target`` None: outside of any workspace."""
    known = {
        wording.signature: wording
        for wording in Wording.objects.filter(user_id=user_id, workspace=target).select_related("point")
    }
    for wording in Wording.objects.filter(user_id=user_id, workspace=source, signature__in=known):
        kept = known[wording.signature]
        kept.refresh_from_db()
        wording.refresh_from_db()
        if wording.point_id != kept.point_id:
            point_fold(source=wording.point, target=kept.point, joined=None)
        Choice.objects.filter(wording=wording).update(wording=kept)
        wording.delete()
