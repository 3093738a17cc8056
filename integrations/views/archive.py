"""Take a namespace along as one file, or as MEMORY.md; bring an archive back (Settings → Data)."""

from __future__ import annotations

import tempfile
import uuid

from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from core import throttle
from core.actor import Actor
from core.errors import Busy, DomainError
from integrations.forms import BackForm, BringForm, choices_of
from integrations.services.archive_export import archive_export, memory_file_render
from integrations.services.archive_restore import archive_restore
from review.exporting import file_name
from review.selectors.queue import review_namespaces
from review.views.door import clock, page, person

SPOOLED = 8 * 1024 * 1024  # bytes; a larger archive waits on the disk while it is sent


@require_POST
@page
def take(request: HttpRequest, namespace_id: uuid.UUID) -> HttpResponse:
    """Everything of one namespace. A POST: it is written down, and no other site can ask for it."""
    user = person(request)
    if not throttle.allowed("archive", str(user.pk)):
        raise Busy(_("You have taken your data many times just now. Try again in a quarter of an hour."))
    target = tempfile.SpooledTemporaryFile(max_size=SPOOLED)  # noqa: SIM115 - the response closes it
    made = archive_export(
        namespace_id=namespace_id, user=user, target=target, actor=Actor.person(user), now=clock()
    )
    target.seek(0)
    name = f"hikae-{file_name(str(made.namespace))}-{clock():%Y-%m-%d}.zip"
    response = FileResponse(target, as_attachment=True, filename=name, content_type="application/zip")
    response["Cache-Control"] = "no-store"
    return response  # type: ignore[return-value]


@require_POST
@page
def memory_file(request: HttpRequest, namespace_id: uuid.UUID) -> HttpResponse:
    """MEMORY.md for agents without a connection."""
    body = memory_file_render(namespace_id=namespace_id, user=person(request))
    response = HttpResponse(body, content_type="text/markdown; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="MEMORY.md"'
    response["Cache-Control"] = "no-store"
    return response


@require_POST
@page
def back(request: HttpRequest) -> HttpResponse:
    """An archive becomes a namespace again, all of it or nothing."""
    user = person(request)
    form = BackForm(request.POST, request.FILES)
    if form.is_valid():
        given = form.cleaned_data
        try:
            report = archive_restore(
                user=user,
                source=given["file"].file,
                actor=Actor.person(user),
                reference=given["reference"].strip(),
                dry_run=given["dry_run"],
                now=clock(),
            )
        except DomainError as error:
            field = {"namespace": "reference"}.get(str(error.details.get("field")), "file")
            form.add_error(field, error.message)
        else:
            status = 422 if report.problems else 200
            return render(request, "settings/restored.html", {"report": report}, status=status)
    spaces = choices_of(review_namespaces(user=user), user.pk)
    context = {"form": BringForm(namespaces=spaces), "back_form": form}
    return render(request, "settings/bring.html", context, status=422)
