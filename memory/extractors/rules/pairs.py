"""What cues mean together: an order that outlives its task, a plan with a date, the cause of a failure.

Each function adds to what is known of a unit so far, in the order of ``paired``: later ones ask for what earlier
ones found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from memory.extractors.rules.segment import Unit
from memory.extractors.rules.surroundings import Surroundings
from memory.extractors.rules.verbs import ORDER, ORDER_VERB

_NO_PLAIN_FACT = frozenset({"momentary", "i_now", "question", "deictic", "want_once", "order", "thanks"})
_FIRM = frozenset({"technical", "number", "only", "fixed", "we_our", "recurring", "own_project", "we_do"})
_LOCAL = frozenset({"this_piece", "temporary", "momentary", "question", "deictic", "bare_ban"})
_LASTING = frozenset(
    {"project_order", "from_now", "every_time", "remember", "when_then", "rule_noun", "universal", "unless"}
)
_ORDERS_LATER = re.compile(
    r"[,;:] (?:so |then |and |please |pls |just )*"
    + ORDER_VERB
    + r" (?:a|an|the|it|this|that|these|those|him|her|them|us|"
    r"me|up|down|out|in|on)\b|\b(?:then|and) (?:please )?(?:re-?)?"
    + ORDER_VERB
    + r" (?:it|this|that|them|the|me)\b",
    re.A,
)
# "… was down: the disk was full", "it took us a day to see that …"
_EXPLAINS = re.compile(
    r"\b\w+[:,;] (?:the|a|an|our|its|nobody|somebody|someone|it|we|two|debug|his|her|my)\b.*"
    r"\b(?:had|was|were|did|\w{3,}ed|cut|lost|left|ran|used|never)\b"
    r"|\bto (?:see|find|notice|learn|realise|realize) that\b|\bhad (?:been|no)\b|\b(?:has|have|are|is) .* since then\b"
    r"|\bas (?:the|our|we|a)\b",
    re.A,
)
# "from now on, reply in …": the order after the comma is the first one.
_FROM_NOW_FIRST = re.compile(
    r"^(?:[^\w぀-ヿ㐀-鿿]|ok |so |and |please )*(?:from (?:now|here|today)(?: on(?:wards?)?)?|going forwards?|"
    r"in (?:the )?future),? ",
    re.A,
)
_LIVES_BY = re.compile(
    r"^"
    + ORDER
    + r"(?:dont |do not |never |always |only )*(?:use|prefer|follow|avoid|stick|write|keep|respect|name|run|"
    r"treat|stay|target|support|format|test|commit|document)\b",
    re.A,
)


def paired(known: Set[str], unit: Unit, own: frozenset[str], around: Surroundings) -> set[str]:
    """``known`` and what follows from it; ``own`` are the unit's cues, which are not asked of its message again."""
    found = set(known)
    found |= set(_reach_of_an_order(found, unit))
    found |= set(_a_taste(found, around))
    found |= set(_a_fact(found))
    if "self_habit" in found:
        found.discard("i_now")  # how somebody works, not what they are doing
    if found & {"cause", "lesson"}:
        found.discard("defect")  # the story of a failure names the failure
    found |= set(_a_standing_order(found, around.message - own, around))
    found |= set(_a_date(found))
    found |= set(_a_failure_or_process(found, unit))
    found |= set(_an_order_for_once(found, around))
    found |= set(_a_service(found, around))
    return found


def _reach_of_an_order(f: Set[str], unit: Unit) -> Iterator[str]:
    if (
        not unit.japanese
        and not f & {"prefer", "self_habit"}
        and _ORDERS_LATER.search(_FROM_NOW_FIRST.sub("", unit.form))
    ):
        yield "order_later"
    # "use … in this repo": an order for as long as the project lives; "fix it in this repo" is done tomorrow.
    if {"own_project", "order"} <= f and not f & _LOCAL and _LIVES_BY.match(unit.form):
        yield "project_order"


def _a_taste(f: Set[str], around: Surroundings) -> Iterator[str]:
    if {"i_me", "prefer", "service"} <= f:
        yield "taste"
    wishes = f & {"prefer", "stop_doing", "for_me", "self_habit"}
    if around.agent_said and wishes and not f & {"this_piece", "temporary", "third"}:
        yield "reaction"


def _a_fact(f: Set[str]) -> Iterator[str]:
    if {"stative", "noun_subject"} <= f and not f & _NO_PLAIN_FACT:
        yield "plain_fact"
        if f & _FIRM:
            yield "firm_fact"


def _a_standing_order(f: Set[str], message: Set[str], around: Surroundings) -> Iterator[str]:
    for_good = f & {"every_time", "unless", "from_now"}
    if not (for_good or f & {"when_then", "forbid"}) or f & _LOCAL or "order" in message:
        return
    # "don't touch the tests" beside a wish for the moment is a limit of that wish.
    if "forbid" in f and not for_good and "want_once" in around.message:
        return
    yield "standing_order" if f & {"order", "wish_form", "te_koto", "forbid", "please"} else "standing"


def _a_date(f: Set[str]) -> Iterator[str]:
    if {"date", "shift"} <= f:
        yield "dated_shift"
    elif {"date", "scheduled"} <= f and not f & {"recurring", "momentary", "i_me"}:
        yield "dated_plan"


def _a_failure_or_process(f: Set[str], unit: Unit) -> Iterator[str]:
    if {"failed", "past"} <= f and (f & {"reason", "cause", "lesson"} or _EXPLAINS.search(unit.form)):
        yield "failure_cause"
    if {"artefact", "deontic"} <= f and not f & (_LOCAL | {"past", "order"}):
        yield "process_rule"


def _an_order_for_once(f: Set[str], around: Surroundings) -> Iterator[str]:
    habit = "self_habit" in f | around.message and not f & {"this_piece", "temporary"}
    if habit and f & {"order", "please", "wish_form"}:
        yield "habit_order"  # "i misread …, so thousands separators please": the reason outlives the task
    if "order" in f and not habit and not f & _LASTING:
        yield "bare_order"
    if (
        f & {"stop_doing", "bare_ban"}
        and not {"reaction", "stop_doing"} <= f
        and "order" in around.message
        and not f & {"from_now", "every_time", "universal", "remember", "reason"}
    ):
        yield "ban_in_order"
    if {"order", "this_piece"} <= f:
        yield "order_here"


def _a_service(f: Set[str], around: Surroundings) -> Iterator[str]:
    if "service" in f and f & {"wish_form", "please", "order"}:
        yield "service_wish"
        if "reason" in f or around.message & {"reason", "prefer"}:
            yield "service_wish_reason"
