"""Who acts: the part of an audit event that answers "by whom"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from core.models import AgentKey


@dataclass(frozen=True)
class Operator:
    """Somebody with rights in the admin who repairs data, also where they are no member, and says why.

    Made by ``core.services.operators.operator_for``, which checks the rights, and by commands of the machine's
    operator: a role in a namespace does not depend on it, and no page, API or task makes one.
    """

    user: User
    reason: str


# Who decides: a member with the role for it, or an operator.
Decider: TypeAlias = "User | Operator"


def account_of(who: Decider) -> User:
    """The account behind a decision."""
    return who.user if isinstance(who, Operator) else who


@dataclass(frozen=True)
class Actor:
    """A person, a policy, an operator, an agent key, or Hikae itself. ``reason`` is why an operator did it."""

    type: str
    id: str = ""
    label: str = ""
    reason: str = ""

    @classmethod
    def of(cls, who: Decider) -> Actor:
        """The person who decides, by the name they signed in with."""
        if isinstance(who, Operator):
            return cls("operator", str(who.user.pk), who.user.get_username(), who.reason)
        return cls.person(who)

    @classmethod
    def person(cls, user: User) -> Actor:
        return cls("person", str(user.pk), user.get_username())

    @classmethod
    def key(cls, key: AgentKey) -> Actor:
        return cls("key", str(key.pk), key.name)

    @classmethod
    def operator(cls, label: str) -> Actor:
        return cls("operator", "", label)

    @classmethod
    def policy(cls, policy_id: object, label: str) -> Actor:
        return cls("policy", str(policy_id), label)

    @classmethod
    def system(cls) -> Actor:
        return cls("system", "", "Hikae")

    @property
    def is_person(self) -> bool:
        return self.type == "person"
