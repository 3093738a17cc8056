"""Say why, after the fact: a rejection needs one key, its reason may follow (review-ux line 10)."""

from __future__ import annotations

import uuid
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Conflict, Invalid, NotFound
from memory.models import Candidate
from review.models import Act
from review.services.acts import ActResult, ItemRef, act_reject, act_undo


@transaction.atomic
def act_reason(*, user: User, act_id: uuid.UUID, reason: str, now: datetime) -> ActResult:
    """Give the rejections of one act a reason.

    Taken back and done again in one transaction, because a reason is more than a word: *private* leaves hashes alone
    behind. What somebody touched since is left as it is. Raises NotFound, Invalid (another verb), Conflict (undone).
    """
    act = Act.objects.visible_to(user).filter(pk=act_id).first()
    if act is None:
        raise NotFound(_("There is no such act."))
    if act.verb != "reject":
        raise Invalid(_("Only a rejection has a reason."), field="act")
    undone = act_undo(user=user, act_id=act_id, now=now)
    rows = Candidate.objects.filter(pk__in=undone.done).values_list("pk", "version")
    result = act_reject(
        user=user, items=[ItemRef(pk, version) for pk, version in rows], reason=reason, now=now
    )
    if result.act is None:
        raise Conflict(_("Somebody changed it meanwhile; the reason was not stored."), code="changed_since")
    return result
