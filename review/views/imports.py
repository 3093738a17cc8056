"""Upload a transcript: read it, look at the plan, say go. Nothing is stored before that."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import DomainError
from core.nudge import nudge
from review.forms.transcripts import TranscriptForm, TranscriptGoForm, persona_choices
from review.selectors.queue import review_namespaces
from review.views.door import clock, page, person
from transcripts.services.imports import ImportReport, summary, transcript_store
from transcripts.services.imports_hold import transcript_forget, transcript_keep, transcript_kept
from transcripts.services.imports_read import Transcript, transcript_read

SHOWN = 50  # conversations of a plan that are listed; the counts say how many there are


@require_http_methods(["GET", "HEAD", "POST"])
@page
def upload(request: HttpRequest) -> HttpResponse:
    """The form; after it the plan: what would be stored, where, and what cannot be read."""
    user = person(request)
    files = (request.POST, request.FILES) if request.method == "POST" else (None, None)
    form = TranscriptForm(*files, personas=_personas(request))
    if request.method == "POST" and form.is_valid():
        typed, now = form.cleaned_data, clock()
        try:
            found = transcript_read(
                user=user,
                data=typed["file"].read(),
                filename=typed["file"].name or "",
                persona=typed["persona"] or None,
                workspace=typed["workspace"].strip() or None,
                now=now,
                tz=request.COOKIES.get("hikae_tz") or None,
            )
            report = transcript_store(user=user, transcript=found, now=now, dry_run=True)
            token = transcript_keep(user=user, transcript=found) if report.adds_something else ""
        except DomainError as error:
            field = str(error.details.get("field", "")).partition(".")[0]
            form.add_error(field if field in form.fields else None, error.message)
        else:
            return _planned(request, found, report, token)
    return render(request, "sessions/import.html", {"form": form}, status=422 if form.errors else 200)


@require_POST
@page
def upload_go(request: HttpRequest) -> HttpResponse:
    """Do what the plan said. Only closed conversations come this way; they are scanned after the live ones."""
    user = person(request)
    form = TranscriptGoForm(request.POST)
    if not form.is_valid():
        fresh = TranscriptForm(personas=_personas(request))
        return render(request, "sessions/import.html", {"form": fresh}, status=422)
    token = form.cleaned_data["token"]
    report = transcript_store(user=user, transcript=transcript_kept(user=user, token=token), now=clock())
    transcript_forget(user=user, token=token)
    for session_id in report.session_ids:
        nudge("memory.scan_session", str(session_id), queue="extract")
    context = {"report": report, "lines": summary(report), "skipped": report.left_out}
    return render(request, "sessions/imported.html", context)


def _planned(request: HttpRequest, found: Transcript, report: ImportReport, token: str) -> HttpResponse:
    rows = [
        (session, report.homes[session.key], session.key in report.known_keys)
        for session in found.sessions[:SHOWN]
    ]
    context = {
        "found": found,
        "report": report,
        "rows": rows,
        "lines": summary(report),
        "skipped": report.left_out,
        "form": TranscriptGoForm(initial={"token": token}),
    }
    return render(request, "sessions/import_plan.html", context)


def _personas(request: HttpRequest) -> list[tuple[str, str]]:
    user = person(request)
    return persona_choices(review_namespaces(user=user), user.pk)
