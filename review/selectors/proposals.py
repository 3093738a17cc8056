"""Proposals in the queue: a page of those that wait."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import User

from knowledge.models import Proposal
from knowledge.selectors.proposals import waiting

# One night files some twenty; more than this would bury the candidates, and the next ones move up as these go.
SHOWN = 25


def waiting_proposals(*, user: User, namespace: str = "") -> Sequence[Proposal]:
    """The oldest first, in one namespace (an id) or in all."""
    rows = waiting(user=user)
    return list((rows.filter(namespace_id=namespace) if namespace else rows)[:SHOWN])
