"""For the next question: what this person usually picks, how sure that is, on what evidence (design section 5).

Nothing is written but the issued recommendation. Capture finds it by session and question when the answer comes
(``selectors.shown``), marks what followed our own label, and tells it what it led to.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.translation import gettext as _

from core.errors import Forbidden, Paused
from core.ids import new_id
from core.models import AgentKey
from core.text import language
from decisions.asked import Advised, AskIn, Recommended
from decisions.capture.clean import redacted
from decisions.capture.context import tidy
from decisions.capture.identity import Identity
from decisions.learning import (
    OTHER,
    Table,
    advise,
    keys_of,
    normalise_label,
    option_key,
    order_questions,
    predict,
)
from decisions.learning.types import Lang, OptionIn, Policy, Question, Settings
from decisions.numbers import numbers
from decisions.selectors.asking import Asker, asker_of
from decisions.selectors.known import PointKnown, Wanted, points_known
from decisions.selectors.tables import Counted, counted_elsewhere, counted_here
from decisions.selectors.wordings import wording_nearest
from decisions.services.issuing import recommendations_store
from transcripts.services.sessions import session_for

EVIDENCE = 100  # choices named in an answer, the newest; n says how many there are


@dataclass(frozen=True)
class Known:
    """What is stored about one question: its point, the choices there and elsewhere under the question's own keys."""

    identity: Identity
    said: PointKnown
    here: Table
    elsewhere: Table
    preferred: str | None


def recommend(*, agent_key: AgentKey, ask: AskIn, now: datetime, seen: bool = True) -> Recommended:
    """Advise on the questions of one call, the first to ask first, and keep what was said.

    ``seen`` False: the dialog is composed already, so that no label of ours can be in it and nobody is spared the
    question; the choice then counts as one that the person made without us. A session that is not known yet is
    opened, as by its first turn. Raises Invalid (session), Forbidden (``out_of_reach``) and Paused: an agent is told so
    where nothing may be stored.

    One statement keeps what was said, after all reading: a transaction around both would add two rounds to the
    database and no safety.
    """
    asker = _asker(agent_key, ask.session, now)
    if not seen:
        asker = replace(asker, resolve_allowed=False)
    settings = numbers(asker.decay_rate)
    asked = [_clean(question) for question in ask.questions]
    context = tidy(redacted(ask.context))
    lang = ask.lang or _language(asked[0].text)
    known = _known(agent_key.user_id, asker, asked, now, settings)
    advised = [
        _advised(question, each, asker, context, lang, now, settings)
        for question, each in zip(asked, known, strict=True)
    ]
    order = order_questions(asked, [each.prediction.information_gain for each in advised])
    ordered = [replace(advised[i], defects=(*advised[i].defects, *order.defects[i])) for i in order.indices]
    answer = Recommended(new_id(), tuple(ordered))
    signatures = [known[i].identity.signature for i in order.indices]
    recommendations_store(
        user_id=agent_key.user_id,
        session_id=asker.session_id,
        answer=answer,
        signatures=signatures,
        context=context,
        seen=seen,
        now=now,
    )
    return answer


def _asker(agent_key: AgentKey, session: str, now: datetime) -> Asker:
    found = asker_of(key=agent_key, session=session, numbers=numbers())
    if found is None:
        session_for(agent_key=agent_key, key=session, now=now)
        found = asker_of(key=agent_key, session=session, numbers=numbers())
    assert found is not None
    if not found.reached:
        raise Forbidden(
            _("This key does not reach %(name)s. Open the session with a workspace that it reaches.")
            % {"name": found.home[:220]},
            code="out_of_reach",
            field="session",
        )
    if found.paused:
        raise Paused(
            _("%(name)s is paused: nothing is recommended there. Resume it in Settings → Workspaces.")
            % {"name": found.home[:220]},
            session=session,
            namespace=found.home,
        )
    return found


