"""The recurring question behind a question: what varies from day to day goes out (design section 5, "Readings")."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

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
# How one asks which; what is asked about stands beside it.
_ASKING = frozenset(
    terms(
        "use want like prefer apply choose select pick follow adopt need fit suit decide specify best right shall go"
    )
)
_ASKING_JA = re.compile(
    r"(?:を|は|から|で)?(?:選択|使用|利用|採用|適用|指定|希望|選[んぶびべ]|使[いうっ]|決め|進め)(?:して|し|する|で|て)?"
    r"(?:(?:ください|下さい|たい|よい|いい|ほうが|べき)|(?:です|ます|ましょう)?か?)*"
    r"|(?:は|を)?(?:どの|どれ|どちら|どう|いずれ|何)(?:を|に|が|の)?"
    r"|に?(?:します|しましょう|する|なります)か?|(?:が|で)?(?:いい|よい|良い)(?:です)?か?|ですか"
)
_RUN_JA = re.compile(r"[一-龠々]+|[ァ-ヶー]+")
_JA = re.compile(r"[ぁ-んァ-ヶー一-龠々]+")
_PARTICLE_JA = re.compile(r"(?<=[^\sぁ-ん])[のはをにでがと](?=[^ぁ-ん]|$)")


# A new question is held against every other one with its options, and an answer against all that was recommended in the
# session: the same texts again and again, while somebody waits.
@lru_cache(maxsize=1024)
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


def likeness(a: str, b: str, *, which: bool = False) -> float:
    """How alike two question texts are, 0..1: the share of words (CJK: character pairs) in common, weak words halved.

    1 where the templates are equal; 0 where opposites meet (before/after, keep/delete, する/しない): those never
    merge, whatever else they share. At most the share of the words that say what is asked about, since "Which … for the
    … of the …?" alone is no question. ``which``: a choice among named options, where it does not matter whether one
    is to select, to use or to want one of them.
    """
    if polarity(a) != polarity(b):
        return 0.0
    one, two = template_of(a), template_of(b)
    if one == two:
        return 1.0
    if which and (left := _asked_about(one)) and (right := _asked_about(two)):
        return _common(left, right)
    left, right = _weights(one), _weights(two)
    strong = _common({t: w for t, w in left.items() if w == 1}, {t: w for t, w in right.items() if w == 1})
    return min(_common(left, right), strong)


@lru_cache(maxsize=1024)
def _asked_about(template: str) -> Mapping[str, float]:
    """The words that say what is asked about, without those that only ask; maybe none.

    Whole words, Japanese ones by script: pairs of letters would weigh a long word more than what makes the difference.
    """
    bare = _PARTICLE_JA.sub(" ", _ASKING_JA.sub(" ", template))
    words = dict.fromkeys(_RUN_JA.findall(bare), 1.0)
    latin = terms(_JA.sub(" ", bare))
    return words | {t: 1.0 for t in latin if t not in _ASKING and t != "_" and not is_weak_term(t)}


def _common(left: Mapping[str, float], right: Mapping[str, float]) -> float:
    """Of the weight on both sides, the part in common; 1 where neither side has any."""
    total = sum(left.values()) + sum(right.values())
    return 2 * sum(weight for term, weight in left.items() if term in right) / total if total else 1.0


@lru_cache(maxsize=1024)
def _weights(template: str) -> Mapping[str, float]:
    return {term: 0.5 if is_weak_term(term) else 1.0 for term in terms(template) if term != "_"}
