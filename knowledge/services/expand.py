"""``#slug``: bring the notes that a person called into the conversation, history first (design section 6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Invalid
from core.models import AgentKey
from core.redact import redact
from core.text import tokens
from knowledge.models import Knowledge, KnowledgeUse
from knowledge.notes.mentions import Mention, mentions
from memory.selectors.reach import Reach, reach_of_key
from transcripts.inputs import Shown
from transcripts.services.exposures import exposure_record
from transcripts.services.history import history_append


@dataclass(frozen=True)
class Resolved:
    """A note that was called. ``slug`` is what was written; ``replaced_by`` the living note's, when that is another."""

    slug: str
    note: Knowledge
    body: str

    @property
    def replaced_by(self) -> str | None:
        return self.note.slug if self.note.slug != self.slug else None


@dataclass(frozen=True)
class Expanded:
    """``message_id`` names the stored item that holds all of it; None when nothing was called."""

    resolved: tuple[Resolved, ...]
    missing: tuple[str, ...]
    message_id: int | None


@transaction.atomic
def expand(*, agent_key: AgentKey, session: str, text: str, now: datetime) -> Expanded:
    """Resolve every ``#slug`` in what a person wrote; store the bodies in the session's history, then return them.

    Workspace before persona, active notes only; a replaced one leads to the living one. What is not found is stored
    and returned as well. Raises Invalid (``session``), NotFound, Forbidden, Paused.
    """
    if not session:
        raise Invalid(_("Name the session: what the model sees is kept in its history."), field="session")
    called = mentions(text)
    reach = reach_of_key(key=agent_key, references=(), session=session)
    if not called or reach.session is None:
        return Expanded((), (), None)
    notes = _living(reach, called)
    resolved = [
        Resolved(each.slug, notes[each.slug], redact(notes[each.slug].body).text)
        for each in called
        if each.slug in notes
    ]
    missing = [each.slug for each in called if each.slug not in notes and not each.doubtful]
    if not resolved and not missing:
        return Expanded((), (), None)
    stored = history_append(
        agent_key=agent_key, session=reach.session, text=item_text(resolved, missing), now=now
    )
    shown = [Shown("knowledge", str(each.note.pk), each.note.version, each.body) for each in resolved]
    exposure_record(session=reach.session, agent_key=agent_key, path="expansion", items=shown, now=now)
    KnowledgeUse.objects.bulk_create(
        KnowledgeUse(
            knowledge=each.note,
            namespace_id=each.note.namespace_id,
            user=agent_key.user,
            session=reach.session,
            path="slug",
            version=each.note.version,
            tokens=tokens(each.body),
            at=now,
        )
        for each in {each.note.pk: each for each in resolved}.values()
    )
    return Expanded(tuple(resolved), tuple(missing), stored.pk)


def item_text(resolved: list[Resolved], missing: list[str]) -> str:
    """The stored item: English and plain, because it is quoted to models of any language."""
    parts = []
    for each in resolved:
        renamed = f" (replaced by #{each.replaced_by})" if each.replaced_by else ""
        parts.append(f"#{each.slug}{renamed}, version {each.note.version}\n\n{each.body}")
    parts += [f"#{slug}: there is no such note" for slug in missing]
    return "\n\n---\n\n".join(parts)


def _living(reach: Reach, called: list[Mention]) -> Mapping[str, Knowledge]:
    """The active notes that these slugs lead to, by the slug that was written."""
    # The narrower home speaks: a workspace's note hides the persona's of the same name.
    order = {home.pk: home.type != "workspace" for home in reach.namespaces if not home.is_paused}
    rows = Knowledge.objects.filter(namespace__in=order, slug__in=[each.slug for each in called])
    found: dict[str, Knowledge] = {}
    for row in sorted(rows, key=lambda each: order[each.namespace_id]):
        living = successor_of(row)
        if living is not None and living.user_invocable:
            found.setdefault(row.slug, living)
    return found


def successor_of(note: Knowledge) -> Knowledge | None:
    """The active note at the end of the chain; None when that was retired. Chains are short and have no circles."""
    while note.status == "replaced" and note.replaced_by is not None:
        note = note.replaced_by
    return note if note.status == "active" else None
