"""What the Prompts pages show: whose wording serves where, its history, and what of the past to try a draft on."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q

from core.models import Namespace
from knowledge.services.night.trials import past_drafts
from memory.models import PromptChange, PromptOverride
from memory.prompts import CURRENT
from transcripts.models import Message, Turn

TURNS = 20
DRAFTS = 20
CHANGES = 30
SHOWN = 70  # characters of what opened a turn


@dataclass(frozen=True)
class Row:
    """One prompt of one namespace; ``own`` is None while the bundled text serves."""

    namespace: Namespace
    name: str
    own: PromptOverride | None


@dataclass(frozen=True)
class Change:
    """A change with the text it replaced; either is empty for the bundled one."""

    row: PromptChange
    before: str


@dataclass(frozen=True)
class PastTurn:
    id: int
    at: datetime
    began: str


@dataclass(frozen=True)
class PastDraft:
    """A note that a night drafted, by its proposal."""

    id: uuid.UUID
    at: datetime
    began: str


def prompts_of(*, user: User) -> list[Row]:
    """Every prompt of every namespace that the person owns: two queries."""
    spaces = list(Namespace.objects.owned_by(user).select_related("owner"))
    own = PromptOverride.objects.filter(namespace__in=spaces).select_related("namespace", "changed_by")
    found = {(each.namespace.pk, each.prompt): each for each in own}
    return [Row(space, name, found.get((space.pk, name))) for space in spaces for name in CURRENT]


def changes_of(*, namespace: Namespace, name: str) -> list[Change]:
    """The latest changes first. The caller has checked that the namespace is the person's."""
    rows = list(
        PromptChange.objects.filter(namespace=namespace, prompt=name)
        .select_related("namespace", "changed_by")
        .order_by("-pk")[: CHANGES + 1]
    )
    before = [*(each.text for each in rows[1:]), ""]
    return [Change(row, before[place]) for place, row in enumerate(rows[:CHANGES])]


def turns_of(*, user: User, namespace: Namespace) -> list[PastTurn]:
    """The person's latest closed turns whose conversation is kept there and in which a person typed something."""
    home = Q(session__workspace=namespace) | Q(session__workspace=None, session__persona=namespace)
    typed = Message.objects.filter(turn=OuterRef("pk"), origin="human")
    rows = Turn.objects.visible_to(user).filter(home, Exists(typed), closed_at__isnull=False)
    latest = list(rows.only("pk", "opened_at").order_by("-opened_at", "-pk")[:TURNS])
    first = Message.objects.filter(turn__in=latest, origin="human").order_by("turn_id", "index")
    texts = dict(first.distinct("turn_id").values_list("turn_id", "text"))
    return [PastTurn(turn.pk, turn.opened_at, _short(texts.get(turn.pk, ""))) for turn in latest]


def drafts_of(*, namespace: Namespace) -> list[PastDraft]:
    """What nights drafted there of late, whatever became of it. The caller has checked that the namespace is theirs."""
    rows = past_drafts(namespace=namespace).values_list("pk", "created_at", "payload__title")[:DRAFTS]
    return [PastDraft(pk, at, _short(title)) for pk, at, title in rows]


def change_text(*, namespace: Namespace, name: str, change_id: int) -> str | None:
    """A former wording; None when there is no such change of this prompt."""
    rows = PromptChange.objects.filter(namespace=namespace, prompt=name, pk=change_id)
    return rows.values_list("text", flat=True).first()


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else line[: SHOWN - 1] + "…"
