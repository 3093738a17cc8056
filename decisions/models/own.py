"""What belongs to one person. Rows of this room never belong to a namespace's members (design section 5)."""

from __future__ import annotations

from typing import Self, TypeVar

from django.db import models

Row = TypeVar("Row", bound=models.Model)


class OwnQuerySet(models.QuerySet[Row]):
    """No query of this room mixes persons: each one starts here."""

    def visible_to(self, user: object) -> Self:
        """The person's own, in shared workspaces too. A stranger, and nobody, get nothing."""
        pk = getattr(user, "pk", None)
        return self.filter(user_id=pk) if pk else self.none()
