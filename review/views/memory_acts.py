"""Edit, retire, restore, delete a memory: each one service, each named with the version that was seen."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import Conflict, Forbidden, Invalid
from memory.models import Memory
from memory.selectors.memories import short_forms_offered
from memory.services import memories as gate
from review.forms.texts import ApprovedForm, RetireForm
from review.selectors import memories as approved
from review.services import acts
from review.views.door import clock, page, person, say
from review.views.posted import version_of
from review.views.words import done_sentence, somebody_was_faster


def _for_change(request: HttpRequest, memory_id: uuid.UUID) -> Memory:
    user = person(request)
    found = approved.memory_for(user=user, memory_id=memory_id)
    if not approved.may_change(user=user, memory=found):
        raise Forbidden(
            _("Readers of a namespace cannot change memories. Ask an owner for the reviewer role.")
        )
    return found


@require_http_methods(["GET", "HEAD", "POST"])
@page
def edit(request: HttpRequest, memory_id: uuid.UUID) -> HttpResponse:
    """Text, kind and short forms; agents recall by the new ones at once, the former stay in the history."""
    found = _for_change(request, memory_id)
    initial = {"content": found.content, "kind": found.kind, "version": found.version}
    form = ApprovedForm(
        request.POST if request.method == "POST" else None,
        initial=initial | {"aliases": ", ".join(found.aliases)},
        offered=short_forms_offered(found),
    )
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        try:
            gate.memory_edit(
                memory_id=memory_id,
                version=typed["version"],
                user=person(request),
                content=typed["content"],
                kind=typed["kind"],
                aliases=form.short_forms() if "aliases" in request.POST else None,
                now=clock(),
            )
        except (Invalid, Conflict) as error:
            field = str(error.details.get("field", ""))
            form.add_error(field if field in form.fields else None, somebody_was_faster(error))
        else:
            say(request, _("Saved. Agents recall the new text from now on."))
            return redirect("memory", memory_id=memory_id)
    return render(
        request, "memories/edit.html", {"memory": found, "form": form}, status=422 if form.errors else 200
    )


@require_POST
@page
def retire(request: HttpRequest, memory_id: uuid.UUID) -> HttpResponse:
    """Out of recall, undoably: it was wrong, or it is no longer true."""
    form = RetireForm(request.POST)
    if not form.is_valid():
        raise Invalid(
            _("Say whether it was wrong or is no longer true."), field="reason", allowed=["wrong", "outdated"]
        )
    item = acts.ItemRef(memory_id, form.cleaned_data["version"])
    result = acts.act_retire(
        user=person(request), items=[item], reason=form.cleaned_data["reason"], now=clock()
    )
    if result.act is None:
        raise result.changed[memory_id]
    say(request, done_sentence(result.act), act=result.act.pk)
    return redirect("memory", memory_id=memory_id)


@require_POST
@page
def restore(request: HttpRequest, memory_id: uuid.UUID) -> HttpResponse:
    gate.memory_restore(memory_id=memory_id, version=version_of(request), user=person(request), now=clock())
    say(request, _("Restored: agents recall it again."))
    return redirect("memory", memory_id=memory_id)


@require_http_methods(["GET", "HEAD", "POST"])
@page
def delete(request: HttpRequest, memory_id: uuid.UUID) -> HttpResponse:
    """A page says what will be erased; only its button deletes. There is no undo."""
    found = _for_change(request, memory_id)
    if request.method != "POST":
        return render(request, "memories/delete.html", {"memory": found})
    gate.memory_delete(memory_id=memory_id, version=version_of(request), user=person(request), now=clock())
    say(request, _("Deleted for good. The audit trail keeps its id, not its text."))
    return redirect("memories")
