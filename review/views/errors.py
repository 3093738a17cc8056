"""Error pages that keep the frame and say what to do."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form was older than the session: nothing was done; reload and try again."""
    return render(request, "errors/csrf.html", status=403)
