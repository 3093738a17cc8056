"""What importers say of a file as a whole; readers are pure, and write English templates (``core.said``)."""

from __future__ import annotations

from core.said import Said, gettext_noop


class Unreadable(ValueError):
    """Nothing can be read from it at all; ``said`` tells why."""

    def __init__(self, template: str, /, **values: str | int | Said) -> None:
        self.said = Said(template, values)
        super().__init__(str(self.said))


# What a file looks like that was cut off.
STORES = {
    "claude-memory": gettext_noop("a note of Claude Code's auto-memory"),
    "rules": gettext_noop("a rule file"),
    "moai": gettext_noop("a file of MoAI"),
    "mem0": gettext_noop("a mem0 export"),
    "claude-mem": gettext_noop("a claude-mem export"),
    "basic-memory": gettext_noop("a note of basic-memory"),
    "mcp-memory": gettext_noop("the memory of the MCP reference server"),
    "chatgpt": gettext_noop("a ChatGPT export"),
    "": gettext_noop("a JSON file"),
}
