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
    gettext_noop("asks for another manner of answering"),
    gettext_noop("tells how this person reads or works"),
    gettext_noop("states something lasting"),
    gettext_noop("agrees to the agent's proposal"),
    gettext_noop("picks an option that the agent offered"),
    gettext_noop("picks an alternative that the agent named"),
)


# How two texts relate, as the dedupe judgement names it; what follows a colon are words of the texts themselves.
LIKENESS: tuple[str, ...] = (
    gettext_noop("same wording"),
    gettext_noop("same words, other form"),
    gettext_noop("other words"),
    gettext_noop("other number"),
    gettext_noop("other identifier"),
    gettext_noop("other word order"),
    gettext_noop("roles changed"),
    gettext_noop("opposite"),
    gettext_noop("denied on one side only"),
    gettext_noop("rejected on one side, chosen on the other"),
    gettext_noop("on one side only"),
    gettext_noop("too long to compare word by word"),
    gettext_noop("too little in common"),
    gettext_noop("meanings far apart"),
    gettext_noop("another language, and no model to confirm it"),
    gettext_noop("another language with other names"),
)


def likeness_in_words(reason: str) -> str:
    """``other words: npm / pnpm`` in the active language, the words themselves untouched."""
    head, colon, words = reason.partition(": ")
    return gettext(head) + colon + words


# Why a proposal was dropped on its way into the queue (memory.services.validation).
DROPPED: dict[str, str] = {
    "not_understood": gettext_noop("its kind or scope is none that Hikae knows"),
    "empty": gettext_noop("it says nothing"),
    "too_long": gettext_noop("it is too long for a memory"),
    "secret": gettext_noop("it holds something that was redacted"),
    "served": gettext_noop("it repeats what Hikae itself had shown the agent"),
    "no_quote": gettext_noop("its quote does not stand in the message"),
    "not_human": gettext_noop("its quote is not a person's own words"),
    "not_adopted": gettext_noop("nobody agreed to it afterwards"),
    "not_adoptable": gettext_noop("what was agreed to is not the agent's text"),
    "other_language": gettext_noop("it is in another language than its evidence"),
    "out_of_reach": gettext_noop("the session's key reaches no namespace for it"),
    "paused": gettext_noop("its namespace was paused"),
    "suppressed": gettext_noop("it was refused or deleted before"),
}


def dropped_in_words(code: str) -> str:
    """The reason in the active language; an unknown one as it is."""
    return gettext(DROPPED[code]) if code in DROPPED else code


def in_words(why: str) -> str:
    """The phrase in the active language, starting with a capital where the script has them."""
    said = gettext(why) if why else ""
    return said[:1].upper() + said[1:]
