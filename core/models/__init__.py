"""Tables of the floor."""

from core.models.agent_key import KEY_SCOPES, AgentKey
from core.models.audit import AuditEvent
from core.models.membership import Membership, Role
from core.models.namespace import Fingerprint, Namespace, NamespaceAlias
from core.models.sign_in import SignInLink

__all__ = [
    "KEY_SCOPES",
    "AgentKey",
    "AuditEvent",
    "Fingerprint",
    "Membership",
    "Namespace",
    "NamespaceAlias",
    "Role",
    "SignInLink",
]
