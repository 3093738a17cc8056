"""What can be wrong with files of notes: codes for programs, put into words by ``knowledge.services.wording``. Pure."""

from __future__ import annotations

from dataclasses import dataclass

ERROR, WARNING = "error", "warning"


@dataclass(frozen=True)
class Problem:
    """One violation. ``path`` is the file's; ``about`` names what is meant: a field, a slug, a line or another path.

    ``limit`` is in characters for fields, in files or bytes for archives. A warning stops nothing.
    """

    code: str
    path: str = ""
    field: str = ""
    about: str = ""
    limit: int = 0
    level: str = ERROR

    @property
    def is_error(self) -> bool:
        return self.level == ERROR


def errors(problems: list[Problem]) -> list[Problem]:
    """Those that keep a file from being taken."""
    return [each for each in problems if each.is_error]
