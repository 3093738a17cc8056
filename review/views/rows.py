"""What a row says in words: confidence, age, and the bands that ask for care (review-ux lines 11, 13, 27)."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory.models import Candidate
from memory.services.archive import CANDIDATE_ARCHIVE_DAYS
from review.services.acts import HEAVY

AMBER_DAYS, RED_DAYS = 7, 2
ENDLESS = 1_000  # letters; a longer text is shown in a window of its own height
# Zero width, direction overrides, and tag letters that spell words nobody sees. Joiners belong to emoji and scripts.
_UNSEEN = re.compile("[\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]")
MEDIUM, HIGH = 0.5, 0.8


@dataclass(frozen=True)
class Level:
    """Confidence as a word with dots; the number is for the tooltip."""

    word: str
    dots: Sequence[bool]
    percent: int


@dataclass(frozen=True)
class Age:
    text: str
    tone: str  # "", "soon" (amber), "now" (red)


@dataclass(frozen=True)
class Band:
    """Sentences that ask for care; ``memory`` is the one it disagrees with."""

    sentences: Sequence[str]
    tone: str  # "" (red), "amber"
    memory: object = None


@dataclass(frozen=True)
class Row:
    """A candidate as the queue shows it. ``armed`` asks for the second press, ``note`` says what others did."""

    candidate: Candidate
    heavy: bool
    level: Level
    age: Age | None
    bands: Sequence[Band]
    base: str = ""  # its address, to which each act adds a word
    armed: bool = False
    note: str = ""

    @property
    def open(self) -> bool:
        return self.candidate.status in ("pending", "needs_attention")

    @property
    def endless(self) -> bool:
        """Too long to stand whole among the other rows."""
        return len(self.candidate.content) > ENDLESS

    @property
    def may_replace(self) -> bool:
        """The memory that it disagrees with can give way to it in one act."""
        rival = self.candidate.conflicts_with
        return self.candidate.status == "pending" and rival is not None and rival.status == "active"


def row_of(candidate: Candidate, *, now: datetime, armed: bool = False, note: str = "") -> Row:
    return Row(
        candidate=candidate,
        heavy=candidate.kind in HEAVY,
        level=level_of(candidate.confidence),
        age=age_of(candidate, now=now),
        bands=bands_of(candidate),
        base=reverse("candidate", args=[candidate.pk]),
        armed=armed,
        note=note,
    )


def level_of(confidence: float) -> Level:
    on = 1 + (confidence >= MEDIUM) + (confidence >= HIGH)
    word = (_("low"), _("medium"), _("high"))[on - 1]
    return Level(word, [place < on for place in range(3)], round(confidence * 100))


def age_of(candidate: Candidate, *, now: datetime) -> Age | None:
    """When it leaves the queue by itself; what needs attention never does."""
    if candidate.status != "pending":
        return None
    left = candidate.touched_at + timedelta(days=CANDIDATE_ARCHIVE_DAYS) - now
    days = math.ceil(left / timedelta(days=1))
    tone = "now" if days <= RED_DAYS else "soon" if days <= AMBER_DAYS else ""
    if left <= timedelta(0):
        return Age(_("archives tonight"), tone)
    return Age(ngettext("archives in %(n)s day", "archives in %(n)s days", days) % {"n": days}, tone)


def bands_of(candidate: Candidate) -> list[Band]:
    """Red for what no person typed (with what the text tries to do), amber for what disagrees."""
    bands: list[Band] = []
    said = {
        "agent": _("Said by the agent; no words of yours support it."),
        "unknown": _("Nobody knows who typed this: its key does not speak for a person."),
        "tool": _("Not typed by a person: it comes from tool output, a file or a web page."),
        "injected": _("Not typed by a person: Hikae or the host put it there."),
    }.get(candidate.trust, "")
    does = []
    if "imperative" in candidate.flags:
        does.append(_("It gives an order."))
    if "url" in candidate.flags:
        does.append(_("It contains a link."))
    if _UNSEEN.search(candidate.content):
        does.append(_("It holds characters that cannot be seen, or that turn the direction of reading."))
    if said or does:
        bands.append(Band([each for each in (said, *does) if each], "" if said else "amber"))
    if candidate.conflicts_with is not None:
        bands.append(Band([_("Disagrees with an approved memory:")], "amber", candidate.conflicts_with))
    if "was_true_before" in candidate.flags:
        bands.append(Band([_("This was true before: a memory that said so was replaced.")], "amber"))
    if "duplicate_of_rejected" in candidate.flags:
        bands.append(Band([_("Something like this was rejected before.")], "amber"))
    if candidate.status == "needs_attention":
        bands.append(
            Band([_("It could not be stored as a memory: %(error)s") % {"error": candidate.error}], "")
        )
    return bands
