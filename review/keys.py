"""Single keys of the review pages: the defaults, and what a person may make of them (review-ux line 38). Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

# The names are those of the pages' buttons; arrows, Enter, Esc and Ctrl combinations stay as they are.
DEFAULT_KEYS: dict[str, str] = {
    "next": "j",
    "previous": "k",
    "approve": "a",
    "reject": "r",
    "edit": "e",
    "open": "o",
    "undo": "u",
    "select": "x",
    "set_aside": "s",
    "merge": "m",
    "help": "?",
}
RESERVED = frozenset("12345")  # reasons of a rejection


def effective(changed: Mapping[str, str]) -> dict[str, str]:
    """Which key does what, with a person's changes over the defaults."""
    return {**DEFAULT_KEYS, **{act: key for act, key in changed.items() if act in DEFAULT_KEYS}}


def problems(changed: Mapping[str, str]) -> list[tuple[str, str]]:
    """What is wrong with a map, as (action, reason): ``unknown``, ``not_a_key``, ``reserved`` or ``clash``.

    A clash names each action whose key another action has too, whatever the case.
    """
    found = [(act, "unknown") for act in changed if act not in DEFAULT_KEYS]
    keys = effective(changed)
    for act in DEFAULT_KEYS:
        if not _is_key(keys[act]):
            found.append((act, "not_a_key"))
        elif keys[act] in RESERVED:
            found.append((act, "reserved"))
    folded = {act: key.casefold() for act, key in keys.items()}
    taken = list(folded.values())
    found += [(act, "clash") for act in DEFAULT_KEYS if taken.count(folded[act]) > 1]
    return found


def _is_key(key: str) -> bool:
    """One printable character that a keyboard gives without composing."""
    return len(key) == 1 and unicodedata.category(key)[0] in "LNPS"
