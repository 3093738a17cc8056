"""What a person sets for themselves: language, colours, keys, reminders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.conf import settings as django_settings
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views import i18n
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import Invalid
from review.forms.own import KeysForm, LookForm, ReminderForm
from review.keys import effective
from review.models import PersonSettings
from review.selectors.person import settings_of, webhook_secret
from review.services.digest import digest_test
from review.services.person import SettingsIn, person_settings_set
from review.views.door import OWN_ZONE_COOKIE, clock, page, person, say, warn


@require_http_methods(["GET", "HEAD", "POST"])
@page
def own(request: HttpRequest) -> HttpResponse:
    """Three forms on one page; ``part`` says which one was sent."""
    user = person(request)
    stored, part = settings_of(user=user), request.POST.get("part", "")
    initial = {name: getattr(stored, name) for name in ("language", "theme", "time_zone", "keys_off")}
    initial |= {name: getattr(stored, name) for name in ("digest", "digest_email", "digest_webhook")}
    initial |= effective(stored.key_map)
    bound: dict[str, Any] = {
        name: kind(request.POST if part == name else None, initial=initial, auto_id=f"{name}-%s")
        for name, kind in (("look", LookForm), ("keys", KeysForm), ("reminder", ReminderForm))
    }
    sent = bound.get(part)
    if sent is not None and sent.is_valid() and (done := _store(request, part, sent)) is not None:
        return done
    names = ("look_form", "keys_form", "reminder_form")
    context = dict(zip(names, bound.values(), strict=True))
    context |= {"stored": stored, "secret": webhook_secret(stored)}
    context["mail_is_set"] = django_settings.EMAIL_IS_SET
    return render(request, "settings/own.html", context)


def _store(request: HttpRequest, part: str, form: forms.Form) -> HttpResponse | None:
    """None when the service refuses; the form says why."""
    if isinstance(form, KeysForm):
        changes = SettingsIn(keys_off=form.cleaned_data["keys_off"], key_map=form.key_map)
    else:
        changes = SettingsIn(**form.cleaned_data)
    try:
        stored = person_settings_set(user=person(request), changes=changes, now=clock())
    except Invalid as error:
        field = str(error.details.get("field", ""))
        actions = error.details.get("actions")
        names: Sequence[Any] = actions if isinstance(actions, list) else [field]
        for name in names:
            form.add_error(str(name) if name in form.fields else None, error.message)
        return None
    if part == "look" and stored.language:
        translation.activate(stored.language)  # the sentence below is already in the new language
    say(request, _("Saved."))
    return in_own_language(redirect("settings-person"), person(request))


@require_POST
@page
def reminder_test(request: HttpRequest) -> HttpResponse:
    """Send one now and say how each channel went."""
    sent = digest_test(user=person(request), now=clock())
    names = {"email": _("E-mail"), "webhook": _("Webhook")}
    said = [
        _("%(channel)s: %(error)s") % {"channel": names[name], "error": error}
        if error
        else _("%(channel)s: delivered.") % {"channel": names[name]}
        for name, error in sent.errors.items()
    ]
    (say if sent.ok else warn)(request, " ".join(said))
    return redirect("settings-person")


def set_language(request: HttpRequest) -> HttpResponse:
    """Django's switch, and it stays with the person on other machines."""
    wanted, user = request.POST.get("language", ""), request.user
    if request.method == "POST" and user.is_authenticated and wanted in dict(django_settings.LANGUAGES):
        person_settings_set(user=person(request), changes=SettingsIn(language=wanted), now=clock())
    return i18n.set_language(request)


def in_own_language(response: HttpResponse, user: AbstractBaseUser) -> HttpResponse:
    """The person's language and zone as the cookies that every page reads; what is not set the browser decides."""
    stored = PersonSettings.objects.filter(user_id=user.pk).values_list("language", "time_zone").first()
    language, zone = stored or ("", "")
    if language:
        response.set_cookie(
            django_settings.LANGUAGE_COOKIE_NAME,
            language,
            max_age=django_settings.LANGUAGE_COOKIE_AGE,
            samesite="Lax",
        )
    if zone:
        response.set_cookie(
            OWN_ZONE_COOKIE, zone, max_age=django_settings.LANGUAGE_COOKIE_AGE, samesite="Lax", httponly=True
        )
    else:
        response.delete_cookie(OWN_ZONE_COOKIE, samesite="Lax")
    return response
