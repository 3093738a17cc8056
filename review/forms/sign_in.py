"""The sign-in form."""

from __future__ import annotations

from django.contrib.auth.forms import AuthenticationForm
from django.utils.translation import gettext_lazy as _


class SignInForm(AuthenticationForm):
    """Django's form with a sentence that says what to do next."""

    error_messages = {
        "invalid_login": _("This user name and password do not match. Check the spelling of both."),
        "inactive": _("This account is switched off."),
    }
