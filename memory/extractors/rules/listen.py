"""Reads a window: every human utterance in scope becomes units with features."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.extractors.base import Utterance, Window
from memory.extractors.rules.features import cues, features
from memory.extractors.rules.forms import cue_form
from memory.extractors.rules.secrets import looks_secret
from memory.extractors.rules.segment import Unit, units
from memory.extractors.rules.shape import words_in
from memory.extractors.rules.surroundings import Surroundings, content_terms
from memory.extractors.rules.voice import own_pieces

_REPORTS = re.compile(
    r"^[^\w぀-ヿ㐀-鿿]*(?:done|added|committed|applied|created|updated|renamed|removed|moved|"
    r"fixed|i(?: have|'ve)? (?:also )?(?:\w+ed|wrote|rewrote|put|set|ran))\b|(?:ました|"
    r"済みです)[。（(]",
    re.A,
)
_CLAIMS = re.compile(
    r"\bi(?: will|ll|m going to)\b|\bnote:|\bthis project\b|\bassum\w+|\busing\b|前提|"
    r"します。|進めます|作成します|使います|実装します",
    re.A,
)


@dataclass(frozen=True)
class Heard:
    """A human utterance with its units; `own[i]` and `traits[i]` are cues and features of unit i."""

    at: int
    utterance: Utterance
    units: tuple[Unit, ...]
    own: tuple[frozenset[str], ...]
    traits: tuple[frozenset[str], ...]
    before: Utterance | None


def listen(window: Window) -> list[Heard]:
    """All human utterances in scope, oldest first; everything else is silent here."""
    heard = []
    for at, u in enumerate(window.utterances):
        if u.in_scope and u.role == "user" and u.origin == "human":
            earlier = [v for v in window.utterances[max(0, at - 3) : at] if v.origin == "human"]
            heard.append(_hear(at, u, agent_before(window, at), earlier))
    return heard


def agent_before(window: Window, at: int) -> Utterance | None:
    """The agent's utterance that number `at` answers; None if a person spoke in between."""
    for u in reversed(window.utterances[:at]):
        if u.origin == "agent":
            return u
        if u.origin == "human":
            return None
    return None


def _hear(at: int, u: Utterance, before: Utterance | None, earlier: list[Utterance]) -> Heard:
    parts = tuple(units(u.text, own_pieces(u.text, u.injected)))
    own = tuple(cues(p) for p in parts)
    message = frozenset().union(*own)
    secret = looks_secret(u.text)
    said = frozenset[str]().union(*(content_terms(v.text[:500]) for v in earlier))
    words = sum(words_in(p) for p in parts)
    agent = cue_form(before.text) if before else ""
    traits = tuple(
        features(
            part,
            own[i],
            Surroundings(
                only_unit=len(parts) == 1,
                first=i == 0,
                message_words=words,
                message=message,
                previous=own[i - 1] if i else frozenset(),
                agent_claims=bool(_CLAIMS.search(agent)),
                agent_reports=bool(_REPORTS.search(agent)),
                agent_said=before is not None,
                said_before=bool(earlier),
                earlier_terms=said,
                secret=secret,
                sentence=frozenset().union(
                    *(own[j] for j, other in enumerate(parts) if other.sentence == part.sentence)
                ),
                answers=bool(agent) and bool(re.search(r"[?？][^\w぀-ヿ㐀-鿿]*$|か[。]?$", agent)),
            ),
        )
        for i, part in enumerate(parts)
    )
    return Heard(at, u, parts, own, traits, before)
