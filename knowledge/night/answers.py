"""What a model may answer when it is asked to write a note, and what is believed of it. Pure.

The model only words: what it says must stand in the sources. An answer that fails any check is dropped whole, and the
template's draft is used as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import BaseModel, Field

from core.text import fold, is_weak_term, language, terms
from knowledge.night.material import Asked, Drafted, Piece, Recurring
from knowledge.notes.fields import Note, flaws

MAX_TOKENS = 3_000
GROUNDED = 0.4  # of a piece's words must stand in the body for it to count as used
_FACT = re.compile(r"[A-Za-z0-9_./:@-]*\d[A-Za-z0-9_./:@-]*|`[^`\n]+`")
_WHEN = re.compile(
    r"\b(?:read|when|before|while|whenever|use (?:it|this))\b|とき|際|前に|場合|読む|参照", re.I
)
_NUMBERED = re.compile(r"^\s*\d{1,2}[.)]\s", re.M)
_LABELS = {
    "pattern": "rule",
    "decision": "decision",
    "habit": "usual choice",
    "postmortem": "lesson",
    "fact": "fact",
    "preference": "preference",
}


class NoteAnswer(BaseModel):
    """The whole answer."""

    title: str
    description: str
    body: str
    used: list[int] = Field(default_factory=list)


def question(drafted: Drafted, *, cap: int) -> str:
    """The draft's title and the numbered sources, at most ``cap`` characters: requests go first."""
    lines = [f"[{n}] {_LABELS[piece.kind]}: {piece.text}" for n, piece in enumerate(drafted.pieces, start=1)]
    asked = [each.summary for each in _asked(drafted.recurring)]
    lines += [f"[{n}] request: {text}" for n, text in enumerate(asked, start=len(lines) + 1)]
    said = [f"draft: {drafted.title}"]
    for line in lines:
        if sum(len(each) + 1 for each in said) + len(line) > cap:
            break
        said.append(line)
    return "\n".join(said)


def problem(answer: NoteAnswer, drafted: Drafted) -> str:
    """Why the answer cannot be used; empty when it can."""
    pieces = list(drafted.pieces)
    note = Note(answer.title.strip(), "checked", answer.description.strip(), answer.body.strip("\n"))
    wrong = flaws(note)
    if wrong:
        return f"{wrong[0].field} {wrong[0].code}"
    if not _WHEN.search(note.description):
        return "the description does not say when to read it"
    if language(f"{note.description}\n{note.body}") != language("\n".join(each.text for each in pieces)):
        return "another language than the sources"
    used = set(answer.used)
    count = len(pieces) + len(_asked(drafted.recurring))
    if not used or not used <= set(range(1, count + 1)):
        return "sources that do not exist"
    if not all(_stands(pieces[n - 1], note.body) for n in used if n <= len(pieces)):
        return "a source that is named and not used"
    # Half of what a person approved may not get lost on the way into one note.
    if sum(n <= len(pieces) for n in used) * 2 < len(pieces):
        return "too few of the sources"
    said = fold(
        "\n".join([*(piece.text for piece in pieces), *(each.summary for each in _asked(drafted.recurring))])
    )
    invented = sorted(
        each for each in _facts(f"{note.title}\n{note.description}\n{note.body}") if not _says(said, each)
    )
    return f"not in the sources: {invented[0][:60]}" if invented else ""


def used(answer: NoteAnswer, drafted: Drafted) -> tuple[Piece, ...]:
    """The pieces that the answer was made from."""
    named = set(answer.used)
    return tuple(piece for n, piece in enumerate(drafted.pieces, start=1) if n in named)


def _says(folded: str, fact: str) -> bool:
    """Whether it stands there as a whole: ``3`` does not stand in ``30``."""
    return re.search(rf"(?<![a-z0-9]){re.escape(fact)}(?![a-z0-9])", folded) is not None


def _asked(groups: Sequence[Recurring]) -> list[Asked]:
    return [each for group in groups for each in group.asked[:3]][:5]


def _stands(piece: Piece, body: str) -> bool:
    """Its words, in whatever order, or the numbers and names that only it could bring."""
    before = {term for term in terms(piece.text) if not is_weak_term(term)}
    after = set(terms(body))
    return not before or sum(term in after for term in before) / len(before) >= GROUNDED


def _facts(text: str) -> set[str]:
    """Numbers, versions, paths with digits, and code: what must not be invented."""
    plain = _NUMBERED.sub(" ", text)
    return {fold(each).strip("`.,:;-") for each in _FACT.findall(plain)} - {""}
