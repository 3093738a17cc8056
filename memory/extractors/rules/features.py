"""Turns a unit into named yes/no features: which cues fire, and where they stand.

Names are what the weights, the explanations and the tests speak of.  A feature is a fact about the
wording or its surroundings, never about a subject matter.
"""

from __future__ import annotations

import re

from memory.extractors.rules import cues_en, cues_ja, doubts_en, hints_en
from memory.extractors.rules.pairs import paired
from memory.extractors.rules.segment import Unit
from memory.extractors.rules.shape import shape
from memory.extractors.rules.surroundings import NOWHERE, Surroundings, around_it
from memory.extractors.rules.verbs import ORDER_VERB

_TABLES_EN = {**cues_en.STRONG, **hints_en.WEAK, **doubts_en.AGAINST}
_TABLES_JA = {**cues_ja.STRONG, **cues_ja.WEAK, **cues_ja.AGAINST}
STRONG_NAMES = frozenset(cues_en.STRONG) | frozenset(cues_ja.STRONG)

# 「起動が遅すぎて」 gives a reason, it orders nothing.
_REASON_TE = re.compile(r"(?:すぎ|[いしなきた]く|られ|なっ|だっ|にな|困っ)て[。…!]*$")
# "…, because i don't want card data on our disks": the reason of a choice, not a taste.
_WANTS_FOR_PROJECT = re.compile(
    r"\b(?:because|since|cause|cuz|as) i (?:dont |do not |really |just )*(?:want|need|like)\b", re.A
)
_ASKS_JA = re.compile(r"[?？]|" + cues_ja.AGAINST["question"].pattern, re.A)
# "can you go through …" is an order in the form of a question.
_ASKS_FOR = re.compile(
    r"^(?:[^\w぀-ヿ㐀-鿿]|um+|uh+|er+|hey|hi|ok|so|and|also|please|pls)*\b(?:can|could|would|"
    r"will) (?:you|we) "
    r"(?:please |pls |just |also |quickly )*" + ORDER_VERB + r"\b",
    re.A,
)


def cues(unit: Unit) -> frozenset[str]:
    """Names of the cues that fire in the unit itself."""
    found = {name for name, p in _TABLES_EN.items() if p.search(unit.form)}
    if unit.japanese:
        found |= {name for name, p in _TABLES_JA.items() if p.search(unit.form)}
        # English word order means nothing inside a Japanese sentence.
        if not cues_ja.AGAINST["order"].search(unit.form) or _REASON_TE.search(unit.form):
            found.discard("order")
        if not _ASKS_JA.search(unit.form):
            found.discard("question")
        return frozenset(found)
    if "prefer" in found and _WANTS_FOR_PROJECT.search(unit.form) and not found & {"service", "you_agent"}:
        found.discard("prefer")
    if _ASKS_FOR.match(unit.form):
        found.add("order")
    return frozenset(found)


def features(unit: Unit, own: frozenset[str], around: Surroundings = NOWHERE) -> frozenset[str]:
    """All features of a unit: its cues, its shape, useful pairs, and what stands around it (`m:`, `s:`, `p:`)."""
    known = {*own, *shape(unit)}
    if not own & STRONG_NAMES:
        known.add("strong0")
    return frozenset({*paired(known, unit, own, around), *around_it(unit.text, own, around)})
