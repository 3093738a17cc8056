"""Find notes by what they are for, and read one (design sections 6 and 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import NotFound
from core.models import AgentKey
from core.redact import redact
from core.text import tokens
from knowledge.models import Knowledge, KnowledgeUse
from knowledge.selectors.finding import Found, found
from knowledge.services.expand import successor_of
from memory.selectors.reach import reach_of_key
from transcripts.inputs import Shown
from transcripts.services.exposures import exposure_record


@dataclass(frozen=True)
class Read:
    """A note as served; ``slug`` is what was asked for."""

    slug: str
    note: Knowledge
    body: str


def knowledge_find(*, agent_key: AgentKey, q: str, references: Sequence[str], session: str) -> Found:
    """Active notes in scope that have to do with the task ``q``, best first; all of them for an empty one.

    At most ``MOST``. Calls the embedding model: keep it outside transactions. Raises NotFound, Forbidden.
    """
    reach = reach_of_key(key=agent_key, references=references, session=session)
    return found(scope=reach.scope, q=q)


@transaction.atomic
def knowledge_read(
    *, agent_key: AgentKey, slug: str, references: Sequence[str], session: str, now: datetime
) -> Read:
    """The body of a note, counted as a use and as an exposure. A replaced slug gives the living note.

    Workspace before persona. Raises NotFound, Forbidden.
    """
    reach = reach_of_key(key=agent_key, references=references, session=session)
    order = {home.pk: home.type != "workspace" for home in reach.namespaces if not home.is_paused}
    rows = Knowledge.objects.filter(namespace__in=order, slug=slug).select_related("namespace__owner")
    living = [
        note
        for row in sorted(rows, key=lambda each: order[each.namespace_id])
        if (note := successor_of(row)) is not None
    ]
    if not living:
        raise NotFound(
            _("There is no note “%(slug)s” in reach.") % {"slug": slug}, code="note_not_found", field="slug"
        )
    note = living[0]
    body = redact(note.body).text
    exposure_record(
        session=reach.session,
        agent_key=agent_key,
        path="get",
        items=[Shown("knowledge", str(note.pk), note.version, body)],
        now=now,
    )
    KnowledgeUse.objects.create(
        knowledge=note,
        namespace_id=note.namespace_id,
        user=agent_key.user,
        session=reach.session,
        path="read",
        version=note.version,
        tokens=tokens(body),
        at=now,
    )
    return Read(slug, note, body)
