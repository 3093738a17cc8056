"""Judge the questions of one call and store what became of each (design section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils.translation import gettext as _

from core.errors import Conflict
from core.hashing import keyed
from core.ids import new_id
from core.text import fold
from decisions.capture.context import prompt_context, tidy
from decisions.capture.identity import hash_of
from decisions.capture.judging import Judged, judge
from decisions.capture.shapes import Asked
from decisions.inputs import Captured, Result
from decisions.learning.labels import option_key
from decisions.models import Choice, DecisionPoint, Fate, Outcome, Recommendation, Wording
from decisions.numbers import numbers
from decisions.selectors.shown import Shown, shown_as
from decisions.services.asks import prefilled_of
from decisions.services.late import resets_mark
from decisions.services.places import Place, prompt_of
from decisions.services.points import points_lock, wordings_for
from decisions.services.typed import typed_store


@dataclass(frozen=True)
class Answered:
    """One question of the call, judged; ``dedupe`` names it among all that this person ever answered."""

    index: int
    asked: Asked
    shown: Shown
    judged: Judged
    dedupe: str

    @property
    def digest(self) -> str:
        return keyed("choice", self.judged.answer)


def observe(*, place: Place, asked: Sequence[Asked], skip: str = "", reply: str = "") -> Captured:
    """Store each question as observed or skipped. A redelivery gives the rows that are there.

    Inside the caller's transaction, which holds the session. Everything is judged before anything is written. Raises
    Odd (for the quarantine), and Conflict (``choice_changed``).
    """
    if place.session is None:  # no row to hold: two deliveries at once must still take turns
        points_lock(place.user.pk)
    shown = shown_as(session=place.session, asked=asked)
    prefilled = prefilled_of(place=place)
    answered = [
        Answered(
            index,
            each,
            as_shown,
            judge(
                each,
                options=as_shown.question.options,
                displays=as_shown.displays,
                skip=skip,
                prefilled=prefilled,
            ),
            _dedupe(place, each),
        )
        for index, (each, as_shown) in enumerate(zip(asked, shown, strict=True))
    ]
    known = _known(place, answered)
    fresh = [each for each in answered if each.dedupe not in known]
    rows = {**known, **{row.dedupe: row for row in _store(place, fresh)}}
    scan = typed_store(place=place, answered=fresh, reply=reply, asked=answered) if fresh else ()
    results = [rows[each.dedupe] for each in answered]
    return Captured(
        tuple(Result(row.pk, row.question, row.outcome, row.reason) for row in results),
        new=bool(fresh),
        scan=scan,
    )


def _dedupe(place: Place, asked: Asked) -> str:
    session = place.session.key if place.session else ""
    if place.decision_id:
        return hash_of(["record", session, place.decision_id])
    return hash_of(["hook", session, place.tool_use_id, fold(asked.text)])


def _known(place: Place, answered: Sequence[Answered]) -> dict[str, Choice]:
    """Rows of an earlier delivery. Raises Conflict when it said something else."""
    same = Q(dedupe__in=[each.dedupe for each in answered])
    if place.session is not None and place.tool_use_id:
        same |= Q(session=place.session, tool_use_id=place.tool_use_id)
    known = {row.dedupe: row for row in Choice.objects.visible_to(place.user).filter(same)}
    by_dedupe = {each.dedupe: each for each in answered}
    for dedupe, row in known.items():
        again = by_dedupe.get(dedupe)
        if again is None or row.digest != again.digest or fold(row.question) != fold(again.asked.text):
            raise Conflict(
                _("This question was already answered differently; the first answer stays."),
                code="choice_changed",
                field="user_choice" if place.decision_id else "tool_response.answers",
                id=str(row.pk),
                question=row.question[:200],
            )
    return known


def _store(place: Place, fresh: Sequence[Answered]) -> list[Choice]:
    counted = [each for each in fresh if each.judged.observed]
    wordings: dict[str, Wording] = {}
    if counted:
        found = wordings_for(
            user_id=place.user.pk,
            workspace_id=place.session.workspace_id if place.session else None,
            questions=[each.shown.question for each in counted],
            now=place.now,
        )
        wordings = {each.dedupe: wording for each, wording in zip(counted, found, strict=True)}
    around = {**prompt_context(prompt_of(place)), **place.context} if fresh else {}
    rows = [_row(place, each, wordings.get(each.dedupe), around) for each in fresh]
    observed = [row for row in rows if row.outcome == Outcome.OBSERVED]
    resets_mark(place=place, choices=observed, points=[wording.point for wording in wordings.values()])
    Choice.objects.bulk_create(rows)
    for each, row in zip(fresh, rows, strict=True):
        _settle(each, row)
    if observed:
        points = DecisionPoint.objects.filter(pk__in={row.point_id for row in observed})
        points.filter(Q(last_choice_at=None) | Q(last_choice_at__lt=place.at)).update(last_choice_at=place.at)
    return rows


def _row(place: Place, each: Answered, wording: Wording | None, around: dict[str, str]) -> Choice:
    advice, judged = each.shown.advice, each.judged
    labelled = bool(advice and advice.labelled)
    observed = judged.observed
    return Choice(
        id=new_id(),
        user_id=place.user.pk,
        point=wording.point if wording else None,
        wording=wording,
        session=place.session,
        outcome=Outcome.OBSERVED if observed else Outcome.SKIPPED,
        reason=judged.reason,
        source=place.source,
        dedupe=each.dedupe,
        digest=each.digest,
        tool_use_id=place.tool_use_id,
        decision_id=place.decision_id,
        index=each.index,
        question=each.asked.text,
        header=each.asked.header,
        multi=each.asked.multi,
        offered=[
            {"key": option_key(option.label), "label": shown.label, "description": option.description}
            for option, shown in zip(each.shown.question.options, each.asked.options, strict=True)
        ],
        first=option_key(each.shown.question.options[0].label),
        marked=each.shown.marked,
        marked_by=each.shown.marked_by,
        chosen=list(judged.chosen),
        other_text=judged.other,
        note=each.asked.note,
        strength=advice.strength if advice else "",
        labelled=labelled,
        followed=observed and labelled and advice is not None and advice.leader in judged.chosen,
        probe=bool(advice and advice.probe),
        context=tidy({**(advice.context if advice else {}), **around}),
        at=place.at,
        received_at=place.now,
        archived_at=place.now if place.at <= place.now - numbers().archive_after else None,
    )


def _settle(each: Answered, row: Choice) -> None:
    """The recommendation learns what it led to: once, and only from an observation."""
    advice = each.shown.advice
    if advice is None or row.outcome != Outcome.OBSERVED:
        return
    fate = advice.fate
    if advice.leader:
        fate = Fate.FOLLOWED if advice.leader in row.chosen else Fate.OVERRIDDEN
    still = Recommendation.objects.filter(pk=advice.pk, choice=None)
    still.update(fate=fate, choice=row, point_id=row.point_id)
