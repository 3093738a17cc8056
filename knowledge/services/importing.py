"""Bring notes and a summary back from files: everything or nothing (design section 6, lessons row 23)."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from core.actor import Actor, Decider
from core.errors import Conflict, Invalid
from core.ids import new_id
from core.locks import lock
from core.services import audit
from knowledge.models import Knowledge, Summary
from knowledge.notes.fields import Note
from knowledge.notes.problems import Problem
from knowledge.notes.tree import Tree, in_order
from knowledge.selectors.imports import IMPORTED
from knowledge.services import notes
from knowledge.services.exporting import sources_of
from knowledge.services.file_wording import problem_said
from knowledge.services.import_plan import Plan, Step, import_plan
from knowledge.services.import_undo import told
from knowledge.services.summaries import summary_write


@dataclass(frozen=True)
class Imported:
    """The plan that was carried out; ``group`` joins its audit events and names it for ``knowledge_import_undo``."""

    plan: Plan
    group: uuid.UUID


@transaction.atomic
def knowledge_import(
    *,
    namespace_id: uuid.UUID,
    user: Decider,
    tree: Tree,
    now: datetime,
    taken: str = "report",
    resident: bool = False,
    seen: str = "",
) -> Imported:
    """Do what ``import_plan`` says, in one transaction and through the services that a person uses by hand.

    ``seen`` is the plan that was agreed to (``Plan.seen``), empty to take it as it is. Raises Invalid
    (``import_refused``, ``details.problems`` names all), Conflict (``changed``), NotFound, Forbidden, Paused.
    """
    home = notes.home_for_review(namespace_id=namespace_id, user=user)
    lock(f"knowledge:{home.pk}")
    plan = import_plan(namespace=home, tree=tree, taken=taken, resident=resident)
    if not plan.is_sound:
        raise Invalid(
            _("Nothing was imported: some files cannot be taken."),
            code="import_refused",
            problems=[problem_json(each) for each in plan.problems],
        )
    if seen and plan.seen != seen:
        raise Conflict(
            _("The namespace was changed meanwhile. Nothing was imported; look at the plan again."),
            code="changed",
        )
    group = new_id()
    was = {step.note.slug: (step.row.version, list(step.row.last_sources)) for step in plan.steps if step.row}
    rows, summary = _write(plan, user, now, group)
    if rows or summary:
        audit.record(
            stream=audit.stream_of(home.pk),
            verb=IMPORTED,
            actor=Actor.of(user),
            object_type="namespace",
            object_id=home.pk,
            group=group,
            data={
                "notes": told(rows, was),
                "summary": {"was": plan.summary_version, "version": summary.version} if summary else None,
            },
            now=now,
        )
    return Imported(plan, group)


def problem_json(problem: Problem) -> dict[str, str]:
    """As errors and the lint command tell it."""
    return {
        "path": problem.path,
        "level": problem.level,
        "code": problem.code,
        "field": problem.field,
        "message": problem_said(problem),
    }


def _write(
    plan: Plan, user: Decider, now: datetime, group: uuid.UUID
) -> tuple[dict[str, Knowledge], Summary | None]:
    """First all texts, as active notes; then who replaces whom: a successor is active when it is named."""
    changed = _touched(plan)
    rows = {slug: _text(plan, step, user, now, group) for slug, step in changed.items()}
    for slug in in_order({slug: step.file for slug, step in changed.items()}):
        file, row = changed[slug].file, rows[slug]
        if file.status == "replaced":
            by = _living(plan, rows, file.replaced_by)
            rows[slug] = notes.knowledge_replace(
                knowledge_id=row.pk, version=row.version, user=user, by_id=by, now=now, group=group
            )
        elif file.status == "retired":
            rows[slug] = notes.knowledge_retire(
                knowledge_id=row.pk, version=row.version, user=user, now=now, group=group
            )
    summary = None
    if plan.summary is not None and plan.summary_act in ("create", "update"):
        summary = summary_write(
            namespace_id=plan.namespace.pk,
            version=plan.summary_version,
            user=user,
            body=plan.summary,
            now=now,
            group=group,
        )
    return rows, summary


def _touched(plan: Plan) -> dict[str, Step]:
    """The steps that write, and what their notes lead to: a note that is replaced itself must be there to be named."""
    steps = {step.note.slug: step for step in plan.steps if step.act != "keep"}
    found = {slug: step for slug, step in steps.items() if step.act != "same"}
    waiting = list(found)
    while waiting:
        slug = steps[waiting.pop()].file.replaced_by
        if slug in steps and slug not in found and steps[slug].file.status != "active":
            found[slug] = steps[slug]
            waiting.append(slug)
    return found


def _text(plan: Plan, step: Step, user: Decider, now: datetime, group: uuid.UUID) -> Knowledge:
    """The row with the file's text and switches, active for now."""
    wanted = step.note
    if step.row is None:
        quiet = replace(wanted, model_invocation=False)
        row = notes.knowledge_create(
            namespace_id=plan.namespace.pk, user=user, note=quiet, now=now, group=group
        )
    else:
        row = step.row
        if row.status != "active":
            row = notes.knowledge_restore(
                knowledge_id=row.pk, version=row.version, user=user, now=now, group=group
            )
        quiet = replace(wanted, model_invocation=row.model_invocation)
        if _differs(row, quiet):
            row = notes.knowledge_edit(
                knowledge_id=row.pk, version=row.version, user=user, note=quiet, now=now, group=group
            )
    if wanted.model_invocation != row.model_invocation:
        row = notes.knowledge_resident(
            knowledge_id=row.pk,
            version=row.version,
            user=user,
            on=wanted.model_invocation,
            now=now,
            group=group,
        )
    return row


def _differs(row: Knowledge, note: Note) -> bool:
    return (row.title, row.description, row.body, row.user_invocable, sources_of(row)) != (
        note.title,
        note.description,
        note.body,
        note.user_invocable,
        note.sources,
    )


def _living(plan: Plan, rows: dict[str, Knowledge], slug: str) -> uuid.UUID:
    if slug in rows:
        return rows[slug].pk
    return Knowledge.objects.get(namespace=plan.namespace, slug=slug).pk
