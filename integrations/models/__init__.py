"""Tables of this room."""

from integrations.models.hooks import HookEvent, HookSession, HookSettings

__all__ = ["HookEvent", "HookSession", "HookSettings"]
