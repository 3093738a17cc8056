"""Read candidates on somebody's behalf."""

from __future__ import annotations

import uuid

from django.utils.translation import gettext as _

from core.errors import NotFound
from core.models import AgentKey, Namespace
from memory.models import Candidate


def candidate_for_key(*, key: AgentKey, candidate_id: uuid.UUID) -> Candidate:
    """A candidate in a namespace that the key reaches; NotFound for foreign and missing ones alike."""
    scope = Namespace.objects.reachable_by(key).scope()
    found = Candidate.objects.in_namespaces(scope).select_related("namespace").filter(pk=candidate_id).first()
    if found is None:
        raise NotFound(_("There is no such candidate."))
    return found
