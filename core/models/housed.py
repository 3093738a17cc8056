"""The words of access for rows that live in a namespace."""

from __future__ import annotations

from typing import Self, TypeVar

from django.db import models

from core.actor import Operator
from core.scope import Scope

Row = TypeVar("Row", bound=models.Model, covariant=True)

DECIDE = ("owner", "reviewer")


class HousedQuerySet(models.QuerySet[Row]):
    """Rows with a ``namespace``: whoever may see or decide there may see or decide about them."""

    def visible_to(self, user: object) -> Self:
        """In namespaces of which the person is a member, in any role."""
        pk = getattr(user, "pk", None)
        return self.filter(namespace__memberships__user_id=pk) if pk else self.none()

    def reviewable_by(self, who: object) -> Self:
        """Where the person may decide. An operator's rights were checked when the operator was made."""
        if isinstance(who, Operator):
            return self.all()
        pk = getattr(who, "pk", None)
        if not pk:
            return self.none()
        return self.filter(namespace__memberships__user_id=pk, namespace__memberships__role__in=DECIDE)

    def in_namespaces(self, scope: Scope) -> Self:
        return self.filter(namespace_id__in=scope.ids)
