"""The wordings of a person that a question is, or could be other words for (design section 5)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db.models import Q

from decisions.capture.identity import Identity, alike
from decisions.learning.types import Question
from decisions.models import Wording
from decisions.selectors.aliases import aliases_of

_CANDIDATES = 200  # wordings that are compared by likeness


def wordings_known(
    user_id: int, workspace_id: uuid.UUID | None, identities: Sequence[Identity]
) -> dict[str, Wording]:
    """By signature, each with its point; unknown ones are left out. One query."""
    rows = Wording.objects.filter(
        user_id=user_id, workspace_id=workspace_id, signature__in=[each.signature for each in identities]
    )
    return {row.signature: row for row in rows.select_related("point")}


def wording_nearest(
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
