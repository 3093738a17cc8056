"""What happens to nights when namespaces are merged or erased (design section 2)."""

from __future__ import annotations

from django.db import transaction

from core.models import Namespace
from knowledge.models import ConsolidationRun


@transaction.atomic
def nights_rehouse(*, source: Namespace, target: Namespace) -> int:
    """A merge takes the nights along; inside its transaction. Returns how many came.

    A running one loses its lease and files nothing more. The watermark counts events of one stream, and the memories
    came without any: the next night looks at everything.
    """
    ConsolidationRun.objects.live().filter(namespace=source).update(
        state="failed", lease_token=None, lease_until=None, error="merged into another workspace"
    )
    moved = ConsolidationRun.objects.filter(namespace=source).update(namespace=target)
    ConsolidationRun.objects.filter(namespace=target).update(until_event=0, until_at=None)
    return moved


def nights_erase(*, namespace: Namespace) -> int:
    """Delete every night of the namespace; returns how many."""
    return ConsolidationRun.objects.filter(namespace=namespace).delete()[0]
