"""Try a wording on what a past night drafted a note from: the note it would give now. Nothing is filed.

Only the day's token budget notices: a trial costs what one note of a night costs.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from core.errors import Conflict, Invalid, NotFound
from core.models import Namespace
from core.selectors.access import namespace_owned
from core.text import language
from decisions.learning import OTHER
from decisions.models import DecisionPoint
from decisions.selectors.learned import learned
from knowledge.models import Knowledge, Proposal
from knowledge.models.proposal import ProposalQuerySet
from knowledge.night import phrases
from knowledge.night.material import WORTH, Asked, Drafted, Piece, Recurring, one_line
from knowledge.night.reusing import reusable
from knowledge.services.night import writing
from memory.models import Memory, Request
from memory.prompts import bundled
from memory.services.prompt_trials import counts, tokens_left
from memory.services.prompts import drafted, prompt_check

ERASED = "…"  # what ``knowledge.services.inbox`` leaves of a draft whose memories were deleted


@dataclass(frozen=True)
class NoteTrial:
    """``before`` is the note as that night drafted it, ``after`` as the wording gives it; without one ``refused`` says
    why: ``budget``, ``invalid_answer``, ``unavailable`` or ``unfounded`` (``why`` has the words). ``unused`` are the
    sources whose words the new note leaves out. ``left`` are the tokens that the day still has.
    """

    before: Drafted
    after: Drafted | None
    model: str
    seconds: float
    tokens: int
    left: int
    refused: str = ""
    why: str = ""
    unused: Sequence[Piece] = ()


def past_drafts(*, namespace: Namespace) -> ProposalQuerySet:
    """New notes that nights drafted there and that still have their text, the latest first.

    The caller has checked that the namespace is the person's.
    """
    rows = Proposal.objects.filter(namespace=namespace, kind="create", batch__isnull=False)
    return rows.exclude(payload__body=ERASED).order_by("-created_at", "-pk")


def note_try(
    *, namespace: Namespace, user: User, text: str, proposal_id: uuid.UUID | None, now: datetime
) -> NoteTrial:
    """Ask the model once, with ``text`` (empty: the bundled wording), for the note of one past draft's sources.

    Raises Forbidden for other members, NotFound for a stranger or a draft of elsewhere, Invalid (``text``, ``draft``),
    and Conflict (``no_model``) where no model is at work.
    """
    namespace = namespace_owned(user=user, namespace_id=namespace.pk)
    if not counts():
        raise Conflict(
            _("Prompts count only with a language model; this server uses rules."), code="no_model"
        )
    text = prompt_check(name=writing.PROMPT, text=text)
    row = past_drafts(namespace=namespace).filter(pk=proposal_id).first() if proposal_id else None
    if row is None:
        raise NotFound(_("There is no such draft in this namespace."), field="draft")
    before = _again(row, user, now)
    if not before.pieces:
        raise Invalid(
            _("Nothing that this note was drafted from is left. Choose another one."), field="draft"
        )
    prompt = drafted(name=writing.PROMPT, text=text) if text.strip() else bundled(writing.PROMPT)
    started = time.monotonic()
    try:
        worded = writing.word(
            drafted=before, namespace=namespace, prompt=prompt, now=now, taken=_taken(namespace, before.slug)
        )
    except ValueError as error:  # an address or a model name that cannot be
        raise Invalid(
            _("The language model is not set up: %(why)s") % {"why": error}, field="draft"
        ) from error
    after = None if worded.refused else worded.drafted
    stands = {piece.id for piece in worded.drafted.pieces}
    return NoteTrial(
        before,
        after,
        str(settings.LLM_MODEL),
        time.monotonic() - started,
        worded.tokens,
        tokens_left(namespace=namespace, now=now),
        worded.refused,
        worded.why,
        [piece for piece in before.pieces if piece.id not in stands],
    )


def _again(row: Proposal, user: User, now: datetime) -> Drafted:
    """The draft with its sources as they read today; one that is gone is left out."""
    payload = row.payload
    memories = _named(row.sources, "memory")
    pieces = [
        Piece("memory", str(each.pk), each.version, each.kind, reusable(each.content), each.language, now)
        for each in Memory.objects.active().filter(
            namespace=row.namespace_id, pk__in=memories, kind__in=WORTH
        )
    ]
    place = {pk: number for number, pk in enumerate(memories)}
    pieces.sort(key=lambda piece: place[piece.id])
    asked = Request.objects.filter(namespace=row.namespace_id, pk__in=_named(row.sources, "request"))
    requests = tuple(
        Asked(str(each.pk), str(each.session_id), each.summary, language(each.summary), each.at)
        for each in asked.order_by("-at", "-pk")
    )
    return Drafted(
        title=payload["title"],
        slug=payload["slug"],
        description=payload["description"],
        body=payload["body"],
        confidence=row.confidence,
        pieces=(*pieces, *_habits(row, user, now)),
        recurring=(Recurring(requests, frozenset(), len({each.session for each in requests})),)
        if requests
        else (),
    )


def _habits(row: Proposal, user: User, now: datetime) -> list[Piece]:
    """Usual choices among the sources: the person's own alone (design section 5)."""
    points = DecisionPoint.objects.live().filter(
        workspace=row.namespace_id, user=user, pk__in=_named(row.sources, "point")
    )
    found = []
    for each in learned(user_id=user.pk, points=list(points), now=now):
        leader = each.prediction.leader
        if leader in (None, OTHER):
            continue
        spoken = "ja" if language(each.point.question) == "ja" else "en"
        said = phrases.habit(one_line(each.point.title), each.label(leader) or "", spoken)
        found.append(Piece("point", str(each.point.pk), 1, "habit", said, spoken, now))
    return found


def _named(sources: Collection[Mapping[str, Any]], kind: str) -> list[str]:
    return [str(each["id"]) for each in sources if each.get("type") == kind]


def _taken(namespace: Namespace, own: str) -> set[str]:
    """The slugs of the other notes: the draft's own would be its own again."""
    return set(Knowledge.objects.filter(namespace=namespace).values_list("slug", flat=True)) - {own}
