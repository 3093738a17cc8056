"""Write, flag, replace, retire and delete notes (design section 6).

Only people call these, on their pages or as operators with a reason: no key's scope does.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core import text
from core.actor import Actor, Decider, account_of
from core.errors import Conflict, Forbidden, Invalid, NotFound, Paused
from core.locks import lock
from core.models import Namespace
from core.nudge import nudge
from core.services import audit
from core.services.transitions import row_for_review, transition
from knowledge.models import Knowledge
from knowledge.notes.fields import Note
from knowledge.services.wording import cleaned
from transcripts.services.exposures import exposure_forget

_RESTORABLE = ("replaced", "retired")


def knowledge_for_review(*, knowledge_id: uuid.UUID, user: Decider) -> Knowledge:
    """The note, if this person may change it. Raises NotFound, Forbidden."""
    return row_for_review(
        rows=Knowledge.objects.all(),
        pk=knowledge_id,
        who=user,
        missing=_("There is no such note."),
        reader=_("Readers of a namespace cannot change notes. Ask an owner for the reviewer role."),
    )


def home_for_review(*, namespace_id: uuid.UUID, user: Decider) -> Namespace:
    """The namespace, if this person may decide there and it is not paused. Raises NotFound, Forbidden, Paused."""
    home = Namespace.objects.reviewable_by(user).filter(pk=namespace_id).first()
    if home is None:
        if Namespace.objects.visible_to(user).filter(pk=namespace_id).exists():
            raise Forbidden(
                _("Readers of a namespace cannot change notes. Ask an owner for the reviewer role.")
            )
        raise NotFound(_("There is no such namespace."), code="namespace_not_found", field="namespace")
    if home.is_paused:
        raise Paused(_("%(name)s is paused: nothing is stored there.") % {"name": home}, field="namespace")
    return home


@transaction.atomic
def knowledge_create(
    *, namespace_id: uuid.UUID, user: Decider, note: Note, now: datetime, group: uuid.UUID | None = None
) -> Knowledge:
    """A new active note. Raises Invalid (every problem; ``slug_taken``), NotFound, Forbidden, Paused."""
    home = home_for_review(namespace_id=namespace_id, user=user)
    return note_insert(home=home, note=note, actor=Actor.of(user), now=now, group=group)


@transaction.atomic
def note_insert(
    *,
    home: Namespace,
    note: Note,
    actor: Actor,
    now: datetime,
    let_in_by: str = "person",
    group: uuid.UUID | None = None,
) -> Knowledge:
    """The row of a new note, for ``knowledge_create`` and for the draft policy, which may not make it resident."""
    if note.model_invocation and not actor.is_person:
        raise Forbidden(_("Only a person decides that every session starts with a note."))
    safe = cleaned(note)
    lock(f"knowledge:{home.pk}")
    _refuse_taken(home.pk, safe.slug)
    created = Knowledge.objects.create(
        namespace=home,
        **_columns(safe),
        last_sources=[{"type": kind, "id": key} for kind, key in safe.sources],
        actor=let_in_by,
        changed_by=actor.label,
        created_at=now,
        changed_at=now,
    )
    audit.record(
        stream=audit.stream_of(home.pk),
        verb="knowledge.created",
        actor=actor,
        object_type="knowledge",
        object_id=created.pk,
        to_state=created.status,
        group=group,
        data=_traces(created),
        now=now,
    )
    ask_for_vectors()
    return created


@transaction.atomic
def knowledge_edit(
    *,
    knowledge_id: uuid.UUID,
    version: int,
    user: Decider,
    note: Note,
    now: datetime,
    group: uuid.UUID | None = None,
) -> Knowledge:
    """Change text and switches of an active note. ``note.sources`` replaces the sources when there are any.

    Raises Invalid (every problem; ``slug_taken``), Conflict (changed meanwhile), NotFound, Forbidden.
    """
    found = knowledge_for_review(knowledge_id=knowledge_id, user=user)
    safe = cleaned(note)
    lock(f"knowledge:{found.namespace_id}")
    if safe.slug != found.slug:
        _refuse_taken(found.namespace_id, safe.slug)
    fields = _columns(safe)
    if safe.sources:
        fields["last_sources"] = [{"type": kind, "id": key} for kind, key in safe.sources]
    _change(found, version, ["active"], "knowledge.edited", user, now, group, fields)
    ask_for_vectors()
    return found


@transaction.atomic
def knowledge_resident(
    *,
    knowledge_id: uuid.UUID,
    version: int,
    user: Decider,
    on: bool,
    now: datetime,
    group: uuid.UUID | None = None,
) -> Knowledge:
    """Put its description before every session, or no longer: the one switch that costs tokens unasked.

    Raises Conflict (changed meanwhile, not active), NotFound, Forbidden.
    """
    found = knowledge_for_review(knowledge_id=knowledge_id, user=user)
    verb = "knowledge.resident_on" if on else "knowledge.resident_off"
    _change(found, version, ["active"], verb, user, now, group, {"model_invocation": on})
    return found


@transaction.atomic
def knowledge_replace(
    *,
    knowledge_id: uuid.UUID,
    version: int,
    user: Decider,
    by_id: uuid.UUID,
    now: datetime,
    group: uuid.UUID | None = None,
) -> Knowledge:
    """Another active note of the namespace takes its place: its slug leads there.

    What this note had replaced itself leads on through it, so no chain is cut, and none can close to a circle: the
    successor is active, and only active notes are replaced. Raises Invalid, Conflict, NotFound, Forbidden.
    """
    found = knowledge_for_review(knowledge_id=knowledge_id, user=user)
    lock(f"knowledge:{found.namespace_id}")
    successor = Knowledge.objects.active().filter(namespace=found.namespace_id, pk=by_id).first()
    if successor is None or successor.pk == found.pk:
        raise Invalid(
            _("Choose another active note of the same namespace."), code="no_successor", field="replaced_by"
        )
    fields = {"status": "replaced", "replaced_by": successor, "model_invocation": False}
    _change(found, version, ["active"], "knowledge.replaced", user, now, group, fields)
    return found


@transaction.atomic
def knowledge_retire(
    *, knowledge_id: uuid.UUID, version: int, user: Decider, now: datetime, group: uuid.UUID | None = None
) -> Knowledge:
    """No longer found, called or put before a session; can be restored."""
    found = knowledge_for_review(knowledge_id=knowledge_id, user=user)
    fields = {"status": "retired", "model_invocation": False}
    _change(found, version, ["active"], "knowledge.retired", user, now, group, fields)
    return found


@transaction.atomic
def knowledge_restore(
    *, knowledge_id: uuid.UUID, version: int, user: Decider, now: datetime, group: uuid.UUID | None = None
) -> Knowledge:
    """Active again; whether every session starts with it is a decision of its own."""
    found = knowledge_for_review(knowledge_id=knowledge_id, user=user)
    fields = {"status": "active", "replaced_by": None}
    _change(found, version, _RESTORABLE, "knowledge.restored", user, now, group, fields)
    ask_for_vectors()
    return found


@transaction.atomic
def knowledge_delete(*, knowledge_id: uuid.UUID, version: int, user: Decider, now: datetime) -> None:
    """Erase it with its history, uses and traces of having been shown. Raises Conflict (``still_leads``)."""
    found = knowledge_for_review(knowledge_id=knowledge_id, user=user)
    lock(f"knowledge:{found.namespace_id}")
    if found.replaces.exists():
        raise Conflict(_("Other notes lead here. Restore or delete those first."), code="still_leads")
    traces = _traces(found)
    deleted, _rows = Knowledge.objects.filter(pk=found.pk, version=version).delete()
    if not deleted:
        found.refresh_from_db()
        raise Conflict(
            _("The note was changed meanwhile. Look at it again."), code="changed", version=found.version
        )
    exposure_forget(record_type="knowledge", record_id=str(knowledge_id))
    audit.record(
        stream=audit.stream_of(found.namespace_id),
        verb="knowledge.deleted",
        actor=Actor.of(user),
        object_type="knowledge",
        object_id=knowledge_id,
        from_state=found.status,
        data=traces,
        now=now,
    )


def sources_set(*, knowledge: Knowledge, sources: Sequence[Mapping[str, Any]]) -> None:
    """What its text was made from, with the proposal's traces of it; inside the transaction that changed the text."""
    Knowledge.objects.filter(pk=knowledge.pk).update(last_sources=list(sources))
    knowledge.last_sources = list(sources)


