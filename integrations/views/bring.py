"""Bring memories from elsewhere: choose files, read the plan, say go (Settings → Data → Bring memories)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import DomainError
from core.nudge import nudge
from integrations.forms import NAMES, BackForm, BringForm, GoForm, choices_of
from integrations.importers.base import FileIn
from integrations.services.bring import bring_apply, bring_plan
from integrations.services.bring_hold import bring_forget, bring_keep, bring_kept
from integrations.services.bring_judge import VERDICTS, Plan
from integrations.services.bring_read import bring_read
from review.selectors.queue import review_namespaces
from review.views.door import clock, page, person

SHOWN = 100  # entries of each list; the counts say how many there are


@require_http_methods(["GET", "HEAD", "POST"])
@page
def bring(request: HttpRequest) -> HttpResponse:
    """The form; after it the plan, which stores nothing."""
    user = person(request)
    spaces = choices_of(review_namespaces(user=user), user.pk)
    files = (request.POST, request.FILES) if request.method == "POST" else (None, None)
    form = BringForm(*files, namespaces=spaces)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            held = [FileIn(each.name or "file", each.read()) for each in given["upload"]]
            found = bring_read(files=held, format=given["format"])
            plan = bring_plan(user=user, namespace_id=given["namespace"], found=found, now=clock())
            token = "" if plan.is_empty else bring_keep(user=user, found=plan.found)
        except DomainError as error:
            field = {"files": "upload"}.get(str(error.details.get("field")), "namespace")
            form.add_error(field if field in form.fields else None, error.message)
        else:
            return _planned(request, plan, token)
    context = {"form": form, "back_form": BackForm()}
    return render(request, "settings/bring.html", context, status=422 if form.errors else 200)


@require_POST
@page
def go(request: HttpRequest) -> HttpResponse:
    """Do what the plan said, in one transaction."""
    user = person(request)
    form = GoForm(request.POST)
    if not form.is_valid():
        spaces = choices_of(review_namespaces(user=user), user.pk)
        fresh = BringForm(namespaces=spaces)
        return render(request, "settings/bring.html", {"form": fresh, "back_form": BackForm()}, status=422)
    given = form.cleaned_data
    brought = bring_apply(
        user=user,
        namespace_id=given["namespace"],
        found=bring_kept(user=user, token=given["token"]),
        reviewed=given["reviewed"],
        now=clock(),
    )
    bring_forget(user=user, token=given["token"])
    if brought.conversations is not None:
        for session_id in brought.conversations.session_ids:
            nudge("memory.scan_session", str(session_id), queue="extract")
    return render(request, "settings/brought.html", {"brought": brought, "plan": brought.plan})


def _planned(request: HttpRequest, plan: Plan, token: str) -> HttpResponse:
    rows = {name: [row for row in plan.rows if row.verdict == name] for name in VERDICTS}
    context = {
        "plan": plan,
        "format": NAMES[plan.found.format],
        "new": rows["new"][:SHOWN],
        "left": [(name, rows[name][:SHOWN], len(rows[name])) for name in VERDICTS[1:] if rows[name]],
        "problems": plan.found.problems[:SHOWN],
        "unsupported": sorted(item for item in plan.found.unsupported.items() if item[1]),
        "form": GoForm(initial={"token": token, "namespace": plan.namespace.pk}),
    }
    return render(request, "settings/bring_plan.html", context)
