"""Claude Code: how to install the plugin, what it brings, and the plugin itself to download."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from integrations.forms_hooks import HookSettingsForm
from integrations.hooks.bundle import bundle
from integrations.selectors.hooks import hook_settings_of, last_event
from integrations.services.hook_settings import hook_settings_set
from review.views.door import clock, page, person, say


@require_http_methods(["GET", "HEAD", "POST"])
@page
def claude_code(request: HttpRequest) -> HttpResponse:
    """The steps of the installation, whether anything has come in yet, and the switches."""
    user = person(request)
    own = hook_settings_of(user=user)
    form = HookSettingsForm(request.POST if request.method == "POST" else None, own=own)
    if request.method == "POST" and form.is_valid():
        hook_settings_set(user=user, wanted=form.cleaned_data, now=clock())
        say(request, _("Saved."))
        return redirect("claude-code")
    context = {"form": form, "base": address(request), "last": last_event(user=user)}
    return render(request, "settings/claude_code.html", context)


@require_safe
def claude_code_zip(request: HttpRequest) -> HttpResponse:
    """For everybody who reaches the server: there is an address in it, and no key."""
    response = HttpResponse(bundle(url=address(request)), content_type="application/zip")
    response["Content-Disposition"] = 'attachment; filename="claude-code.zip"'
    response["Cache-Control"] = "no-cache"
    return response


def address(request: HttpRequest) -> str:
    """Where this server is reached: by the very address by which it was asked just now (hosts are checked)."""
    return request.build_absolute_uri("/").rstrip("/")
