"""Read memories on behalf of an agent key."""

from __future__ import annotations

import uuid

from django.utils.translation import gettext as _

from core.errors import NotFound, Paused
from core.models import AgentKey, Namespace
from memory.models import Evidence, Memory


def memory_for_key(*, key: AgentKey, memory_id: uuid.UUID) -> Memory:
    """A memory that is or was true, in a namespace that the key reaches.

    NotFound for foreign, missing, retracted and deleted ones alike: what was wrong is not handed out again, not even
    to who kept its id. Raises Paused while its namespace is paused.
    """
    scope = Namespace.objects.reachable_by(key).scope()
    found = (
        Memory.objects.in_namespaces(scope)
        .select_related("namespace__owner")
        .filter(pk=memory_id, status__in=["active", "superseded"])
        .first()
    )
    if found is None:
        raise NotFound(_("There is no such memory."))
    if found.namespace.is_paused:
        raise Paused(
            _("%(name)s is paused: nothing is recalled there.") % {"name": str(found.namespace)[:220]},
            namespace=str(found.namespace),
        )
    return found


def evidence_of(memory: Memory) -> list[Evidence]:
    """The spans that support it, in the order of their time; none for a memory that an operator loaded."""
    return list(Evidence.objects.filter(candidate__memory=memory).order_by("at", "pk"))
