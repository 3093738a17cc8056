"""The Knowledge pages: the list, one note, one summary, and what a person does with them."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import Conflict, Forbidden, Invalid, Paused
from core.ids import parse_id
from core.markdown import render as markdown
from core.models import Namespace
from core.text import tokens
from knowledge.models import Knowledge
from knowledge.services import notes as services
from knowledge.services.summaries import summary_write
from review.diff import pieces
from review.forms.knowledge import NoteForm, NotesForm, SuccessorForm, SummaryForm
from review.selectors import knowledge as shelf
from review.selectors.memories import member_namespaces
from review.views.door import clock, page, person, say
from review.views.note_usage import facts_of
from review.views.posted import version_of
from review.views.words import somebody_was_faster


@require_safe
@page
def knowledge(request: HttpRequest) -> HttpResponse:
    """Each namespace with its summary, its notes, and what every session there starts with."""
    user = person(request)
    form = NotesForm(request.GET, namespaces=member_namespaces(user=user), user_id=user.pk)
    wanted = form.wanted()
    found = shelf.shelves(user=user, wanted=wanted)
    context = {
        "form": form,
        "filtered": bool(wanted),
        "shelves": found,
        "any_note": any(each.rows or each.summary for each in found),
    }
    return render(request, "knowledge/list.html", context)


@require_safe
@page
def note(request: HttpRequest, knowledge_id: uuid.UUID) -> HttpResponse:
    user = person(request)
    found = shelf.note_for(user=user, knowledge_id=knowledge_id)
    may_change = shelf.may_change(user=user, namespace_id=found.namespace_id)
    context = {
        "note": found,
        "html": _html(found.body),
        **facts_of(found, clock()),
        "sources": [(str(each.get("type", "")), _address(each)) for each in found.last_sources],
        "history": _history(found, "body"),
        "may_change": may_change,
        "successors": shelf.successors_of(found) if may_change and found.status == "active" else [],
        "confusing": shelf.confusing(namespace_id=found.namespace_id, slug=found.slug, but=found.pk),
    }
    return render(request, "knowledge/detail.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@page
def note_new(request: HttpRequest, namespace_id: uuid.UUID) -> HttpResponse:
    user = person(request)
    home = shelf.home_for(user=user, namespace_id=namespace_id)
    _require(shelf.may_change(user=user, namespace_id=home.pk))
    start = beginnings(request, user=user, home=home)
    form = NoteForm(request.POST if request.method == "POST" else None, initial=start)
    if request.method == "POST" and form.is_valid() and "preview" not in request.POST:
        taken = list(Knowledge.objects.filter(namespace=home).values_list("slug", flat=True))
        typed = form.note(taken)
        memory = form.cleaned_data["memory"]
        if memory and shelf.text_of_memory(user=user, namespace=home, memory_id=memory):
            typed = replace(typed, sources=(("memory", str(memory)),))
        if _is_sure(form, typed.slug, home.pk):
            try:
                made = services.knowledge_create(namespace_id=home.pk, user=user, note=typed, now=clock())
            except (Invalid, Paused) as error:
                _explain(form, error)
            else:
                say(request, _("Saved. Agents find it from now on."))
                return redirect("note", knowledge_id=made.pk)
    return _form_page(request, form, {"home": home, "note": None})


@require_http_methods(["GET", "HEAD", "POST"])
@page
def note_edit(request: HttpRequest, knowledge_id: uuid.UUID) -> HttpResponse:
    user = person(request)
    found = shelf.note_for(user=user, knowledge_id=knowledge_id)
    _require(shelf.may_change(user=user, namespace_id=found.namespace_id))
    names = ("title", "slug", "description", "body", "user_invocable", "version")
    initial = {name: getattr(found, name) for name in names}
    form = NoteForm(request.POST if request.method == "POST" else None, initial=initial)
    if request.method == "POST" and form.is_valid() and "preview" not in request.POST:
        # Whether sessions start with it is decided on a page of its own, with its usage in view.
        typed = replace(form.note(), model_invocation=found.model_invocation)
        if typed.slug == found.slug or _is_sure(form, typed.slug, found.namespace_id, but=found.pk):
            try:
                services.knowledge_edit(
                    knowledge_id=found.pk,
                    version=form.cleaned_data["version"],
                    user=user,
                    note=typed,
                    now=clock(),
                )
            except (Invalid, Conflict) as error:
                _explain(form, error)
            else:
                say(request, _("Saved. Agents get the new text from now on."))
                return redirect("note", knowledge_id=found.pk)
    return _form_page(request, form, {"home": found.namespace, "note": found})


@require_POST
@page
def note_retire(request: HttpRequest, knowledge_id: uuid.UUID) -> HttpResponse:
    services.knowledge_retire(
        knowledge_id=knowledge_id, version=version_of(request), user=person(request), now=clock()
    )
    say(request, _("Retired: agents no longer find it. You can restore it here."))
    return redirect("note", knowledge_id=knowledge_id)


@require_POST
@page
def note_restore(request: HttpRequest, knowledge_id: uuid.UUID) -> HttpResponse:
    services.knowledge_restore(
        knowledge_id=knowledge_id, version=version_of(request), user=person(request), now=clock()
    )
    say(request, _("Restored. No session starts with it until you say so."))
    return redirect("note", knowledge_id=knowledge_id)


@require_POST
@page
def note_replace(request: HttpRequest, knowledge_id: uuid.UUID) -> HttpResponse:
    form = SuccessorForm(request.POST)
    if not form.is_valid():
        raise Invalid(_("Choose the note that takes its place."), field="by")
    services.knowledge_replace(
        knowledge_id=knowledge_id,
        version=form.cleaned_data["version"],
        user=person(request),
        by_id=form.cleaned_data["by"],
        now=clock(),
    )
    say(request, _("Replaced: its slug leads to the other note."))
    return redirect("note", knowledge_id=knowledge_id)


@require_http_methods(["GET", "HEAD", "POST"])
@page
def note_delete(request: HttpRequest, knowledge_id: uuid.UUID) -> HttpResponse:
    """Final, so it is asked on a page of its own that says what goes."""
    user = person(request)
    found = shelf.note_for(user=user, knowledge_id=knowledge_id)
    _require(shelf.may_change(user=user, namespace_id=found.namespace_id))
    if request.method == "POST":
        services.knowledge_delete(
            knowledge_id=knowledge_id, version=version_of(request), user=user, now=clock()
        )
        say(request, _("Deleted, with its history."))
        return redirect("knowledge")
    usage = shelf.usage_of([found])[found.pk]
    return render(request, "knowledge/delete.html", {"note": found, "usage": usage})


@require_http_methods(["GET", "HEAD", "POST"])
@page
def summary(request: HttpRequest, namespace_id: uuid.UUID) -> HttpResponse:
    """The summary of a namespace: read it, change it, see how it came to be."""
    user = person(request)
    home = shelf.home_for(user=user, namespace_id=namespace_id)
    found = shelf.summary_of(namespace=home)
    may_change = shelf.may_change(user=user, namespace_id=home.pk)
    initial = {"body": found.body if found else "", "version": found.version if found else 0}
    form = SummaryForm(request.POST if request.method == "POST" else None, initial=initial)
    if request.method == "POST" and form.is_valid() and "preview" not in request.POST:
        try:
            summary_write(
                namespace_id=home.pk,
                version=form.cleaned_data["version"],
                user=user,
                body=form.cleaned_data["body"],
                now=clock(),
            )
        except (Invalid, Conflict, Paused) as error:
            _explain(form, error)
        else:
            say(request, _("Saved. Every session there starts with it from now on."))
            return redirect("summary", namespace_id=home.pk)
    context = {
        "home": home,
        "summary": found,
        "form": form,
        "may_change": may_change,
        "html": _html(found.body) if found else "",
        "preview": _preview(request, form),
        "tokens": tokens(found.body) if found else 0,
        "history": _history(found, "body") if found else [],
    }
    return render(request, "knowledge/summary.html", context, status=422 if form.errors else 200)


def _require(allowed: bool) -> None:
    if not allowed:
        raise Forbidden(_("Readers of a namespace cannot change notes. Ask an owner for the reviewer role."))


def _explain(form: Any, error: Any) -> None:
    problems = error.details.get("problems")
    if problems:
        form.add_problems(problems)
        return
    field = str(error.details.get("field", ""))
    form.add_error(field if field in form.fields else None, somebody_was_faster(error))


def _is_sure(form: NoteForm, slug: str, home: uuid.UUID, *, but: uuid.UUID | None = None) -> bool:
    """Whether the slug is one that nobody takes for another, or was sent again after the warning."""
    near = shelf.confusing(namespace_id=home, slug=slug, but=but)
    if not near or form.cleaned_data["sure"] == slug:
        return True
    typed: Any = form.data
    form.data = {**typed.dict(), "slug": slug, "sure": slug}
    names = ", ".join(f"#{each}" for each in near)
    form.add_error(
        "slug", _("Easily confused with %(slugs)s. Change it, or save again to keep it.") % {"slugs": names}
    )
    return False


def beginnings(request: HttpRequest, *, user: User, home: Namespace) -> dict[str, Any]:
    """What a new note starts with when the report of missing notes led here: a memory's text, or a title."""
    memory = parse_id(request.GET.get("memory", ""))
    text = shelf.text_of_memory(user=user, namespace=home, memory_id=memory) if memory else ""
    return {"body": text, "memory": memory if text else None, "title": request.GET.get("title", "")[:200]}


def _address(source: dict[str, Any]) -> str:
    """Where a source can be read; files may name sources that are no longer, or never were, memories of ours."""
    pk = parse_id(str(source.get("id", ""))) if source.get("type") == "memory" else None
    return reverse("memory", args=[pk]) if pk else ""


def _form_page(request: HttpRequest, form: NoteForm, context: dict[str, Any]) -> HttpResponse:
    context |= {"form": form, "preview": _preview(request, form)}
    return render(request, "knowledge/edit.html", context, status=422 if form.errors else 200)


def _preview(request: HttpRequest, form: Any) -> str:
    return _html(form["body"].value() or "") if "preview" in request.POST else ""


def _html(body: str) -> str:
    return mark_safe(markdown(body))  # noqa: S308 (core.markdown lets no HTML of the author's through)


def _history(row: Any, name: str) -> list[tuple[Any, Any]]:
    """Each former version with what it changed in the one before; the latest first."""
    rows = list(row.history.order_by("-pgh_id")[:30])
    older = [*(getattr(each, name) for each in rows[1:]), None][: len(rows)]
    return [
        (each, pieces(before, getattr(each, name)) if before not in (None, getattr(each, name)) else [])
        for each, before in zip(rows, older, strict=True)
    ]
