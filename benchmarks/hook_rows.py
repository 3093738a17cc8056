"""What a week of hooks left in the database, without ids and moments, so that two weeks can be compared."""

from __future__ import annotations

import sys
from typing import Any

if __name__ == "__main__":  # a part of other benchmarks: says what it is
    print(__doc__)
    sys.exit()

from django.contrib.auth.models import User

from decisions.models import Choice
from memory.models import Candidate, Memory
from transcripts.models import Compaction, Exposure, Message, Turn


def outcome(user: User) -> dict[str, list[Any]]:
    """By kind of row. Exposures as a set: a session that is shown the same thing twice was shown it."""
    texts = {str(row.pk): row.content for row in Memory.objects.filter(namespace__owner=user)}
    said = Message.objects.filter(session__user=user).order_by(
        "session__key", "turn__opened_at", "turn__key", "index"
    )
    shown = Exposure.objects.filter(session__user=user).values_list(
        "session__key", "path", "record_type", "record_id", "version"
    )
    candidates = Candidate.objects.filter(namespace__owner=user).select_related("namespace")
    choices = Choice.objects.visible_to(user).order_by("session__key", "tool_use_id")
    return {
        "said": list(said.values_list("session__key", "turn__key", "role", "origin", "text")),
        "candidates": sorted(
            (c.content, c.kind, str(c.namespace), c.trust, c.times_seen) for c in candidates
        ),
        "choices": list(choices.values_list("question", "chosen", "outcome", "reason", "first", "source")),
        "exposures": sorted(
            {(s, path, kind, texts.get(pk, pk), version) for s, path, kind, pk, version in shown}
        ),
        "compactions": sorted(
            Compaction.objects.filter(session__user=user).values_list("session__key", "trigger")
        ),
        "open": list(Turn.objects.filter(session__user=user, closed_at=None).values_list("key", flat=True)),
    }
