"""What is not proposed again: open proposals hold their memories, and a person's refusal holds for the texts it saw."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q

from core.models import Namespace
from knowledge.models import ConsolidationRun, Proposal

_KINDS = ("merge", "supersede", "retire", "report")


@dataclass
class Held:
    """Memories of open proposals: those that would leave, and those that would stay.

    ``retiring`` and ``pairing`` count what nights have filed and nobody has decided yet.
    """

    leaving: set[uuid.UUID] = field(default_factory=set)
    staying: set[uuid.UUID] = field(default_factory=set)
    retiring: int = 0
    pairing: int = 0


def held(namespace: Namespace) -> Held:
    """What waits for a person now."""
    found = Held()
    rows = Proposal.objects.filter(namespace=namespace, state="open", kind__in=_KINDS)
    for kind, payload, batch in rows.values_list("kind", "payload", "batch"):
        found.retiring += kind == "retire" and batch is not None
        found.pairing += kind in ("merge", "supersede") and batch is not None
        for role, pk in _roles(payload):
            (found.staying if role in ("keep", "new") else found.leaving).add(pk)
    return found


def refused(namespace: Namespace) -> set[frozenset[str]]:
    """The texts (SHA-256) of changes that a person refused, or whose night a person has undone.

    By text, not by version: undo raises versions, and a refusal must outlive that. An edited text is another matter.
    """
    nights = ConsolidationRun.objects.filter(namespace=namespace, state="undone")
    rows = Proposal.objects.filter(namespace=namespace, kind__in=_KINDS).filter(
        Q(state="refused") | Q(state="withdrawn", batch__in=nights.values("pk"))
    )
    found: set[frozenset[str]] = set()
    for payload, sources in rows.values_list("payload", "sources").iterator():
        digests = {source["id"]: source.get("sha256", "") for source in sources}
        roles = list(_roles(payload))
        stays = [digests.get(str(pk), "") for role, pk in roles if role in ("keep", "new")]
        for role, pk in roles:
            digest = digests.get(str(pk), "")
            if digest and role not in ("keep", "new"):
                found.add(frozenset([digest, *stays]))
    return found


def _roles(payload: Mapping[str, Any]) -> Iterator[tuple[str, uuid.UUID]]:
    for role, value in payload.items():
        for ref in value if isinstance(value, list) else [value]:
            if role in ("keep", "drop", "new", "old", "memory") and isinstance(ref, dict):
                yield role, uuid.UUID(ref["id"])
