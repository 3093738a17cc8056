"""What a typed memory resembles, so that the reviewer sees it (design section 4, ``manual``)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import gettext as _

from core.models import Namespace
from memory.models import Candidate, Memory, Tombstone


@dataclass(frozen=True)
class Alike:
    text: str
    language: str
    status: str
    url: str


def resembling(*, user: User, ids: Sequence[uuid.UUID]) -> list[Alike]:
    """The named candidates, memories and rejections that this person may see; others are passed over."""
    found: list[Alike] = []
    for memory in Memory.objects.visible_to(user).exclude(status="deleted").filter(pk__in=ids):
        url = reverse("memory", args=[memory.pk])
        found.append(Alike(memory.content, memory.language, memory.get_status_display(), url))
    for candidate in Candidate.objects.reviewable_by(user).filter(pk__in=ids):
        url = reverse("candidate", args=[candidate.pk])
        found.append(Alike(candidate.content, candidate.language, candidate.get_status_display(), url))
    scope = Namespace.objects.reviewable_by(user).scope()
    for stone in Tombstone.objects.filter(pk__in=ids, namespace_id__in=scope.ids).exclude(text=""):
        found.append(Alike(stone.text, "", _("rejected before"), ""))
    return found
