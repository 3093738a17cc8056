"""The sign-in forms: of the pages, and of the admin."""

from __future__ import annotations

from typing import Any

from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core import throttle

THROTTLED = "throttled"


class Throttled(AuthenticationForm):
    """Looks at no password after too many tries from one address for one user name."""

    def clean(self) -> dict[str, Any]:
        address = str(self.request.META.get("REMOTE_ADDR", "")) if self.request else ""
        name = str(self.cleaned_data.get("username", ""))
        if not throttle.allowed("sign-in", address, name):
            raise ValidationError(
                gettext(
                    "Too many tries. Wait %(minutes)s minutes; or, on the machine where Hikae runs, "
                    "make a link with manage.py sign_in_link."
                )
                % {"minutes": throttle.SECONDS // 60},
                code=THROTTLED,
            )
        cleaned = super().clean()
        throttle.forget("sign-in", address, name)
        return cleaned


class SignInForm(Throttled):
    """Django's form with a sentence that says what to do next."""

    error_messages = {
        "invalid_login": _("This user name and password do not match. Check the spelling of both."),
        "inactive": _("This account is switched off."),
    }


class AdminSignInForm(Throttled, AdminAuthenticationForm):
    """The admin's own form, counted together with the other."""
