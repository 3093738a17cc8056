"""Where memories live: personas and workspaces."""

from __future__ import annotations

import re
import uuid
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.actor import Operator
from core.ids import new_id
from core.models.housed import DECIDE
from core.scope import Scope

if TYPE_CHECKING:
    from core.models.agent_key import AgentKey

NAME = re.compile(r"[\w.\-]{1,200}")


def validate_name(name: str) -> None:
    """1-200 letters of any script, digits, ``.``, ``_`` or ``-`` (design section 2)."""
    if not NAME.fullmatch(name):
        raise ValidationError(
            _("Use 1 to 200 letters, digits, dots, hyphens or underscores, without spaces.")
        )


class NamespaceQuerySet(models.QuerySet["Namespace"]):
    """The words of access; they narrow and never write."""

    def visible_to(self, user: Any) -> NamespaceQuerySet:
        """Where the person is a member, in any role."""
        if not getattr(user, "pk", None):
            return self.none()
        return self.filter(memberships__user=user)

    def with_role(self, user: Any, *roles: str) -> NamespaceQuerySet:
        if not getattr(user, "pk", None):
            return self.none()
        return self.filter(memberships__user=user, memberships__role__in=roles)

    def reviewable_by(self, user: Any) -> NamespaceQuerySet:
        """Where the person may decide about candidates and memories; an operator everywhere."""
        if isinstance(user, Operator):
            return self.all()
        return self.with_role(user, *DECIDE)

    def owned_by(self, user: Any) -> NamespaceQuerySet:
        """Where the person may change policy, prompts, members and keys."""
        return self.with_role(user, "owner")

    def reachable_by(self, key: AgentKey) -> NamespaceQuerySet:
        """What an agent key reaches: never more than its person, and less when it has a list."""
        reachable = self.visible_to(key.user)
        if key.reach == "list":
            reachable = reachable.filter(keys=key)
        return reachable

    def scope(self) -> Scope:
        return Scope.of(self.values_list("pk", flat=True))


class Namespace(models.Model):
    """``persona:<name>`` or ``workspace:<name>``, owned by one user, shared through memberships.

    Two users may both own ``workspace:api``; the two never mix (design section 2).
    """

    PERSONA = "persona"
    WORKSPACE = "workspace"
    TYPES = [(PERSONA, _("persona")), (WORKSPACE, _("workspace"))]

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="namespaces", db_index=False
    )
    type = models.CharField(_("type"), max_length=9, choices=TYPES)
    name = models.CharField(_("name"), max_length=200, validators=[validate_name])
    paused_at = models.DateTimeField(_("paused since"), null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = NamespaceQuerySet.as_manager()

    if TYPE_CHECKING:
        owner_id: int

    class Meta:
        verbose_name = _("namespace")
        verbose_name_plural = _("namespaces")
        ordering = ["type", "name", "owner_id"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "type", "name"], name="core_namespace_owner_type_name"),
            models.CheckConstraint(
                condition=models.Q(type__in=["persona", "workspace"]), name="core_namespace_type"
            ),
            models.CheckConstraint(
                condition=models.Q(name__regex=r"^[^\s/:]{1,200}$"), name="core_namespace_name_shape"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.type}:{self.name}"

    @property
    def is_paused(self) -> bool:
        return self.paused_at is not None

    def reference_for(self, user_id: int, owner_name: str) -> str:
        """How this person writes the namespace: another's is ``workspace:<owner>/x``."""
        if self.owner_id == user_id:
            return str(self)
        return f"{self.type}:{owner_name}/{self.name}"


class Fingerprint(models.Model):
    """How a workspace is recognised: ``r:`` by its git remote, ``d:`` by its folder (design section 2).

    An ``r:`` value names one workspace of a person. A ``d:`` value may name several: a folder whose remote
    changed is a new workspace that the page offers to link.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    namespace = models.ForeignKey(
        Namespace, on_delete=models.CASCADE, related_name="fingerprints", db_index=False
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    value = models.CharField(max_length=80)
    created_at = models.DateTimeField(auto_now_add=True)

    if TYPE_CHECKING:
        namespace_id: uuid.UUID

    class Meta:
        verbose_name = _("fingerprint")
        verbose_name_plural = _("fingerprints")
        constraints = [
            models.UniqueConstraint(fields=["namespace", "value"], name="core_fingerprint_once_a_namespace"),
            models.UniqueConstraint(
                fields=["owner", "value"],
                condition=models.Q(value__startswith="r:"),
                name="core_fingerprint_remote_once_an_owner",
            ),
            models.CheckConstraint(
                condition=models.Q(value__regex=r"^[rd]:[0-9a-zA-Z]{8,78}$"), name="core_fingerprint_shape"
            ),
        ]
        indexes = [
            # Resolving a session's workspace looks up all values of one owner at once.
            models.Index(fields=["owner", "value"], name="core_fingerprint_lookup"),
        ]

    def __str__(self) -> str:
        return self.value


class NamespaceAlias(models.Model):
    """A name that a namespace had, or that another one had which became part of it.

    Under it, sessions, keys and scripts of ``owner`` go on finding it: after a rename, a merge or a transfer. A name
    is either a namespace's own or an alias, never both.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    namespace = models.ForeignKey(Namespace, on_delete=models.CASCADE, related_name="aliases")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    type = models.CharField(max_length=9, choices=Namespace.TYPES)
    name = models.CharField(max_length=200)
    created_at = models.DateTimeField()

    if TYPE_CHECKING:
        namespace_id: uuid.UUID
        owner_id: int

    class Meta:
        verbose_name = _("former name")
        verbose_name_plural = _("former names")
        constraints = [
            models.UniqueConstraint(fields=["owner", "type", "name"], name="core_namespacealias_once"),
        ]

    def __str__(self) -> str:
        return f"{self.type}:{self.name}"