def _clean(question: Question) -> Question:
    """Without secrets, as capture stores it; else the answer would not find its question."""
    return replace(
        question,
        text=redacted(question.text),
        header=redacted(question.header),
        options=tuple(OptionIn(redacted(o.label), redacted(o.description)) for o in question.options),
        default=redacted(question.default),
        depends_on=tuple(redacted(text) for text in question.depends_on),
        premise=redacted(question.premise),
    )


def _language(text: str) -> Lang:
    return "ja" if language(text) == "ja" else "en"


def _known(
    user_id: int, asker: Asker, asked: Sequence[Question], now: datetime, settings: Settings
) -> list[Known]:
    """A handful of queries, however many questions and choices there are."""
    identities = [Identity.of(question) for question in asked]
    points = _points(user_id, asker.workspace_id, asked, identities)
    ids = [said.point for said in points.values() if said.point]
    here = counted_here(
        user_id=user_id,
        point_ids=ids,
        sessions=(str(asker.session_id), *asker.previous),
        now=now,
        numbers=settings,
    )
    elsewhere = counted_elsewhere(
        user_id=user_id,
        wanted={
            each.signature: (each.template_hash, asker.workspace_id)
            for each in identities
            if points[each.signature].elsewhere
        },
        reach=asker.reach,
        now=now,
        numbers=settings,
    )
    nothing = Counted(now, settings)
    found = []
    for question, identity in zip(asked, identities, strict=True):
        said = points[identity.signature]
        names = _names(question, said.aliases)
        found.append(
            Known(
                identity=identity,
                said=said,
                here=(here.get(said.point, nothing) if said.point else nothing).table(names),
                elsewhere=elsewhere.get(identity.signature, nothing).table(names),
                preferred=names.get(said.preferred, said.preferred) if said.preferred else None,
            )
        )
    return found


def _points(
    user_id: int, workspace_id: uuid.UUID | None, asked: Sequence[Question], identities: Sequence[Identity]
) -> dict[str, PointKnown]:
    """By signature: the recurring question that each one is, or reads like. New ones are left out, not made."""
    wanted = [Wanted(each.signature, each.signature, each.template_hash) for each in identities]
    known = points_known(user_id=user_id, workspace_id=workspace_id, wanted=wanted)
    alike = []
    for question, identity in zip(asked, identities, strict=True):
        if known[identity.signature].point is None:
            near, _likeness = wording_nearest(user_id, workspace_id, question, identity)
            if near is not None:
                alike.append(Wanted(identity.signature, near.signature, identity.template_hash))
    if alike:
        known |= points_known(user_id=user_id, workspace_id=workspace_id, wanted=alike)
    return known


def _names(question: Question, aliases: Mapping[str, str]) -> dict[str, str]:
    """Every stored option key to the key under which this question offers that option."""
    if not aliases:
        return {}
    # Where an option is offered beside another name of it, it goes under its own.
    offered = {
        aliases.get(key, key): key for key in sorted(keys_of(question), key=lambda k: k not in aliases)
    }
    every = {*aliases, *aliases.values()}
    return {key: offered.get(aliases.get(key, key), aliases.get(key, key)) for key in every}


def _advised(
    question: Question,
    known: Known,
    asker: Asker,
    context: Mapping[str, str],
    lang: Lang,
    now: datetime,
    settings: Settings,
) -> Advised:
    prediction = predict(
        question,
        known.here,
        now=now,
        session=str(asker.session_id),
        previous=asker.previous,
        elsewhere=known.elsewhere,
        context=context,
        settings=settings,
    )
    policy = Policy(
        sessions=asker.human_sessions,
        labelled_before=known.said.labelled,
        resolve_allowed=asker.resolve_allowed,
        always_ask=known.said.always_ask,
        muted=asker.muted,
        preferred=known.preferred,
    )
    advice = advise(question, prediction, policy=policy, lang=lang, settings=settings)
    return Advised(
        id=new_id(),
        point=known.said.point,
        question=question,
        category=known.said.category_set or known.identity.category,
        prediction=prediction,
        advice=advice,
        labels={OTHER: OTHER} | {option_key(o.label): normalise_label(o.label) for o in question.options},
        evidence=prediction.evidence[:EVIDENCE],
        defects=advice.defects,
    )
