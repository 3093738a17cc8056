"""New words for a note that exists: before a new note is drafted, what belongs to an old one goes there. Pure.

Only lines are added, or exchanged where what they say is no longer true; everything else stays as a person left it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from core.text import containment, fold, shingles
from knowledge.night import phrases
from knowledge.night.material import WORTH, Changed, Held, Piece, one_line
from knowledge.night.words import HEAD_WEIGHT, keys, subjects
from knowledge.notes.fields import MAX_BODY, MAX_DESCRIPTION

BELONGS = 0.5  # of a piece's subjects, by weight: what the note is about
SAID_ALREADY = 0.8  # of a piece's words stand in the note
_BULLET = re.compile(r"^\s*[-*+・•]\s+")


def belonging(held: Sequence[Held], pieces: Sequence[Piece], free: frozenset[str]) -> dict[str, list[Piece]]:
    """Free pieces by the id of the note that they belong to; those that it says already are in none."""
    about = {note.id: (keys(f"{note.title}\n{note.slug.replace('-', ' ')}"), _profile(note)) for note in held}
    naming: dict[str, set[str]] = defaultdict(set)
    for note_id, (named, _all) in about.items():
        for key in named:
            naming[key].add(note_id)
    notes = {note.id: note for note in held}
    found: dict[str, list[Piece]] = defaultdict(list)
    for piece in pieces:
        if piece.id not in free or piece.kind not in WORTH:
            continue
        weights = {each.key: each.weight for each in subjects(piece.text) if each.weight >= HEAD_WEIGHT}
        total = sum(weights.values())
        near = {note_id for key in weights for note_id in naming.get(key, ())}
        scored = [
            (sum(weight for key, weight in weights.items() if key in about[note_id][1]) / total, note_id)
            for note_id in near
        ]
        best = max(scored, default=(0.0, ""))
        if best[0] >= BELONGS and not says(notes[best[1]], piece.text):
            found[best[1]].append(piece)
    return found


def says(note: Held, text: str) -> bool:
    """Whether the note's text holds nearly all of these words already."""
    return containment(shingles(text), shingles(note.body)) >= SAID_ALREADY


def change(note: Held, *, added: Sequence[Piece], gone: Mapping[str, str], language: str) -> Changed | None:
    """The note with new lines and without those that are no longer true; None when nothing changes or it gets too long.

    ``gone`` maps the text of a line to what is true now ("" where nothing is).
    """
    lines = [_exchanged(line, gone) for line in note.body.split("\n")]
    kept = [line for line in lines if line is not None]
    fitting: list[Piece] = []
    for piece in sorted(added, key=lambda each: (each.at, each.id)):
        longer = _with_line(kept, piece, language)
        if len("\n".join(longer)) <= MAX_BODY - 200:
            kept = longer
            fitting.append(piece)
    body = "\n".join(kept).strip("\n")
    if body == note.body or not body:
        return None
    described = _described(note.description, fitting, language)
    true_now = {old: new for old, new in gone.items() if _stands(note.body, old)}
    sure = min(0.6 + 0.1 * len(fitting) + (0.15 if true_now else 0.0), 0.9)
    return Changed(note, described, body, round(sure, 2), tuple(fitting), true_now)


def _profile(note: Held) -> frozenset[str]:
    return keys(f"{note.title}\n{note.description}") | keys(note.body)


def _exchanged(line: str, gone: Mapping[str, str]) -> str | None:
    bullet = _BULLET.match(line)
    if bullet is None:
        return line
    said = fold(line[bullet.end() :])
    for old, new in gone.items():
        if said == fold(old):
            return f"{bullet.group()}{one_line(new)}" if new else None
    return line


def _stands(body: str, text: str) -> bool:
    return any(fold(_BULLET.sub("", line)) == fold(text) for line in body.split("\n"))


def _with_line(lines: Sequence[str], piece: Piece, language: str) -> list[str]:
    """Below the last line of its section, in either language; else a section of its own before the last line."""
    headings = {f"## {phrases.HEADINGS[each][piece.kind]}" for each in phrases.HEADINGS}
    line = f"- {one_line(piece.text)}"
    start = next((place for place, each in enumerate(lines) if each.strip() in headings), None)
    if start is not None:
        end = next(
            (place for place in range(start + 1, len(lines)) if lines[place].startswith("#")), len(lines)
        )
        last = max((place for place in range(start, end) if _BULLET.match(lines[place])), default=start)
        between = [""] if last == start else []
        return [*lines[: last + 1], *between, line, *lines[last + 1 :]]
    section = ["", f"## {phrases.HEADINGS[language][piece.kind]}", "", line]
    if lines and phrases.MADE_FROM.match(lines[-1].strip()):
        return [*_trimmed(lines[:-1]), *section, "", lines[-1]]
    return [*_trimmed(lines), *section]


def _trimmed(lines: Sequence[str]) -> list[str]:
    held = list(lines)
    while held and not held[-1].strip():
        held.pop()
    return held


def _described(description: str, added: Sequence[Piece], language: str) -> str:
    """With the new pieces' subjects named, where it does not name them; a person's own sentences stay in front."""
    known = keys(description)
    new = [
        each.form
        for piece in added
        for each in subjects(piece.text)
        if each.weight >= HEAD_WEIGHT and each.key not in known
    ]
    words = list(dict.fromkeys(new))[:3]
    if not words:
        return description
    listed = phrases.listed(words, language)
    more = f"{listed}に関わるときも読む。" if language == "ja" else f" Also for {listed}."
    said = f"{description}{more}"
    return said if len(said) <= MAX_DESCRIPTION else description
