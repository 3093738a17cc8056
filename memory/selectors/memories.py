"""Read memories on behalf of an agent key."""

from __future__ import annotations

import uuid

from django.utils.translation import gettext as _

from core.errors import NotFound, Paused
from core.models import AgentKey, Namespace
from memory.models import Evidence, Memory
from memory.shortforms import offered


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


def short_forms_offered(memory: Memory) -> list[str]:
    """Short forms that stand around its evidence: in the quotes, and in the messages as long as they are kept."""
    spans = (
        Evidence.objects.filter(candidate__memory=memory).select_related("message").order_by("at", "pk")[:20]
    )
    said = [text for span in spans for text in (span.quote, span.message.text if span.message else "")]
    return offered(memory.content, said, memory.aliases)
