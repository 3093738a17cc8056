"""The summary of a namespace from approved memories, line by line. Pure, extractive, no model (design section 6).

A line is the night's own if its words are those of a memory that it put there; every other line is a person's and stays
where it is. A line of its own that a person took out does not come back.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.text import fold, sha256, tokens
from knowledge.night import phrases
from knowledge.night.material import Piece, one_line
from knowledge.night.words import HEAD_WEIGHT, subjects

# What every session should know first, and how much of each: a summary is read before every task.
RANK = ("preference", "decision", "pattern", "postmortem", "fact")
MOST = {"preference": 20, "decision": 15, "pattern": 15, "postmortem": 8, "fact": 12}
LONGEST = 400  # characters of a line
SUBJECTS, NEARLY_ALL = 4, 0.85  # from so many subjects, and so large a share of them: one thing told twice
_FIGURE = re.compile(r"\d+")
_DENIES = re.compile(r"\b(?:no|not|never|without)\b|n't\b|ない|ません|ず[、。に]", re.I)
_BULLET = re.compile(r"^\s*[-*+・•]\s+")


@dataclass(frozen=True)
class Line:
    """That this memory's words were put into the summary: ``digest`` is that of the line."""

    id: str
    version: int
    digest: str


@dataclass(frozen=True)
class Summary:
    """The new text and the lines of memories in it."""

    body: str
    lines: tuple[Line, ...]
    added: int
    removed: int


def digest(text: str) -> str:
    """Of a line, whatever its bullet, case and width: SHA-256."""
    return sha256(fold(_BULLET.sub("", text)))


def refresh(
    body: str,
    *,
    lines: Sequence[Line],
    pieces: Sequence[Piece],
    budget: int,
    characters: int,
    language: str,
) -> Summary | None:
    """The summary as it should read now; None when it reads so already.

    ``lines`` say which memories' words the night put there before, ``pieces`` are all active memories that may stand in
    it. ``budget`` in tokens (``core.text.tokens``) and ``characters`` cap the whole; a person's lines are never cut.
    """
    own = {line.digest for line in lines}
    by_digest = _wanted(pieces)
    standing = {digest(line) for line in body.split("\n") if line.strip()}
    taken_out = {line.id for line in lines if line.digest not in standing}
    kept = [line for line in body.split("\n") if digest(line) not in own or digest(line) in by_digest]
    removed = len(body.split("\n")) - len(kept)
    here = {digest(line) for line in kept if line.strip()}
    chosen = [piece for found, piece in by_digest.items() if found in here]
    fresh = [
        piece
        for found, piece in by_digest.items()
        if found not in here and piece.id not in taken_out and len(one_line(piece.text)) <= LONGEST
    ]
    added = 0
    for piece in _in_turn(fresh, chosen):
        if any(_tells_the_same(piece, other) for other in chosen) or _stands_already(piece, kept):
            continue
        longer = _with_line(kept, piece, language)
        said = "\n".join(longer)
        if tokens(said) <= budget and len(said) <= characters:
            kept, added = longer, added + 1
            chosen.append(piece)
    text = _tidy(kept)
    if text == body.strip("\n"):
        return None
    found = tuple(Line(piece.id, piece.version, digest(piece.text)) for piece in chosen)
    return Summary(text, found, added, removed)


def _wanted(pieces: Sequence[Piece]) -> dict[str, Piece]:
    """Each text once, by its digest, the newest first."""
    found: dict[str, Piece] = {}
    for piece in sorted(pieces, key=lambda each: (each.at, each.id), reverse=True):
        if piece.kind in RANK:
            found.setdefault(digest(piece.text), piece)
    return found


def _tells_the_same(piece: Piece, other: Piece) -> bool:
    """Nearly all subjects of the shorter one stand in the other: a fact that was decided, too, needs one line."""
    one, two = _about(piece.text), _about(other.text)
    few = min(len(one), len(two))
    return (
        few >= SUBJECTS
        and _figures(piece.text) == _figures(other.text)
        and len(one & two) >= NEARLY_ALL * few
    )


def _stands_already(piece: Piece, lines: Sequence[str]) -> bool:
    """A line says it in fewer words: "every image slot is 4:3", above a memory that adds "in the shop"."""
    here = _about(piece.text)
    for line in lines:
        said = _about(line)
        close = len(said) > 1 and said <= here and len(here - said) <= 1
        if close and _figures(line) == _figures(piece.text) and not _DENIES.search(f"{line} {piece.text}"):
            return True
    return False


def _about(text: str) -> frozenset[str]:
    return frozenset(each.key for each in subjects(text) if each.weight >= HEAD_WEIGHT)


def _figures(text: str) -> frozenset[str]:
    return frozenset(_FIGURE.findall(fold(text)))


def _in_turn(fresh: Sequence[Piece], chosen: Sequence[Piece]) -> list[Piece]:
    """The kinds by rank, in rounds of three, so that twenty preferences do not leave decisions without room."""
    left: dict[str, list[Piece]] = defaultdict(list)
    for kind in RANK:
        room = MOST[kind] - sum(piece.kind == kind for piece in chosen)
        left[kind] = [piece for piece in fresh if piece.kind == kind][: max(0, room)]
    found: list[Piece] = []
    while any(left.values()):
        for kind in RANK:
            found += left[kind][:3]
            left[kind] = left[kind][3:]
    return found


def _with_line(lines: Sequence[str], piece: Piece, language: str) -> list[str]:
    headings = {f"## {phrases.HEADINGS[each][piece.kind]}" for each in phrases.HEADINGS}
    line = f"- {one_line(piece.text)}"
    start = next((place for place, each in enumerate(lines) if each.strip() in headings), None)
    if start is None:
        before = [*lines, ""] if any(each.strip() for each in lines) else []
        return [*before, f"## {phrases.HEADINGS[language][piece.kind]}", "", line]
    end = next((place for place in range(start + 1, len(lines)) if lines[place].startswith("#")), len(lines))
    last = max((place for place in range(start, end) if _BULLET.match(lines[place])), default=start)
    between = [""] if last == start else []
    return [*lines[: last + 1], *between, line, *lines[last + 1 :]]


def _tidy(lines: Sequence[str]) -> str:
    """Without headings of the night's that nothing stands under any more, and without runs of blank lines."""
    ours = {f"## {each}" for names in phrases.HEADINGS.values() for each in names.values()}
    kept: list[str] = []
    for place, line in enumerate(lines):
        following = next((each for each in lines[place + 1 :] if each.strip()), "#")
        if line.strip() in ours and following.startswith("#"):
            continue
        if line.strip() or (kept and kept[-1].strip()):
            kept.append(line)
    return "\n".join(kept).strip("\n")


def without(body: str, digests: Mapping[str, object] | Sequence[str]) -> str:
    """The text without the lines of these digests: what a deleted memory leaves behind."""
    return _tidy([line for line in body.split("\n") if not line.strip() or digest(line) not in digests])
