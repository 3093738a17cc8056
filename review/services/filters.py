"""Save and drop a person's filters (review-ux line 24)."""

from __future__ import annotations

import uuid
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from core.allowed import characters
from core.errors import Conflict, Invalid, NotFound
from core.locks import lock
from review.models import SavedFilter
from review.selectors.wanted import parse, spell

MOST = 20  # each costs a count on every look at the queue
MAX_NAME = 60


@transaction.atomic
def saved_filter_save(*, user: User, name: str, query: str, now: datetime) -> SavedFilter:
    """Keep a filter under a name; the same name again replaces its filter. Raises Invalid, Conflict (``too_many``)."""
    name = _name(name)
    wanted = parse(query)
    if not wanted:
        raise Invalid(_("This filter narrows nothing; choose something first."), field="query")
    lock(f"filters:{user.pk}")
    own = SavedFilter.objects.visible_to(user)
    found = own.filter(name=name).first()
    if found is not None:
        found.query = spell(wanted)
        found.save(update_fields=["query"])
        return found
    count = own.count()
    if count >= MOST:
        raise Conflict(
            _("You have %(most)s saved filters; drop one first.") % {"most": MOST}, code="too_many"
        )
    return SavedFilter.objects.create(
        user=user, name=name, query=spell(wanted), position=count, created_at=now
    )


@transaction.atomic
def saved_filter_delete(*, user: User, filter_id: uuid.UUID) -> None:
    """Raises NotFound for a foreign or missing one."""
    _own(user, filter_id).delete()


def _own(user: User, filter_id: uuid.UUID) -> SavedFilter:
    found = SavedFilter.objects.visible_to(user).filter(pk=filter_id).first()
    if found is None:
        raise NotFound(_("There is no such filter."))
    return found


def _name(raw: str) -> str:
    name = " ".join(raw.split())
    if not 1 <= len(name) <= MAX_NAME:
        raise Invalid(
            _("A filter needs a name of 1 to %(most)s characters.") % {"most": MAX_NAME},
            field="name",
            allowed=characters(1, MAX_NAME),
        )
    return name
