"""What an import would do, before it does anything (lessons row 23: a dry run, then one transaction)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from core.errors import Invalid
from core.models import Namespace
from core.redact import redact
from core.text import tokens
from knowledge.models import Knowledge, Summary
from knowledge.notes.fields import Note
from knowledge.notes.files import NoteFile, write
from knowledge.notes.problems import Problem, errors
from knowledge.notes.tree import SUMMARY, Tree, write_tree
from knowledge.services.exporting import file_of
from knowledge.services.wording import cleaned

# What to do with a slug that the namespace uses for another text.
TAKEN = ("report", "update", "keep")


@dataclass(frozen=True)
class Step:
    """One file. ``act``: create, update, same (nothing to do) or keep (the namespace's text stays).

    ``file`` is redacted and says whether sessions start with the note; ``row`` is the namespace's own of that slug.
    """

    path: str
    act: str
    file: NoteFile
    row: Knowledge | None

    @property
    def note(self) -> Note:
        return self.file.note

    @property
    def line_tokens(self) -> int:
        """What its description costs every session, if it is put before them."""
        return tokens(f"#{self.note.slug}: {self.note.description}")


@dataclass
class Plan:
    """``summary`` is the text to write, None for none; ``summary_act`` as a step's, empty without a file of it.

    ``resident``: notes whose files ask to stand before every session. ``seen`` names this plan: an import that was
    agreed to must still be the same one when it happens.
    """

    namespace: Namespace
    steps: list[Step] = field(default_factory=list)
    summary: str | None = None
    summary_act: str = ""
    summary_version: int = 0
    resident: list[Step] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def is_sound(self) -> bool:
        return not errors(self.problems)

    @property
    def does_nothing(self) -> bool:
        return {step.act for step in self.steps} | {self.summary_act} <= {"same", "keep", ""}

    def count(self, act: str) -> int:
        return sum(step.act == act for step in self.steps)

    @property
    def seen(self) -> str:
        told = [(step.act, write(step.file), step.row.version if step.row else 0) for step in self.steps]
        whole = [str(self.namespace.pk), told, self.summary_act, self.summary, self.summary_version]
        return hashlib.sha256(repr(whole).encode()).hexdigest()


def import_plan(*, namespace: Namespace, tree: Tree, taken: str = "report", resident: bool = False) -> Plan:
    """Compare files with the namespace; the caller has checked who may write there. Reads only.

    ``taken`` is one of ``TAKEN``. Without ``resident`` no note is put before sessions, whatever its file says: that is
    a decision of its own. Raises Invalid for another ``taken``.
    """
    if taken not in TAKEN:
        raise Invalid("taken", field="taken", allowed=list(TAKEN))
    plan = Plan(namespace, problems=list(tree.problems))
    rows = {
        row.slug: row for row in Knowledge.objects.filter(namespace=namespace).select_related("replaced_by")
    }
    for path, file in tree.notes.items():
        safe = _safe(file)
        if safe is None:  # what is wrong with it was said when it was read
            continue
        step = _step(path, safe, rows.get(safe.note.slug), taken, resident)
        plan.steps.append(step)
        if file.note.model_invocation and file.status == "active" and step.act != "keep":
            plan.resident.append(step)
        if step.act == "taken" and step.row is not None:
            plan.problems.append(Problem("slug_taken", path, "slug", step.row.title))
    plan.problems += _lost(plan.steps, tree, rows)
    _summary(plan, tree, taken)
    return plan


def _safe(file: NoteFile) -> NoteFile | None:
    try:
        return replace(file, note=cleaned(file.note))
    except Invalid:
        return None


def _step(path: str, file: NoteFile, row: Knowledge | None, taken: str, resident: bool) -> Step:
    """A row keeps standing before sessions if it does: an import takes nothing away that nobody asked about."""
    stands = file.note.model_invocation if resident else bool(row and row.model_invocation)
    stands = stands and file.status == "active"
    file = replace(file, note=replace(file.note, model_invocation=stands))
    if row is None:
        return Step(path, "create", file, None)
    if file == file_of(row):
        return Step(path, "same", file, row)
    return Step(path, {"report": "taken"}.get(taken, taken), file, row)


def _lost(steps: list[Step], tree: Tree, rows: Mapping[str, Knowledge]) -> Iterator[Problem]:
    """Successors that are neither among the files nor active in the namespace."""
    coming = set(tree.by_slug()) - {step.note.slug for step in steps if step.act == "keep"}
    for step in steps:
        slug = step.file.replaced_by
        there = rows.get(slug)
        if slug and slug not in coming and (there is None or there.status != "active"):
            yield Problem("no_successor", step.path, "replaced_by", slug)


def _summary(plan: Plan, tree: Tree, taken: str) -> None:
    if tree.summary is None:
        return
    there = Summary.objects.filter(namespace=plan.namespace).first()
    plan.summary = redact(tree.summary).text
    plan.summary_version = there.version if there else 0
    if there is None or not there.body:
        plan.summary_act = "create" if plan.summary else "same"
    elif there.body == plan.summary:
        plan.summary_act = "same"
    else:
        plan.summary_act = taken
        if taken == "report":
            plan.problems.append(Problem("summary_there", SUMMARY))


def safe_files(tree: Tree) -> list[tuple[str, bytes]]:
    """The same files once more, redacted and in their own spelling, for keeping them until somebody agrees."""
    notes = [safe for file in tree.notes.values() if (safe := _safe(file)) is not None]
    return list(write_tree(notes, redact(tree.summary or "").text))
