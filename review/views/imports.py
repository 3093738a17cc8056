"""Upload a transcript; the answer says what was stored and which lines could not be read."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from core.errors import DomainError
from review.forms.transcripts import TranscriptForm, persona_choices
from review.selectors.queue import review_namespaces
from review.views.door import clock, page, person
from transcripts.services.imports import summary, transcript_import


@require_http_methods(["GET", "HEAD", "POST"])
@page
def upload(request: HttpRequest) -> HttpResponse:
    """Only closed conversations come this way; they are scanned after the live ones."""
    user = person(request)
    personas = persona_choices(review_namespaces(user=user), user.pk)
    files = (request.POST, request.FILES) if request.method == "POST" else (None, None)
    form = TranscriptForm(*files, personas=personas)
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        try:
            report = transcript_import(
                user=user,
                data=typed["file"].read(),
                filename=typed["file"].name or "",
                persona=typed["persona"] or None,
                workspace=typed["workspace"].strip() or None,
                now=clock(),
                tz=request.COOKIES.get("hikae_tz") or None,
            )
        except DomainError as error:
            field = str(error.details.get("field", "")).partition(".")[0]
            form.add_error(field if field in form.fields else None, error.message)
        else:
            context = {"report": report, "lines": summary(report), "skipped": dict(report.skipped)}
            return render(request, "sessions/imported.html", context)
    return render(request, "sessions/import.html", {"form": form}, status=422 if form.errors else 200)
