"""A topic as a note, from templates: what is in it stands verbatim in approved memories. Pure, deterministic."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from core.text import fold
from knowledge.night import phrases
from knowledge.night.material import Drafted, Piece, Topic, one_line
from knowledge.night.words import ascii_word, other_language
from knowledge.notes import slugs
from knowledge.notes.fields import MAX_BODY, MAX_DESCRIPTION, MAX_TITLE

HEADS_IN_SLUG = 2
ORDERS = 3  # examples of how it was asked for
MOST_ORDER = 80  # characters of one


def draft(topic: Topic, *, taken: Collection[str], bilingual: bool = False) -> Drafted:
    """The note. ``taken`` are slugs of the namespace; ``bilingual``: people there use both languages, so name the
    subjects in both.
    """
    language = topic.language
    pieces = _fitting(topic.pieces)
    kinds = {piece.kind for piece in pieces}
    heads = [form for _key, form in topic.heads]
    orders = orders_of(topic)
    asks = [asked for piece in pieces if (asked := phrases.question_of(piece.text))][:ORDERS]
    others = other_words(topic.heads, language) if bilingual else []
    title = title_of(topic, pieces)[:MAX_TITLE]
    return Drafted(
        title=title,
        slug=slug_for(topic.heads, title, taken),
        description=describe(subject(heads, pieces, language), heads, kinds, orders, asks, others, language),
        body=body(pieces, language),
        confidence=confidence(topic),
        pieces=tuple(pieces),
        recurring=topic.recurring,
        language=language,
    )


def title_of(topic: Topic, pieces: Sequence[Piece]) -> str:
    """After its subject, as most texts put it: ``deploys to production``, 「請求書のPDF」."""
    language = topic.language
    kinds = {piece.kind for piece in pieces}
    questions = [phrases.question_of(piece.text) for piece in pieces if piece.kind == "habit"]
    if kinds == {"habit"}:
        return phrases.title_of_habit(questions[0], language)
    return phrases.title(subject([form for _key, form in topic.heads], pieces, language), kinds, language)


def subject(heads: Sequence[str], pieces: Sequence[Piece], language: str) -> str:
    """The first head, in the compound that two texts form with it; with the second head where half of them name it."""
    texts = [piece.text for piece in pieces]
    lead = heads[0]
    joint = r"の?" if language == "ja" else r"\w{0,2}(?:\s(?:to|of|for|in|on))?(?:\sthe)?[\s-]"
    for other in heads[1:5]:
        pair = rf"{re.escape(lead)}{joint}{re.escape(other)}|{re.escape(other)}{joint}{re.escape(lead)}"
        told = [match.group() for text in texts if (match := re.search(pair, text, re.I))]
        if len(told) > 1:
            return Counter(told).most_common(1)[0][0]
    if len(heads) > 1 and sum(heads[1].lower() in text.lower() for text in texts) * 2 > len(texts):
        return "と".join(heads[:2]) if language == "ja" else phrases.listed(heads[:2], "en")
    return lead


def slug_for(heads: Sequence[tuple[str, str]], title: str, taken: Collection[str]) -> str:
    """ASCII whatever the language: the subjects' English names where the thesaurus knows them."""
    words = [word for key, _form in heads[:HEADS_IN_SLUG] if (word := ascii_word(key))]
    return slugs.suggest(" ".join(words), taken) if words else slugs.suggest(title, taken)


def body(pieces: Sequence[Piece], language: str) -> str:
    """Sections by kind, the rules first, each piece a line; the last line says what it was made from."""
    parts: list[str] = []
    for kind in phrases.ORDER:
        lines = [f"- {one_line(piece.text)}" for piece in pieces if piece.kind == kind]
        if lines:
            parts.append("\n".join([f"## {phrases.HEADINGS[language][kind]}", "", *lines]))
    return "\n\n".join([*parts, footer(pieces, language)])


def footer(pieces: Sequence[Piece], language: str) -> str:
    memories = [piece for piece in pieces if piece.type == "memory"]
    days = sorted(piece.at.date().isoformat() for piece in memories) or [""]
    habits = len(pieces) - len(memories)
    return phrases.made_from(len(memories), days[0], days[-1], language, habits=habits)


def confidence(topic: Topic) -> float:
    """0 to 1: how much is there, whether it is a procedure or a lesson, and whether it recurs."""
    kinds = {piece.kind for piece in topic.pieces}
    sure = 0.5 + 0.05 * min(len(topic.pieces), 5)
    sure += 0.1 if kinds & {"pattern", "postmortem"} else 0.0
    sure += 0.1 if topic.recurring else 0.0
    return round(min(sure, 0.9), 2)


def orders_of(topic: Topic) -> list[str]:
    """How it was asked for, the latest first, each once; only in the note's language."""
    found: dict[str, str] = {}
    for group in topic.recurring:
        for asked in group.asked:
            said = phrases.order(asked.summary)
            fits = asked.language in (topic.language, "und")
            if fits and 0 < len(said) <= MOST_ORDER and "[redacted" not in said:
                found.setdefault(fold(said), said)
    return list(found.values())[:ORDERS]


def other_words(heads: Sequence[tuple[str, str]], language: str) -> list[str]:
    """The subjects in the other language, where they are not written alike."""
    words = [other_language(key, language) for key, _form in heads[:4]]
    return [word for word in words if word and word not in {form for _key, form in heads}]


def describe(
    about: str,
    heads: Sequence[str],
    kinds: Collection[str],
    orders: Sequence[str],
    questions: Sequence[str],
    others: Sequence[str],
    language: str,
) -> str:
    """What it is and when to read it, within the limit: the examples go first, then the last subjects."""
    left, orders, questions, others = list(heads), list(orders), list(questions), list(others)
    while True:
        said = phrases.description(about, kinds, orders, questions, left, others, language)
        if len(said) <= MAX_DESCRIPTION or not (orders or questions or others or left[1:]):
            return said[:MAX_DESCRIPTION]
        (orders or questions or others or left).pop()


def _fitting(pieces: Sequence[Piece]) -> list[Piece]:
    """As many as a note's text holds, the worthiest kinds first; in their order in time."""
    rank: Mapping[str, int] = {kind: place for place, kind in enumerate(phrases.ORDER)}
    room = MAX_BODY - 600  # headings and the last line
    kept: set[str] = set()
    for piece in sorted(pieces, key=lambda each: (rank[each.kind], -each.at.timestamp(), each.id)):
        need = len(one_line(piece.text)) + 3
        if need <= room:
            room -= need
            kept.add(piece.id)
    return [piece for piece in pieces if piece.id in kept]
