"""Option labels: what two spellings share, and what an answer says about them (design section 5)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from core.text import fold

from .types import OTHER, OTHER_OFFERED, Answer, OptionIn, Question

# Bracketed forms only: "Recommended settings" is a name. NFKC has already made full-width brackets narrow.
_WORDS = "recommended|推奨|おすすめ|お勧め|お薦め|オススメ|권장|추천|推荐|推薦"
_OPEN, _CLOSE = "([{<【〔「『〈《〖〘", ")]}>】〕」』〉》〗〙"
_MARKER = re.compile(
    "|".join(rf"{re.escape(a)}\s*(?:{_WORDS})\s*{re.escape(b)}" for a, b in zip(_OPEN, _CLOSE, strict=True)),
    re.IGNORECASE,
)
_JOINTS = " \t\u3000-–—―:：・,"  # what a writer puts between a label and its marker


def has_marker(label: str) -> bool:
    """Does the label carry a recommendation marker?"""
    return _MARKER.search(unicodedata.normalize("NFKC", label)) is not None


@lru_cache(maxsize=512)  # a request asks for the same labels a dozen times
def normalise_label(label: str) -> str:
    """The label as people read it, without markers: in front stripped, behind cut with all that follows. Idempotent.

    NFKC and trimmed; a label that is nothing but markers stays as it is, because an option must have a name.
    """
    text = " ".join(unicodedata.normalize("NFKC", label).split())
    rest = text
    while (marker := _MARKER.search(rest)) is not None:
        ahead = rest[: marker.start()].strip(_JOINTS)
        if ahead:
            return rest[: marker.start()].rstrip(_JOINTS)
        rest = rest[marker.end() :].lstrip(_JOINTS)
    return rest or text


@lru_cache(maxsize=512)
def option_key(label: str) -> str:
    """What two spellings of one option share: width, case, quotes, spaces and markers do not count.

    An option that is called "Other" is not the words that somebody types instead of choosing: its key is not ``OTHER``.
    """
    key = fold(normalise_label(label))
    return OTHER_OFFERED if key == OTHER else key


def keys_of(question: Question) -> tuple[str, ...]:
    """The option keys in shown order. They may repeat: see ``labels_clash``."""
    return tuple(option_key(option.label) for option in question.options)


def labels_clash(question: Question) -> bool:
    """Are two options equal after normalising? Such a call belongs into the quarantine."""
    keys = keys_of(question)
    return len(set(keys)) < len(keys)


def marked_default(question: Question) -> str | None:
    """The option key that the asker marked: by ``default``, else by the first marker in a label. None: none."""
    keys = keys_of(question)
    if question.default:
        key = option_key(question.default)
        return key if key in keys else None
    return next((option_key(o.label) for o in question.options if has_marker(o.label)), None)


def match_answer(
    answer: str | Sequence[str],
    options: Sequence[OptionIn],
    *,
    displays: Mapping[str, str] | None = None,
    multi: bool = False,
) -> Answer:
    """What the person chose, never guessed.

    ``displays``: every text we issued for this question -> the option key it stood for. A string answers a single
    question as a whole; for ``multi`` it is read as known labels between commas, which labels may hold too, so that
    nothing is left over if that can be, the longest first. An
    array is matched element by element. Words left over are ``OTHER`` with their text; an empty answer chooses nothing.
    More than one key for a single question is possible (an array): the caller refuses it.
    """
    known = _known(options, displays or {})
    chosen: list[str] = []
    left: list[str] = []
    for part in [answer] if isinstance(answer, str) else answer:
        for key, text in _parts(part, known) if multi else _whole(part, known):
            if key == OTHER and text:
                left.append(text)
            if key not in chosen:
                chosen.append(key)
    return Answer(tuple(chosen), "\n".join(left))


def _known(options: Sequence[OptionIn], displays: Mapping[str, str]) -> dict[str, str]:
    """Folded text -> option key. What is offered goes before what was displayed, exact before marker-free."""
    known: dict[str, str] = {}
    for label in (option.label for option in options):
        known.setdefault(fold(label), option_key(label))
    for label in (option.label for option in options):
        known.setdefault(option_key(label), option_key(label))
    offered = set(known.values())
    for display, key in displays.items():
        if key in offered:
            known.setdefault(fold(display), key)
    return {text: key for text, key in known.items() if text}


def _whole(part: str, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    key = known.get(fold(part)) or known.get(option_key(part))
    if key is not None:
        yield key, ""
    else:
        yield from _left(part)


def _parts(part: str, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Labels between commas, so that as little as possible is left over; among equals the longest first.

    Greedy reading alone would take "A, B" out of "A, B, C" where the labels are "A", "A, B" and "B, C".
    """
    cuts = [-1, *(m.start() for m in re.finditer("[,，]", part)), len(part)]
    left_from = at = 0
    for end, key in _cover(part, cuts, known):
        if key is not None:
            yield from _left(part[cuts[left_from] + 1 : cuts[at]] if at > left_from else "")
            yield key, ""
            left_from = end
        at = end
    yield from _left(part[cuts[left_from] + 1 :] if at > left_from else "")


def _cover(part: str, cuts: Sequence[int], known: Mapping[str, str]) -> Iterator[tuple[int, str | None]]:
    """From the left: where each piece ends (index into ``cuts``) and its key, None for a piece that is left over."""
    reach, last = 1 + max((text.count(",") for text in known), default=0), len(cuts) - 1
    best: list[tuple[int, int, str | None]] = [(0, last, None)] * (last + 1)  # pieces left over, end, key
    for at in range(last - 1, -1, -1):
        best[at] = (best[at + 1][0] + 1, at + 1, None)
        for end in range(at + 1, min(at + reach, last) + 1):
            key = _known_key(part[cuts[at] + 1 : cuts[end]], known) if best[end][0] <= best[at][0] else None
            if key is not None:
                best[at] = (best[end][0], end, key)
    at = 0
    while at < last:
        _left_over, at, key = best[at]
        yield at, key


def _known_key(part: str, known: Mapping[str, str]) -> str | None:
    return known.get(fold(part)) or (None if _cut_inside(part) else known.get(option_key(part)))


def _cut_inside(part: str) -> bool:
    """Would cutting at the marker swallow a comma, and so perhaps another answer?"""
    text = unicodedata.normalize("NFKC", part)
    behind = next((m for m in _MARKER.finditer(text) if text[: m.start()].strip(_JOINTS)), None)
    return behind is not None and "," in text[behind.end() :]


def _left(text: str) -> Iterator[tuple[str, str]]:
    if text := text.strip(" \t\n\u3000,，"):
        yield OTHER, text
