"""Bearer agent keys: identity comes from the key alone (design section 7)."""

from __future__ import annotations

from typing import Any, cast

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from core.models import AgentKey
from core.services.keys import agent_key_authenticate


class AgentKeyAuthentication(BaseAuthentication):
    """``Authorization: Bearer hik_…``."""

    def authenticate(self, request: Request) -> tuple[User, AgentKey] | None:
        scheme, _space, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not secret.strip():
            return None
        found = agent_key_authenticate(secret=secret.strip(), now=timezone.now())
        if isinstance(found, str):
            raise exceptions.AuthenticationFailed(why_refused(found), code=f"key_{found}")
        return found.user, found

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="hikae"'


def why_refused(reason: str) -> str:
    """What a person is told of a key that ``agent_key_authenticate`` refused."""
    reasons = {
        "unknown": _("This agent key is not known."),
        "revoked": _("This agent key was revoked. Make a new one in Settings → Agent keys."),
        "expired": _("This agent key has expired. Rotate it in Settings → Agent keys."),
    }
    return reasons[reason]


class HasScope(BasePermission):
    """Each view names its ``scope``; a view without one is refused, so that none can be forgotten.

    ``scope = "any"`` means any valid key.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        if not isinstance(request.auth, AgentKey):
            return False
        scope = getattr(view, "scope", None)
        if scope == "any" or (scope and request.auth.has_scope(scope)):
            return True
        raise exceptions.PermissionDenied(
            _("This key lacks the scope %(scope)s.") % {"scope": scope}, code="missing_scope"
        )


def key_of(request: Request) -> AgentKey:
    """The authenticated key; permissions ran before, so there is one."""
    return cast(AgentKey, request.auth)


class AgentKeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the OpenAPI document names the credential."""

    target_class = "core.api.auth.AgentKeyAuthentication"
    name = "agentKey"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "bearerFormat": "hik_<prefix>_<secret>"}
