"""English for search: words that say nothing by themselves, and words without their endings. Pure, Python 3.9.

What is stored (terms) comes from here: after a change, ``manage.py reindex --words``.
"""

from __future__ import annotations

import re

_STOP = """
a about after all also am an and any are as at be because been before being both but by can can't could did didn't do
does doesn't doing don't for from get got had has have having he her here him his how i if in into is it it's its just
let me more most my no nor not of on only or other our out over own please same she should so some such than that the
their them then there these they this those through to too under until up very was we were what when where which while
who why will with won't would you your
"""
STOP_WORDS = frozenset(_STOP.split())
_FORMS = """
become became|begin began begun|bend bent|bind bound|bite bit bitten|blow blew blown|break broke broken|bring brought
build built|burn burnt|buy bought|catch caught|choose chose chosen|come came|deal dealt|dig dug|draw drew drawn
drink drank drunk|drive drove driven|eat ate eaten|embed embeds|fall fell fallen|feed fed|feel felt|fight fought
find found|fly flew flown|forget forgot forgotten|freeze froze frozen|give gave given|go goes going went gone
grow grew grown
hang hung|hear heard|hide hid hidden|hold held|keep kept|know knew known|lead led|learn learnt|lend lent|lose lost
make made|mean meant|meet met|pay paid|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen
sell sold|send sent|shake shook shaken|shoot shot|sing sang sung|sink sank sunk|sit sat|sleep slept|speak spoke spoken
spend spent|spin spun|stand stood|steal stole stolen|stick stuck|strike struck|swear swore sworn|swim swam swum
take took taken|teach taught|tear tore torn|tell told|think thought|throw threw thrown|understand understood
wake woke woken|wear wore worn|win won|write wrote written|child children|foot feet|half halves|index indices
knife knives|life lives|man men|matrix matrices|mouse mice|shelf shelves|tooth teeth|vertex vertices|wife wives
woman women
"""
# What no rule of endings knows: "When did you meet?" has to find "we met".
IRREGULAR = {
    form: base for base, *forms in map(str.split, re.split(r"[|\n]", _FORMS.strip())) for form in forms
}
_WHOLE = {**dict.fromkeys(("use", "uses", "used", "using"), "use"), "embed": "embed"}
_VOWEL = re.compile("[aeiouy]")


def stem(word: str) -> str:
    """Lower-case English word without plural, -ing, -ed and final -e: caches, caching, cache → cach; met → meet.

    Deliberately light: it never changes a word's class, leaves words with digits or other scripts alone, and errs on
    the side of two stems. Both index and query go through it, so a stem need not be a word.
    """
    word = IRREGULAR.get(word, word)
    if word in _WHOLE:
        return _WHOLE[word]
    if len(word) < 4 or not word.isascii() or not word.isalpha() or word in STOP_WORDS:
        return word
    if word.endswith(("ies", "ied")):
        word = word[:-3] + "y" if len(word) > 4 else word[:-1]
    elif word.endswith(("sses", "shes", "ches", "xes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for suffix in ("ing", "ed"):
        root = word[: -len(suffix)]
        if word.endswith(suffix) and not word.endswith("eed") and len(root) >= 3 and _VOWEL.search(root):
            word = root[:-1] if root[-1] == root[-2] and root[-1] not in "lsz" else root
            break
    if word.endswith("e") and len(word) > 3 and _VOWEL.search(word[:-1]):
        word = word[:-1]
    return word
