"""Short forms of a memory (k8s, GHA): what a reviewer may add, and which ones the evidence offers. Pure.

A short form is how people ask for something whose full name stands in the memory (design section 4, Recall).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from core.redact import redact
from core.text import STOP_WORDS, clean, fold

MOST = 20
MAX_CHARS = 100
MOST_OFFERED = 6
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_NUMERONYM = re.compile(r"([a-z])(\d{1,2})([a-z])")
# Kubernetes (k8s), カルテ（診察録）, 継続的インテグレーション(CI)
_BRACKETED = re.compile(r"([\w\-. ]{2,60}?)\s?[(（]([\w\-.]{2,20})[)）]")


def checked(given: Iterable[str]) -> list[str]:
    """Trimmed, secrets cut, each once (case and width aside), in order. ValueError says what is wrong."""
    found: dict[str, str] = {}
    for raw in given:
        short = " ".join(redact(clean(raw)).text.split())
        if not short:
            continue
        if len(short) > MAX_CHARS:
            raise ValueError(f"each short form may have {MAX_CHARS} characters at most")
        found.setdefault(fold(short), short)
    if len(found) > MOST:
        raise ValueError(f"a memory may have {MOST} short forms at most")
    return list(found.values())


def offered(content: str, said: Iterable[str], known: Iterable[str] = ()) -> list[str]:
    """Short forms that people used around the evidence for a name that stands in the memory.

    Initials of its words (GHA for GitHub Actions), numeronyms (k8s for Kubernetes), and what stands in brackets beside
    one of its words. Nothing that the memory says itself, or that is ``known``.
    """
    held = fold(content)
    there = set(_WORD.findall(held))
    taken = {fold(each) for each in known} | there
    initials = set(_initials(content))
    found: dict[str, str] = {}
    for text in said:
        for short in (*_written(text, held), *_WORD.findall(text)):
            key = fold(short)
            if key in taken or key in held or key in STOP_WORDS or len(key) < 2:
                continue
            if key in initials or _is_numeronym(key, there) or short in _written(text, held):
                found.setdefault(key, short)
    return list(found.values())[:MOST_OFFERED]


def _written(text: str, held: str) -> Iterator[str]:
    """What stands in brackets after a name of the memory, and a name of the memory's brackets."""
    for match in _BRACKETED.finditer(text):
        name, short = match.groups()
        last = name.split()[-1] if name.split() else ""
        if len(last) > 1 and fold(last) in held:
            yield short


def _initials(content: str) -> Iterator[str]:
    """Initials of every run of two to five capitalised words, humps of a word counting as words too."""
    run: list[str] = []
    for word in re.findall(r"[A-Za-z][\w\-]*|[^\sA-Za-z]+", content):
        if word[0].isascii() and word[0].isupper():
            run.append(word)
            yield from _of(run[-5:])
        else:
            run = []


def _of(run: list[str]) -> Iterator[str]:
    for start in range(len(run)):
        words = run[start:]
        humps = [hump for word in words for hump in _HUMP.findall(word)]
        for parts in (words, humps):
            if 2 <= len(parts) <= 6:
                yield "".join(part[0] for part in parts).lower()


def _is_numeronym(short: str, words: Iterable[str]) -> bool:
    match = _NUMERONYM.fullmatch(short)
    if match is None:
        return False
    first, count, last = match.groups()
    return any(w[0] == first and w[-1] == last and len(w) == int(count) + 2 for w in words)
