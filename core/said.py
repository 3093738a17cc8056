"""Sentences of pure code: an English template with named values, translated where it is shown."""

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
