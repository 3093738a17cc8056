"""The recurring question behind a question: what varies from day to day goes out (design section 5, "Readings")."""

from __future__ import annotations

import re
import unicodedata

from core.text import fold, is_weak_term, normal_form, terms

from .polar import polarity

_QUOTED = re.compile(
    r"`[^`\n]{1,200}`|\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|‘[^’\n]{1,200}’|«[^»\n]{1,200}»"
    r"|(?<!\w)'[^'\n]{1,200}'(?!\w)|「[^」\n]{1,200}」|『[^』\n]{1,200}』"
)
# Case still tells an id from a word: SPEC-AUTH-001, JIRA-12.
_CODE_ID = re.compile(r"(?<![\w-])[A-Z][A-Z0-9]*(?:[-_][A-Z0-9]+)*[-_]\d+(?![\w-])")
_VARYING = re.compile(
    r"""
    [a-z][a-z0-9+.-]*://[^\s<>()、。「」]+                                    # URLs
  | [\w.+-]+@[\w-]+(?:\.[\w-]+)+                                            # addresses
  | (?<![\w/])(?:~|\.{1,2})?(?:/[\w.@+\-]+)+/?                              # absolute and relative paths
  | (?<![\w/])[A-Za-z]:\\[^\s"'<>|]+                                        # paths with a drive letter
  | (?<![\w./-])[\w.@+-]+(?:/[\w.@+-]+)+\.[a-z]\w{0,5}(?![\w/])             # src/app/main.py
  | (?<![\w./-])[\w.@+-]+(?:/[\w.@+-]+){2,}/?(?!\w)                         # feature/auth/login
  | (?<![\w./-])(?:feature|feat|fix|bugfix|hotfix|release|chore)/[\w.@+-]+  # branch names
  | (?<![\w./-])[\w-]+\.(?:py|pyi|js|jsx|ts|tsx|go|rs|rb|java|kt|c|h|cpp|cs|php|swift|sql|md|rst|txt|toml|ya?ml
      |json|jsonl|ini|cfg|conf|env|lock|sh|html?|css|scss|vue|svelte|csv|log|xml|proto|ipynb|tf)(?![\w/])
  | \b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b        # UUIDs
  | \b(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}\b                           # commit ids
  | (?<!\w)[\#@]\d[\w-]*                                                    # #12
  | (?<![\w-])\w*[a-z][-_]\d+(?![\w-])(?=\b)                                # spec-12
  | (?<![\w])v?\d+(?:[.,:/\-]\d+)*(?:\s?%|[a-z]{1,2}(?![a-z0-9]))?(?!\w*[a-z]{3})  # 12, v3.11, 10:30, 50%, 12ms
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_HOLE = " _ "


def template_of(question: str) -> str:
    """The normalised question with numbers, paths, ids and quoted names out; what equal questions share.

    Each of them leaves a hole, so that "rename A to B" and "rename A" stay apart. A quoted word that decides the
    direction (「有効」, "delete") stays: opposites must not meet. Never empty for a text with a letter or digit.
    """
    narrow = unicodedata.normalize("NFKC", question)  # full-width numbers are numbers
    text = _QUOTED.sub(lambda m: m.group() if polarity(m.group()) else _HOLE, narrow)
    text = _VARYING.sub(_HOLE, _CODE_ID.sub(_HOLE, text))
    shape = normal_form(text.replace("_", " _ "))
    return " ".join(re.sub(r"(?:_\s*)+", " _ ", shape).split()) or fold(question)


def likeness(a: str, b: str) -> float:
    """How alike two question texts are, 0..1: the share of words (CJK: character pairs) in common, weak words halved.

    1 where the templates are equal; 0 where opposites meet (before/after, keep/delete, する/しない): those never
    merge, whatever else they share. At most the share of the words that say what is asked about, since "Which … for the
    … of the …?" alone is no question.
    """
    if polarity(a) != polarity(b):
        return 0.0
    one, two = template_of(a), template_of(b)
    if one == two:
        return 1.0
    left, right = _weights(one), _weights(two)
    strong = _common({t: w for t, w in left.items() if w == 1}, {t: w for t, w in right.items() if w == 1})
    return min(_common(left, right), strong)


def _common(left: dict[str, float], right: dict[str, float]) -> float:
    """Of the weight on both sides, the part in common; 1 where neither side has any."""
    total = sum(left.values()) + sum(right.values())
    return 2 * sum(weight for term, weight in left.items() if term in right) / total if total else 1.0


def _weights(template: str) -> dict[str, float]:
    return {term: 0.5 if is_weak_term(term) else 1.0 for term in terms(template) if term != "_"}
