"""Under which texts a question was shown: the asker's labels, and every text that we issued for an option of it."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from core.text import fold
from decisions.capture.shapes import Asked
from decisions.learning.labels import has_marker, option_key
from decisions.learning.templates import template_of
from decisions.learning.types import OptionIn, Question
from decisions.models import Marker, Recommendation
from transcripts.models import AgentSession

_LATEST = 40  # recommendations of one session that are looked through
_READ = (
    "question",
    "options",
    "labelled",
    "leader",
    "text",
    "fate",
    "choice",
    "strength",
    "probe",
    "context",
)  # not their evidence


@dataclass(frozen=True)
class Shown:
    """A question with its options under their own labels. ``displays``: every text that stood for one → its key.

    ``advice``: the recommendation for just these options in the session, which this dialog shows (``_advice``).
    """

    question: Question
    displays: dict[str, str] = field(default_factory=dict)
    advice: Recommendation | None = None
    marked: str = ""

    @property
    def marked_by(self) -> str:
        if not self.marked:
            return Marker.NONE
        ours = self.advice is not None and self.advice.labelled and self.advice.leader == self.marked
        return Marker.HIKAE if ours else Marker.ASKER


def shown_as(*, session: AgentSession | None, asked: Sequence[Asked]) -> list[Shown]:
    """One query. Without a session nothing was displayed that could be recognised."""
    issued: list[Recommendation] = []
    if session is not None:
        rows = Recommendation.objects.filter(session=session, user_id=session.user_id)
        issued = list(rows.order_by("-issued_at").only(*_READ)[:_LATEST])
    found: list[Shown] = []
    for each in asked:
        taken = {shown.advice.pk for shown in found if shown.advice}
        found.append(_shown(each, issued, taken))
    return found


def _shown(asked: Asked, issued: Sequence[Recommendation], taken: Collection[uuid.UUID]) -> Shown:
    ours = _about(asked.text, issued)
    displays = {fold(text): (key, label) for rec in reversed(ours) for text, key, label in _texts(rec)}
    options = tuple(_plain(option, displays) for option in asked.options)
    keys = {option_key(option.label) for option in options}
    texts = {text: key for text, (key, _label) in displays.items() if key in keys}
    texts |= {
        shown.label: option_key(plain.label) for shown, plain in zip(asked.options, options, strict=True)
    }
    marked = [
        option_key(plain.label)
        for shown, plain in zip(asked.options, options, strict=True)
        if has_marker(shown.label)
    ]
    return Shown(
        question=Question(
            asked.text, options, header=asked.header, multi=asked.multi, category=asked.category
        ),
        displays=texts,
        advice=_advice(asked.text, [rec for rec in ours if _keys(rec) == keys], taken, marked=bool(marked)),
        marked=marked[0] if marked else "",
    )


def _texts(rec: Recommendation) -> Iterator[tuple[str, str, str]]:
    """Every text that stood for an option, with its key and label: the line about the leader, too."""
    for option in rec.options:
        yield option["display"], option["key"], option["label"]
        if rec.text and option["key"] == rec.leader:
            yield rec.text, option["key"], option["label"]


def _keys(rec: Recommendation) -> set[str]:
    return {option["key"] for option in rec.options}


def _advice(
    text: str, given: Sequence[Recommendation], taken: Collection[uuid.UUID], *, marked: bool
) -> Recommendation | None:
    """The latest that no other question of the call takes; before all, one in these very words that is still open.

    One that led to a choice already is shown again only where an option carries a mark: without any, this dialog was
    composed without us.
    """
    ranked = sorted(
        given, key=lambda rec: (rec.pk in taken, not (rec.question == text and not rec.choice_id))
    )
    found = ranked[0] if ranked else None
    return None if found is not None and found.choice_id and not marked else found


def _about(text: str, issued: Sequence[Recommendation]) -> list[Recommendation]:
    if not issued:
        return []
    template = template_of(text)
    return [rec for rec in issued if rec.question == text or template_of(rec.question) == template]


def _plain(option: OptionIn, displays: dict[str, tuple[str, str]]) -> OptionIn:
    """The option under its own label: a text without a marker that we displayed is no label of its own."""
    found = displays.get(fold(option.label))
    return replace(option, label=found[1]) if found else option
