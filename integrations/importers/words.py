"""What a report says: readers are pure, and their sentences are translated where they are shown.

A sentence is an English template with named values, so that the page can say it in the reader's language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


def gettext_noop(template: str) -> str:
    """Marks a template for ``makemessages``, which looks for this name. Django's own must not be known here."""
    return template


@dataclass(frozen=True)
class Said:
    """A sentence: ``template % values`` in English, or the translated template with the same values.

    The value named ``store`` is itself translated, as is a sentence inside of another.
    """

    template: str
    values: Mapping[str, str | int | Said] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.template % self.values


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
