"""The `rules` extractor: window in, proposals out.  No network, no model, a few milliseconds.

Order of the pass: whose voice (voice) → units (segment) → cues (features) → judge → groups → text.
"""

from __future__ import annotations

import re
from itertools import pairwise

from memory.extractors.base import Extraction, Proposal, Span, Window
from memory.extractors.rules.adoption import adopted
from memory.extractors.rules.content import fits, tidy, topic
from memory.extractors.rules.forms import columns, cue_form
from memory.extractors.rules.groups import RANGE, TURN, Group, group, starts_anew
from memory.extractors.rules.judge import why
from memory.extractors.rules.kinds import scope_of
from memory.extractors.rules.listen import Heard, listen
from memory.extractors.rules.requests import requests
from memory.extractors.rules.secrets import looks_secret
from memory.extractors.rules.surroundings import content_terms
from memory.extractors.rules.threads import last_word
from memory.extractors.rules.withdrawal import retracts, withdrawals


class RulesExtractor:
    """English, Japanese and mixed conversations; see `memory.extractors.base.Extractor`."""

    name = "rules"
    version = "3"

    def extract(self, window: Window) -> Extraction:
        """Every lasting statement of the person in scope, each with its verbatim evidence.

        Pure and deterministic; never raises on any text.
        """
        heard = listen(window)
        told: list[tuple[int, Proposal]] = []
        for h in heard:
            yes = adopted(window, h)
            first = yes is not None and not looks_secret(yes.content)
            fresh = [yes] if yes is not None and first else []
            # After "B, …" only what starts anew is a further statement; the rest comments on the choice.
            fresh += [
                p
                for g in group(h, TURN if window.mode == "turn" else RANGE)
                if (not first or starts_anew(h, g.main)) and (p := _statement(window, h, g)) is not None
            ]
            told += [(h.at, _placed(p, window)) for p in fresh]
        kept = last_word(told, {h.at for h in heard if retracts(h)}, window)
        return Extraction(
            proposals=tuple(kept),
            requests=tuple(n for h in heard for n in requests(h)),
            withdrawals=tuple(withdrawals(heard)),
        )


def _placed(p: Proposal, window: Window) -> Proposal:
    """A proposal goes where something is active: without a workspace all belongs to the persona."""
    scope = p.scope
    if scope == "workspace" and window.workspace is None and window.persona is not None:
        scope = "persona"
    elif scope == "persona" and window.persona is None and window.workspace is not None:
        scope = "workspace"
    return Proposal(p.kind, p.content, scope, p.confidence, p.spans, p.why)


def _statement(window: Window, heard: Heard, g: Group) -> Proposal | None:
    text = heard.utterance.text
    main = heard.units[g.main]
    content = _text(heard, g.members)
    if not fits(content):
        content = _text(heard, (g.main,))
    content = _with_topic(window, heard, g, content)
    if not fits(content) or looks_secret(content) or looks_secret(main.text):
        return None
    order = (g.main, *(m for m in g.members if m != g.main))
    spans = tuple(
        Span(heard.utterance.ref, heard.units[i].text, heard.units[i].start, heard.units[i].end, "statement")
        for i in order
        if not looks_secret(heard.units[i].text)
    )
    assert all(text[s.start : s.end] == s.quote for s in spans)
    own, traits = heard.own[g.main], heard.traits[g.main]
    scope = scope_of(g.kind, own | _message_wish(heard), cue_form(content))
    return Proposal(g.kind, content, scope, round(g.chance, 2), spans, why(traits))


def _message_wish(heard: Heard) -> frozenset[str]:
    return frozenset().union(*heard.own) & {"i_me", "you_agent"}


def _text(heard: Heard, members: tuple[int, ...]) -> str:
    """The words of the members, joined where they touch, without secrets."""
    parts = [heard.units[i] for i in members if not looks_secret(heard.units[i].text)]
    if not parts:
        return ""
    joiner = "" if parts[0].japanese else " "
    out = tidy(parts[0].text)
    for before, part in pairwise(parts):
        between = heard.utterance.text[before.end : part.start]
        same = before.sentence == part.sentence
        out += (
            between
            if same and len(between) < 8
            else joiner
            if re.search(r"[.。!！?？]$", out)
            else "。"
            if part.japanese
            else ". "
        ) + part.text
    return re.sub(r"\s+", " ", out).strip()


_NEEDS_TOPIC_EN = re.compile(
    r"^[^\w぀-ヿ㐀-鿿]*(?:so |and |but )?(?:its?|that|thats|this|these|they|those|make it|"
    r"set it|keep it|use it|since|after|before|in|at|for|no|not|always|same)\b",
    re.A,
)
_HAS_TOPIC_JA = re.compile(
    r"^(?!(?:今|いま|現在|これから|今後|以降)は)[^、。]{1,40}(?:は|が|も|を|には|では)"
)


def _with_topic(window: Window, heard: Heard, g: Group, content: str) -> str:
    """Names the subject that "make it 50" or 「23時だった」 leaves to the conversation."""
    main, form = heard.units[g.main], cue_form(content)
    if g.kind == "preference" or heard.own[g.main] & {"self_habit", "for_me"}:
        return content  # a wish towards the agent needs no subject
    if main.japanese:
        deictic = bool(re.match(r"^(?:そこ|それ|これ|あれ|そっち|こっち)", form))
        lacking = deictic or (columns(content) < 44 and not _HAS_TOPIC_JA.match(form))
    else:
        lacking = bool(_NEEDS_TOPIC_EN.match(form))
    if not lacking or "remember" in heard.own[g.main]:
        return content
    for sentence in _before(window, heard, main.start):
        about = topic(sentence)
        if about and _adds_subject(about, content):
            named = f"{about}: {content}"
            return named if fits(named) else content
    return content


_PRONOUN_FIRST = re.compile(
    r"^(?:it|its|it's|that|thats|they|this|these|those|それ|そこ|これ|そっち|こっち)\b", re.I | re.A
)


def _adds_subject(about: str, content: str) -> bool:
    """A pronoun always needs its noun; a statement that shares a word with the subject already names it."""
    if _PRONOUN_FIRST.match(content):
        return about.lower() not in content.lower() and len(about) > 2
    return bool(content_terms(about)) and not content_terms(about) & content_terms(content)


def _before(window: Window, heard: Heard, start: int) -> list[str]:
    """Sentences that may name the subject, likeliest first.

    A correction speaks of what the person said before; anything else of what stands right before it.
    """
    own = [u.text for u in reversed(heard.units) if u.end <= start]
    earlier = window.utterances[max(0, heard.at - 3) : heard.at][::-1]
    person = [s for u in earlier if u.origin == "human" for s in _split(u.text)]
    agent = [s for u in earlier if u.origin == "agent" for s in _split(u.text)]
    return person + own + agent if retracts(heard) else own + agent + person


def _split(text: str) -> list[str]:
    return [s for s in re.split(r"(?<=[.。!?！？\n])\s*", text) if s.strip()][:3]
