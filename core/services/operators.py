"""Who may repair data in the admin (design section 7: "data fixes ... go through the services, with a reason")."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from core.actor import Operator
from core.allowed import characters
from core.errors import Forbidden, Invalid

MAX_REASON = 200  # characters; the audit trail keeps them for ever


def operator_for(*, user: User, permission: str, reason: str) -> Operator:
    """The operator that this account may be, for one act and with its reason.

    ``permission`` is Django's, such as ``memory.change_candidate``; superusers have all. Raises Forbidden, Invalid
    (``reason``).
    """
    if not (user.is_active and user.is_staff and user.has_perm(permission)):
        raise Forbidden(_("Your account may not repair this."))
    said = " ".join(reason.split())
    if not 1 <= len(said) <= MAX_REASON:
        raise Invalid(
            _("Say in a few words why: the audit trail keeps it."),
            field="reason",
            allowed=characters(1, MAX_REASON),
        )
    return Operator(user, said)
