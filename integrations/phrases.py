"""What importers say, in the reader's language: they are pure, and write English templates (``importers.words``)."""

from __future__ import annotations

from django.utils.translation import gettext, gettext_noop

from core.said import Said

# What readers count and do not take; what follows a colon is a word of the file itself.
NOT_TAKEN = (
    gettext_noop("caption"),
    gettext_noop("choice over the limit"),
    gettext_noop("code block"),
    gettext_noop("content of the type"),
    gettext_noop("conversation without a typed message"),
    gettext_noop("empty"),
    gettext_noop("entity without observations"),
    gettext_noop("file that is no Markdown"),
    gettext_noop("further problems"),
    gettext_noop("heading without text"),
    gettext_noop("import of another file"),
    gettext_noop("line of the index"),
    gettext_noop("message of the role"),
    gettext_noop("message on a branch that was left"),
    gettext_noop("message that was cut"),
    gettext_noop("other file of the export"),
    gettext_noop("over the limit"),
    gettext_noop("paragraph beside observations"),
    gettext_noop("picture or file"),
    gettext_noop("prompts (a log)"),
    gettext_noop("relation"),
    gettext_noop("sessions (a log)"),
    gettext_noop("table"),
    gettext_noop("time in the future"),
    gettext_noop("what was merely done (a log)"),
)


def in_words(said: Said) -> str:
    """The sentence in the active language."""
    values: dict[str, str | int] = {}
    for name, value in said.values.items():
        if isinstance(value, Said):
            values[name] = in_words(value)
        else:
            values[name] = gettext(str(value)) if name == "store" else value
    return gettext(said.template) % values


def not_taken_in_words(what: str) -> str:
    """``content of the type: code`` in the active language, the word of the file untouched."""
    head, colon, word = what.partition(": ")
    return gettext(head) + colon + word
