"""Workspaces that may be one: the same folder, another remote (design section 2, fingerprint)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User

from core.models import Fingerprint, Namespace


@dataclass(frozen=True)
class LinkOffer:
    """``newer`` was made because ``folder`` came with remotes that ``older`` does not know.

    Linking each of ``remotes`` into ``older`` makes them one for sessions to come; merging does so for what they hold.
    """

    newer: Namespace
    older: Namespace
    folder: Fingerprint
    remotes: tuple[Fingerprint, ...]


def link_offers(*, user: User | AbstractBaseUser | AnonymousUser) -> list[LinkOffer]:
    """Pairs of workspaces of one owner, both owned by the person, in the order in which they were made."""
    own = Namespace.objects.owned_by(user).filter(type=Namespace.WORKSPACE)
    spaces = {each.pk: each for each in own.select_related("owner").prefetch_related("fingerprints")}
    by_folder: dict[tuple[int, str], list[Fingerprint]] = defaultdict(list)
    for space in spaces.values():
        for place in space.fingerprints.all():
            if place.value.startswith("d:"):
                by_folder[space.owner_id, place.value].append(place)
    offers: list[LinkOffer] = []
    for places in by_folder.values():
        places.sort(key=lambda place: (spaces[place.namespace_id].created_at, place.namespace_id))
        older = spaces[places[0].namespace_id]
        known = _remotes(older)
        for place in places[1:]:
            newer = spaces[place.namespace_id]
            remotes = tuple(each for value, each in _remotes(newer).items() if value not in known)
            if remotes:
                offers.append(LinkOffer(newer, older, place, remotes))
    return sorted(offers, key=lambda offer: (offer.newer.created_at, offer.newer.pk))


def _remotes(space: Namespace) -> dict[str, Fingerprint]:
    return {each.value: each for each in space.fingerprints.all() if each.value.startswith("r:")}
