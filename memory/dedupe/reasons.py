"""Cuts the "because …" off a text: with or without its reason, a memory is the same memory."""

from __future__ import annotations

import re

from core.text import fold, sentences

# "since 2020" is a time; "because of" and "since the …" are reasons.
_MONTHS = "january|february|march|april|may\\b|june|july|august|september|october|november|december"
_WHY = (
    rf"(?:because(?: of)?|since(?!\s+(?:\d|{_MONTHS}|last|version|v\d))|so that|in order to|due to|thanks to|given that"
    r"|otherwise|to avoid|to prevent|, as (?:it|they|that|this|we|the)\b)"
)
_FRONTED = re.compile(
    r"^(?:because(?: of)?|since|as|given that|due to|in order to|to avoid|to prevent)\s[^,]{3,}?,\s*(?P<rest>.+)$"
)
_TRAILING = re.compile(rf"^(?P<rest>.{{6,}}?)[\s,;:(—-]+{_WHY}\b.*$")
_VERB_END = r"[たるいうくすつぬむぐぶだなん]"
_JA_WHY = (
    rf"(?:(?<=[^てで])(?:ので|のに備えて)|(?<={_VERB_END})(?:から|ため)(?:に|、|だ|です|である)?"
    r"|から(?:だ|です)|ため(?:だ|です|である)|ので(?:す)?|せいで|おかげで)"
)
_JA_WHOLE = re.compile(rf"^.*{_JA_WHY}[。.!)）\s]*$")
_JA_FRONTED = re.compile(
    rf"^.{{3,}}?(?:(?:{_VERB_END}|です|ます)ので、?|(?:{_VERB_END}|です|ます)(?<!て)(?<!で)(?:から|ため(?:に)?)、)"
    r"(?P<rest>.{4,})$"
)
_JA_TRAILING = re.compile(rf"^(?P<rest>.{{4,}})[、,]\s*[^、,]*{_JA_WHY}[。.!\s]*$")
_PARENTHESIS = re.compile(r"\(([^()]*)\)")


def _is_reason(sentence: str) -> bool:
    return bool(re.match(rf"(?:{_WHY}|as)\b", sentence)) or (
        not sentence.isascii()
        and bool(_JA_WHOLE.match(sentence))
        and not sentence.rstrip("。 ").endswith("てから")
    )


def _main(sentence: str) -> str:
    for pattern in (_FRONTED, _TRAILING) if sentence.isascii() else (_JA_FRONTED, _JA_TRAILING, _TRAILING):
        if m := pattern.match(sentence):
            sentence = m["rest"]
    return sentence


def without_reasons(text: str) -> list[str]:
    """Folded main sentences of `text`; never empty for a text that has any: a lone reason stays."""
    kept: list[str] = []
    all_of_it: list[str] = []
    for start, end in sentences(text):
        sentence = fold(text[start:end])
        sentence = _PARENTHESIS.sub(lambda m: " " if _is_reason(m[1].strip()) else f" {m[1]} ", sentence)
        all_of_it.append(sentence)
        if not _is_reason(sentence):
            kept.append(_main(sentence))
    return kept or all_of_it