def ask_for_vectors() -> None:
    """A worker computes them after the commit; until then words alone find the note."""
    nudge("knowledge.index_due", queue="default")


def _change(
    found: Knowledge,
    version: int,
    allowed: Any,
    verb: str,
    user: Decider,
    now: datetime,
    group: uuid.UUID | None,
    fields: dict[str, Any],
) -> None:
    transition(
        found,
        column="status",
        version=version,
        allowed=allowed,
        verb=verb,
        actor=Actor.of(user),
        now=now,
        group=group,
        equal=_("The slug is taken in this namespace."),
        data=lambda: _traces(found),
        fields={**fields, "changed_by": account_of(user).get_username(), "changed_at": now},
    )


def _columns(note: Note) -> dict[str, Any]:
    return {
        "slug": note.slug,
        "title": note.title,
        "description": note.description,
        "body": note.body,
        "language": text.language(f"{note.title}\n{note.body}"),
        "model_invocation": note.model_invocation,
        "user_invocable": note.user_invocable,
    }


def _traces(note: Knowledge) -> dict[str, Any]:
    return {"version": note.version, "sha256": text.sha256(note.body), "resident": note.model_invocation}


def _refuse_taken(namespace_id: uuid.UUID, slug: str) -> None:
    if Knowledge.objects.filter(namespace=namespace_id, slug=slug).exists():
        raise Invalid(_("The slug is taken in this namespace."), code="slug_taken", field="slug")
