"""One memory moves to another namespace, with what led to it; inside the editing transaction."""

from __future__ import annotations

import uuid

from django.utils.translation import gettext as _

from core.actor import Decider
from core.errors import Conflict, NotFound
from core.models import Namespace
from memory.models import Candidate, Memory, Tombstone
from memory.services.merging import merged_into
from memory.services.rehousing import candidates_move, conflicts_clear, tombstones_move


def home_for(*, memory: Memory, namespace_id: uuid.UUID, user: Decider) -> Namespace:
    """The namespace, if this person may decide there. Raises NotFound."""
    if namespace_id == memory.namespace_id:
        return memory.namespace
    found = Namespace.objects.reviewable_by(user).filter(pk=namespace_id).first()
    if found is None:
        raise NotFound(_("There is no namespace that you can review there."), field="namespace")
    return found


def refuse_parting(*, memory: Memory, home: Namespace) -> None:
    """Members of one place must not read the other's texts through a link between two memories.

    Raises Conflict: ``linked`` to another memory, or its external id is ``taken``.
    """
    if memory.superseded_by_id or Memory.objects.filter(superseded_by=memory).exists():
        raise Conflict(
            _("It replaced another memory, or was replaced: the two stay in one namespace."),
            code="linked",
            field="namespace",
        )
    taken = Memory.objects.filter(namespace=home, external_id=memory.external_id)
    if memory.external_id and taken.exists():
        raise Conflict(_("Its external id already names a memory there."), code="taken", field="namespace")


def memory_followed(*, memory: Memory, was_in: Namespace) -> None:
    """After the memory itself has moved: the candidates that led to it, duplicates included, come along."""
    led = list(memory.candidates.defer("vector", "blocks"))
    ids = {row.pk for row in led} | {row.pk for each in led for row in merged_into(each)}
    tombstones_move(Tombstone.objects.filter(candidate_id__in=ids), memory.namespace)
    candidates_move(Candidate.objects.filter(pk__in=ids), memory.namespace)
    conflicts_clear(namespaces=[was_in, memory.namespace])
