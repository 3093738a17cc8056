"""Prompts: which wording serves which namespace, and one prompt to read, change and try (design section 4)."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from core.errors import Conflict, Invalid, NotFound
from core.models import Namespace
from core.selectors.access import namespace_owned
from core.statuses import status_of
from core.text import sha256
from knowledge.services.night.trials import NoteTrial, note_try
from memory.prompts import CURRENT, bundled
from memory.services.prompt_trials import Trial, counts, prompt_try, tokens_left
from memory.services.prompts import override_of, prompt_check, prompt_override, unnamed
from review.diff import Line, lines
from review.forms.prompts import PromptForm
from review.selectors.prompts import change_text, changes_of, drafts_of, prompts_of, turns_of
from review.views.door import clock, page, person, say


@require_safe
@page
def prompts(request: HttpRequest) -> HttpResponse:
    """Every prompt of every namespace that the person owns."""
    context = {"rows": prompts_of(user=person(request)), "counts": counts()}
    return render(request, "settings/prompts.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@page
def prompt(request: HttpRequest, namespace_id: uuid.UUID, name: str) -> HttpResponse:
    """``do``: ``save``, ``bundled`` (back to the bundled text), ``compare``, ``try`` (both change nothing)."""
    user = person(request)
    namespace = namespace_owned(user=user, namespace_id=namespace_id)
    if name not in CURRENT:
        raise NotFound(_("There is no such prompt."))
    standing = override_of(namespace=namespace, name=name)
    own = standing.text if standing else ""
    initial = {"text": _former(request, namespace, name) or own or bundled(name).text, "seen": sha256(own)}
    data = request.POST if request.method == "POST" else None
    form = PromptForm(data, initial=initial, **_past(user, namespace, name))
    context: dict[str, Any] = {"namespace": namespace, "name": name, "standing": standing, "form": form}
    status, draft = 200, str(initial["text"])
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                draft = prompt_check(name=name, text=form.cleaned_data["text"])
                done = _act(request, namespace, name, draft, form, context)
                if done is not None:
                    return done
                status = 200
            except (Invalid, Conflict) as error:
                field = str(error.details.get("field", ""))
                form.add_error(field if field in form.fields else None, error.message)
                status = status_of(error)
                if error.code == "already_changed":  # seen now: pressing Save again is meant
                    form.data = {**request.POST.dict(), "seen": sha256(own)}
    context |= {
        "bundled": bundled(name),
        "changed": lines(bundled(name).text.strip("\n"), draft.strip("\n")) if draft.strip() else [],
        "unnamed": unnamed(name=name, text=draft) if draft.strip() else [],
        "moved_on": standing is not None and standing.based_on != bundled(name).version,
        "history": [
            (each.row, _diff(name, each.before, each.row.text))
            for each in changes_of(namespace=namespace, name=name)
        ],
        "counts": counts(),
        "past": next((form[field] for field in ("turn", "draft") if field in form.fields), None),
        "left": tokens_left(namespace=namespace, now=clock()),
    }
    return render(request, "settings/prompt.html", context, status=status)


def _act(
    request: HttpRequest,
    namespace: Namespace,
    name: str,
    draft: str,
    form: PromptForm,
    context: dict[str, Any],
) -> HttpResponse | None:
    """The answer after a change; None leaves the page as it is, with what was tried in ``context``."""
    do, user, now = request.POST.get("do", ""), person(request), clock()
    if do == "try":
        context["trial"] = _try(user, namespace, name, draft, form, now)
        return None
    if do not in ("save", "bundled"):
        return None
    changed = prompt_override(
        namespace=namespace,
        user=user,
        name=name,
        text=draft if do == "save" else "",
        seen=form.cleaned_data["seen"],
        now=now,
    )
    said = _("Saved.") if do == "save" else _("The bundled text serves again.")
    say(request, said if changed else _("Nothing to change: it reads like this already."))
    return redirect("prompt", namespace_id=namespace.pk, name=name)


def _try(
    user: User, namespace: Namespace, name: str, draft: str, form: PromptForm, now: datetime
) -> Trial | NoteTrial:
    """Of a turn what would be proposed, of a night's draft the note it would give. Raises Invalid without a choice."""
    if name == "consolidate":
        chosen = form.cleaned_data.get("draft")
        if chosen is None and counts():
            raise Invalid(_("Choose a draft to try it on."), field="draft")
        return note_try(namespace=namespace, user=user, text=draft, proposal_id=chosen, now=now)
    turn = form.cleaned_data.get("turn")
    if turn is None and counts():
        raise Invalid(_("Choose a turn to try it on."), field="turn")
    return prompt_try(namespace=namespace, user=user, name=name, text=draft, turn_id=turn or 0, now=now)


def _past(user: User, namespace: Namespace, name: str) -> dict[str, Any]:
    """What the wording can be tried on: nothing where no model is at work."""
    if not counts():
        return {}
    if name == "consolidate":
        return {"drafts": drafts_of(namespace=namespace)}
    return {"turns": turns_of(user=user, namespace=namespace)}


def _former(request: HttpRequest, namespace: Namespace, name: str) -> str:
    """The wording that a link of the history names, to start from."""
    wanted = request.GET.get("from", "")
    if not wanted.isdecimal() or len(wanted) > 18:
        return ""
    return change_text(namespace=namespace, name=name, change_id=int(wanted)) or ""


def _diff(name: str, before: str, after: str) -> list[Line]:
    plain = bundled(name).text
    return lines((before or plain).strip("\n"), (after or plain).strip("\n"))
