"""Who acts: the part of an audit event that answers "by whom"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from core.models import AgentKey


@dataclass(frozen=True)
class Actor:
    """A person, a policy, an operator, an agent key, or Hikae itself."""

    type: str
    id: str = ""
    label: str = ""

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
