"""Sessions follow their namespace when it is merged or split (design section 2)."""

from __future__ import annotations

import uuid
from collections.abc import Collection

from core.models import Namespace
from transcripts.models import AgentSession


def sessions_rehouse(*, source: Namespace, target: Namespace) -> int:
    """All of them, in whichever role they have the namespace. Inside the caller's transaction; returns how many.

    Their rows are taken before any lock of the gate, in the order in which a finishing scan takes them.
    """
    moved = AgentSession.objects.filter(workspace=source).update(workspace=target)
    return moved + AgentSession.objects.filter(persona=source).update(persona=target)


def sessions_of_places(*, workspace: Namespace, values: Collection[str]) -> dict[uuid.UUID, list[str]]:
    """Sessions of the workspace that ran in one of the places, each with all its fingerprints."""
    rows = AgentSession.objects.filter(workspace=workspace, fingerprints__overlap=list(values))
    return dict(rows.values_list("pk", "fingerprints"))


def sessions_branch(*, session_ids: Collection[uuid.UUID], source: Namespace, target: Namespace) -> int:
    """These sessions run in another workspace from now on; returns how many."""
    return AgentSession.objects.filter(pk__in=session_ids, workspace=source).update(workspace=target)
