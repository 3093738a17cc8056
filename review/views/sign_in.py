"""The way in: a password, or the one-time link that the terminal prints (design section 7)."""

from __future__ import annotations

from django.contrib.auth import login
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from core import throttle
from core.services.sign_in import SIGN_IN_LINK_MINUTES, sign_in_link_use
from review.forms.sign_in import THROTTLED, SignInForm
from review.views.door import clock
from review.views.own import in_own_language

BACKEND = "django.contrib.auth.backends.ModelBackend"


class SignIn(LoginView):
    """User name and password."""

    template_name = "registration/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        answer = super().form_invalid(form)
        if form.has_error(NON_FIELD_ERRORS, THROTTLED):
            answer.status_code = 429
            answer["Retry-After"] = str(throttle.SECONDS)
        return answer

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        return in_own_language(super().form_valid(form), form.get_user())


class SignOut(LogoutView):
    """POST only; ends at the sign-in page."""


def home(request: HttpRequest) -> HttpResponseRedirect:
    """``/``: the work is on the review page."""
    return redirect("review")


@never_cache
@sensitive_variables("token")
@require_http_methods(["GET", "POST"])
def sign_in_link(request: HttpRequest, token: str) -> HttpResponse:
    """GET shows one button, POST uses the link: mail scanners and prefetchers must not burn it."""
    if request.method != "POST":
        return render(request, "registration/sign_in_link.html")
    user = sign_in_link_use(token=token, now=clock())
    if user is None:
        context = {"minutes": SIGN_IN_LINK_MINUTES}
        return render(request, "registration/sign_in_link_used.html", context, status=410)
    login(request, user, backend=BACKEND)
    return in_own_language(redirect("review"), user)
