"""Why something was proposed, said in the reader's language.

Extractors are pure and write one of these English phrases; here they become translatable. A phrase that is
not listed (a model's own words, another extractor's) is shown as it is.
"""

from __future__ import annotations

from django.utils.translation import gettext, gettext_noop

PHRASES: tuple[str, ...] = (
    gettext_noop("typed by hand"),
    gettext_noop("an agent asked to remember it"),
    gettext_noop("asks to remember it"),
    gettext_noop("names a lesson learned"),
    gettext_noop("explains what went wrong"),
    gettext_noop("tells of a dated change"),
    gettext_noop("corrects an earlier statement"),
    gettext_noop("states a decision that was made"),
    gettext_noop("states a considered refusal"),
    gettext_noop("states a choice"),
    gettext_noop("states a rule with its trigger ('when …, do …')"),
    gettext_noop("states a standing rule ('from now on')"),
    gettext_noop("names a rule or convention"),
    gettext_noop("states a standing rule ('always', 'never', 'every time')"),
    gettext_noop("asks to stop a habit"),
    gettext_noop("voices a lasting wish or taste"),
    gettext_noop("wishes how work is delivered, with a reason"),
    gettext_noop("holds for every case ('every', 'all')"),
    gettext_noop("tells a fact in passing ('btw')"),
    gettext_noop("tells facts as background"),
    gettext_noop("chooses one thing over another"),
    gettext_noop("states how the project is built or run"),
    gettext_noop("states how things are"),
    gettext_noop("forbids something in general"),
    gettext_noop("says how to work with this person"),
    gettext_noop("states something lasting"),
    gettext_noop("agrees to the agent's proposal"),
    gettext_noop("picks an option that the agent offered"),
    gettext_noop("picks an alternative that the agent named"),
)


def in_words(why: str) -> str:
    """The phrase in the active language, starting with a capital where the script has them."""
    said = gettext(why) if why else ""
    return said[:1].upper() + said[1:]
