"""Questions that nobody but the person may settle: over-inclusive on purpose (design section 5, "Ask or resolve").

A word too many costs one question; a word too few may cost a database. English stems match with their endings at word
borders ("drop" is not in "dropdown"), Japanese words wherever they stand.
"""

from __future__ import annotations

import re
from pathlib import Path

from core.text import fold

from .types import Question


def _words(file: str) -> list[str]:
    lines = (Path(__file__).parent / "words" / file).read_text(encoding="utf-8").splitlines()
    return [word for line in lines if not line.startswith("#") for word in line.split()]


_ENGLISH = _words("sensitive_en.txt")
_PHRASES = (
    r"go(?:ing)? live",
    r"rm -rf?",
    r"git (?:push|reset|clean|filter-\w+)",
    r"--(?:force|hard|no-verify|yes|prune)\b",
    r"\bdata ?loss\b",
    r"\bapi[ -]?keys?\b",
    r"\b(?:private|public|access|encryption|signing|master) keys?\b",
    r"\bmake (?:it |\w+ )?public\b",
    r"\bpush(?:es|ed|ing)? (?:it |\w+ )?(?:straight |directly )?to (?:main|master|trunk)\b",
    r"\bcan(?:not|'t) be undone\b",
    r"\b(?:scal|bring|tak)(?:e|ing) (?:it |\w+ )?(?:down|offline)\b",
    r"\b(?:no|without) (?:a )?(?:backup|review|tests?)\b",
)
_JAPANESE = _words("sensitive_ja.txt")


def _stems(words: list[str]) -> str:
    """Any of them. By their first letters, because each word of a text is tried against all."""
    by_first = {word[0]: [w for w in words if w[0] == word[0]] for word in words}
    return "|".join(f"{re.escape(first)}(?:{'|'.join(map(_rest, some))})" for first, some in by_first.items())


def _rest(word: str) -> str:
    return rf"{re.escape(word[1:-1])}\w*" if word.endswith("*") else rf"{re.escape(word[1:])}s?"


_SENSITIVE = re.compile(
    # ASCII borders: in 「DBをdropする」 the kana around a word do not belong to it
    rf"(?a:\b(?:{_stems(_ENGLISH)})\b)|{'|'.join(_PHRASES)}|{'|'.join(map(re.escape, _JAPANESE))}"
)


def sensitive_words(question: Question) -> tuple[str, ...]:
    """The words that make a question sensitive or irreversible, in reading order, each once.

    Question, header, labels and descriptions are read.
    """
    texts = [question.text, question.header]
    texts += [text for option in question.options for text in (option.label, option.description)]
    # At once: an agent waits for this. No phrase goes across the mark between two texts.
    found = _SENSITIVE.finditer(_spaced(" ¶ ".join(texts)))
    return tuple(dict.fromkeys(match.group() for match in found))


def is_sensitive(question: Question) -> bool:
    """Must a person answer this whatever was learned? The asker's own word counts too."""
    return question.sensitive or bool(sensitive_words(question))


def _spaced(text: str) -> str:
    """Folded; drop_table, dropTable and force-push fall into their words."""
    return fold(re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", " ", text))
