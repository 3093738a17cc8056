"""Notes as files: take a namespace's along, and bring files in after looking at what they would change."""

from __future__ import annotations

import base64
import uuid
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import Conflict, Forbidden, Invalid, NotFound
from core.ids import parse_id
from core.models import Namespace
from core.text import tokens
from knowledge.notes.packing import zipped
from knowledge.notes.tree import Tree
from knowledge.selectors.imports import imports_of
from knowledge.services.exporting import knowledge_export
from knowledge.services.file_wording import problem_said
from knowledge.services.import_plan import Plan, import_plan, safe_files
from knowledge.services.import_undo import knowledge_import_undo
from knowledge.services.importing import Imported, knowledge_import
from review.diff import pieces
from review.exporting import file_name
from review.forms.note_files import NoteFilesForm
from review.selectors import knowledge as shelf
from review.selectors.note_usage import resident_cost, sessions_lately
from review.views.door import clock, page, person, say

# Equal notes make equal archives, whenever they are taken along; a zip knows no earlier moment.
ALWAYS = datetime(1980, 1, 1, tzinfo=UTC)


@require_http_methods(["GET", "HEAD", "POST"])
@page
def files(request: HttpRequest, namespace_id: uuid.UUID) -> HttpResponse:
    """Choose files, look at the plan, agree to it. Until then nothing is stored: the files travel in the form."""
    user = person(request)
    home = shelf.home_for(user=user, namespace_id=namespace_id)
    may_change = shelf.may_change(user=user, namespace_id=home.pk)
    context: dict[str, Any] = {"home": home, "may_change": may_change, "imports": imports_of(namespace=home)}
    if request.method != "POST":
        return render(request, "knowledge/files.html", context | {"form": NoteFilesForm()})
    if not may_change:
        raise Forbidden(_("Readers of a namespace cannot change notes. Ask an owner for the reviewer role."))
    form = NoteFilesForm(request.POST, request.FILES)
    if not form.is_valid():
        return render(request, "knowledge/files.html", context | {"form": form}, status=422)
    tree = form.tree()
    how = {"taken": form.cleaned_data["taken"], "resident": form.cleaned_data["resident"]}
    late = ""
    if "import" in request.POST and not form.cleaned_data["upload"]:
        try:
            done = knowledge_import(
                namespace_id=home.pk, user=user, tree=tree, now=clock(), seen=form.cleaned_data["seen"], **how
            )
        except Conflict as error:
            late = error.message
        except Invalid:
            late = ""  # the plan below names every problem
        else:
            say(request, _told(done))
            return redirect("note-files", home.pk)
    plan = import_plan(namespace=home, tree=tree, **how)
    context |= {"form": form, "late": late} | _shown(plan, tree, home)
    return render(
        request, "knowledge/files_plan.html", context, status=422 if late or not plan.is_sound else 200
    )


@require_POST
@page
def undo(request: HttpRequest, namespace_id: uuid.UUID) -> HttpResponse:
    """Take a whole import back."""
    user = person(request)
    home = shelf.home_for(user=user, namespace_id=namespace_id)
    group = parse_id(request.POST.get("import", ""))
    if group is None:
        raise NotFound(_("There is no such import."))
    taken = knowledge_import_undo(namespace_id=home.pk, group=group, user=user, now=clock())
    said = _("The import is taken back.")
    if taken.kept:
        kept = _(", ").join(f"#{slug}" if slug != "summary" else _("summary") for slug in taken.kept)
        said = _("Taken back, but for what was changed since: %(kept)s.") % {"kept": kept}
    say(request, said)
    return redirect("note-files", home.pk)


@require_safe
@page
def archive(request: HttpRequest, namespace_id: uuid.UUID) -> HttpResponse:
    """The namespace's notes and summary as one zip, for any member."""
    user = person(request)
    home = shelf.home_for(user=user, namespace_id=namespace_id)
    data = zipped(knowledge_export(namespace=home), at=ALWAYS)
    response = HttpResponse(data, content_type="application/zip")
    # ASCII alone: browsers disagree about other letters in this header.
    name = file_name(home.name).encode("ascii", "ignore").decode() or "namespace"
    day = timezone.localtime(clock()).strftime("%Y-%m-%d")
    response["Content-Disposition"] = f'attachment; filename="knowledge-{name}-{day}.zip"'
    response["Cache-Control"] = "no-store"
    return response


def _shown(plan: Plan, tree: Tree, home: Namespace) -> dict[str, Any]:
    """Rows with what they change, every problem in words, and what becoming resident would cost."""
    now = clock()
    summary = shelf.summary_of(namespace=home)
    return {
        "plan": plan,
        "packed": base64.b64encode(zipped(safe_files(tree), at=ALWAYS)).decode() if tree.is_sound else "",
        "rows": [
            (step, pieces(step.row.body, step.note.body) if step.row and step.act == "update" else [])
            for step in plan.steps
        ],
        "summary_pieces": pieces(summary.body, plan.summary or "")
        if summary and plan.summary_act == "update"
        else [],
        "summary_tokens": tokens(plan.summary or ""),
        "problems": [(each, problem_said(each)) for each in plan.problems if each.is_error],
        "remarks": [(each, problem_said(each)) for each in plan.problems if not each.is_error],
        "line_cost": sum(step.line_tokens for step in plan.resident),
        "cost_now": resident_cost(namespace=home),
        "sessions": sessions_lately(namespace_id=home.pk, now=now),
    }


def _told(done: Imported) -> str:
    plan = done.plan
    made, changed = plan.count("create"), plan.count("update")
    told = [
        ngettext("%(n)s note is new", "%(n)s notes are new", made) % {"n": made} if made else "",
        ngettext("%(n)s note has another text", "%(n)s notes have another text", changed) % {"n": changed}
        if changed
        else "",
        _("the summary is written") if plan.summary_act in ("create", "update") else "",
    ]
    return _("Imported: %(what)s.") % {"what": _(", ").join(filter(None, told)) or _("nothing was different")}
