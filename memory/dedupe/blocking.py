"""Finding what to compare with: keys for the database, and what a tombstone keeps when the text itself must go.

Comparing is exact but pairwise, so the caller fetches likely neighbours first: by these keys, and by vector.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping

from .compare import compare
from .features import Features, features
from .lexicon import NORMAL
from .tokens import Token

_MOST_KEYS = 64  # a long text is found by its rare words; more keys only make the index larger


def _key(token: Token) -> str:
    return f"#{token.concept}" if token.kind == "number" else token.concept


def block_keys(f: Features) -> tuple[str, ...]:
    """Every key to store for a text (an indexed array), most telling first: names and unlisted words first.

    Keys are thesaurus concepts, so `DB` and `データベース` share one, in both languages. Denied words count: a
    contradiction must be found too.
    """
    tokens = [t for t in (*f.content, *f.denied) if t.matters]
    ranked = sorted(tokens, key=lambda t: (t.kind == "word", -t.weight))
    return tuple(dict.fromkeys(map(_key, (*ranked, *f.numbers))))[:_MOST_KEYS]


def lookup_keys(f: Features, *, k: int = 6, counts: Mapping[str, int] | None = None) -> tuple[str, ...]:
    """The at most `k` keys worth asking the database for: without numbers and weak words if anything else is there.

    `counts` (key → number of stored texts that have it) puts rare keys first; without it `block_keys` rules.
    """
    tokens = {_key(t): t for t in (*f.content, *f.denied, *f.numbers)}
    keys = block_keys(f)
    strong = [key for key in keys if tokens[key].kind != "number" and tokens[key].weight >= NORMAL]
    chosen = strong or list(keys)
    if counts is not None:
        chosen = sorted(chosen, key=lambda key: counts.get(key, 0))
    return tuple(chosen[:k])


def resembles(a: Features, b: Features, *, cosine: float | None = None) -> bool:
    """Whether a new proposal is what a tombstone's text already said (a rejection keeps normalised text and vector)."""
    return compare(a, b, cosine=cosine).relation == "same"


# Markers that tell direction or agency; the others change with politeness and topic.
_ROLES = {"from_next", "to_next", "p:から", "p:に", "p:が", "'s"}


def _essence(f: Features, light: bool) -> str:
    """A canonical spelling without politeness and word order; polarity, numbers, roles and names stay.

    `light` leaves out verbs that come and go (write, keep, add). English clauses without preposition keep their order,
    because it alone tells who does what to whom.
    """

    def counts(t: Token) -> bool:
        return t.matters and not (light and t.like and t.weight < NORMAL)

    listed = sorted({(t.concept, t.marker if t.marker in _ROLES else "") for t in f.content if counts(t)})
    denied = sorted({t.concept for t in f.denied if counts(t)})
    # Unlisted words, numbers and rivals of one category keep their order: two that change places make another memory.
    categories = [t.category for t in f.sequence if t.category]
    ordered = [
        f"{t.concept}/{t.unit}/{t.bound}"
        for t in f.sequence
        if t.kind != "word" or (t.category and categories.count(t.category) > 1)
    ]
    order = sorted(f"{sorted(earlier)}<{sorted(later)}" for earlier, later in f.order)
    spoken = [t.concept for t in f.sequence] if f.plain or f.first else []
    return repr((listed, denied, ordered, order, spoken, sorted(f.stances)))


def keyed_hashes(text: str, key: bytes) -> list[str]:
    """HMAC-SHA256 (hex) of the normal form and of up to two order- and politeness-free spellings of `text`.

    What a deletion keeps: two texts say the same if any hash is shared, and without the key nothing can be tried
    against them. ValueError for an empty key.
    """
    if not key:
        raise ValueError("keyed_hashes needs a key that is not empty")
    f = features(text)
    spellings = ["n:" + f.normal]
    if any(t.weight >= NORMAL for t in (*f.content, *f.denied)):
        spellings += ["e:" + _essence(f, light=False), "s:" + _essence(f, light=True)]
    return list(dict.fromkeys(hmac.new(key, s.encode(), hashlib.sha256).hexdigest() for s in spellings))
