"""For the next question: what this person usually picks, how sure that is, on what evidence (design section 5).

Nothing is written but the issued recommendation. Capture finds it by session and question when the answer comes
(``selectors.shown``), marks what followed our own label, and tells it what it led to.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
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
from decisions.models import DecisionPoint, Recommendation
from decisions.numbers import numbers
from decisions.selectors.aliases import aliases_of
from decisions.selectors.asking import Asker, asker_of, labels_given, preferred_of
from decisions.selectors.tables import rows_elsewhere, rows_here, table
from decisions.selectors.wordings import wording_nearest, wordings_known
from transcripts.services.sessions import session_for

EVIDENCE = 200  # choices named in an answer, the newest; n says how many there are


@dataclass(frozen=True)
class Known:
    """What is stored about one question: its point, the choices there and elsewhere under the question's own keys."""

    identity: Identity
    point: DecisionPoint | None
    here: Table
    elsewhere: Table
    labelled_before: int
    preferred: str | None


@transaction.atomic
def recommend(*, agent_key: AgentKey, ask: AskIn, now: datetime, seen: bool = True) -> Recommended:
    """Advise on the questions of one call, the first to ask first, and keep what was said.

    A session that is not known yet is opened, as by its first turn. Raises Invalid (session), Forbidden
    (``out_of_reach``) and Paused: an agent is told so where nothing may be stored.
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
    ordered = [_with(advised[i], order.defects) for i in order.indices]
    answer = Recommended(new_id(), tuple(ordered))
    signatures = [known[i].identity.signature for i in order.indices]
    _issue(agent_key, asker, answer, signatures, context, now, seen=seen)
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


def _with(advised: Advised, defects: Sequence[str]) -> Advised:
    """What is wrong with the order is said where a dependency was named."""
    return replace(advised, defects=(*advised.defects, *defects)) if advised.question.depends_on else advised


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
    ids = [point.pk for point in points.values()]
    here = rows_here(user_id=user_id, point_ids=ids, now=now, numbers=settings)
    elsewhere = rows_elsewhere(
        user_id=user_id,
        templates=[each.template_hash for each in identities],
        workspace_id=asker.workspace_id,
        reach=asker.reach,
        now=now,
        numbers=settings,
    )
    aliases, preferred = aliases_of(ids), preferred_of(user_id=user_id, point_ids=ids)
    labelled = labels_given(
        user_id=user_id,
        workspace_id=asker.workspace_id,
        points={signature: point.pk for signature, point in points.items()},
        signatures=[each.signature for each in identities],
    )
    found = []
    for question, identity in zip(asked, identities, strict=True):
        point = points.get(identity.signature)
        names = _names(question, aliases.get(point.pk, {}) if point else {})
        wish = preferred.get(point.pk) if point else None
        found.append(
            Known(
                identity=identity,
                point=point,
                here=table(here.get(point.pk) if point else None, names),
                elsewhere=table(elsewhere.get(identity.template_hash), names),
                labelled_before=labelled[identity.signature],
                preferred=names.get(wish, wish) if wish else None,
            )
        )
    return found


def _points(
    user_id: int, workspace_id: uuid.UUID | None, asked: Sequence[Question], identities: Sequence[Identity]
) -> dict[str, DecisionPoint]:
    """By signature: the recurring question that each one is, or reads like. New ones are left out, not made."""
    known = {s: w.point for s, w in wordings_known(user_id, workspace_id, identities).items()}
    for question, identity in zip(asked, identities, strict=True):
        if identity.signature not in known:
            near, _likeness = wording_nearest(user_id, workspace_id, question, identity)
            if near is not None:
                known[identity.signature] = near.point
    return known


def _names(question: Question, aliases: Mapping[str, str]) -> dict[str, str]:
    """Every stored option key to the key under which this question offers that option."""
    if not aliases:
        return {}
    offered = {aliases.get(key, key): key for key in keys_of(question)}
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
        labelled_before=known.labelled_before,
        resolve_allowed=asker.resolve_allowed,
        always_ask=bool(known.point and known.point.always_ask),
        muted=asker.muted,
        preferred=known.preferred,
    )
    advice = advise(question, prediction, policy=policy, lang=lang, settings=settings)
    return Advised(
        id=new_id(),
        point=known.point.pk if known.point else None,
        question=question,
        category=(known.point.category_set if known.point else "") or known.identity.category,
        prediction=prediction,
        advice=advice,
        labels={OTHER: OTHER} | {option_key(o.label): normalise_label(o.label) for o in question.options},
        evidence=tuple(uuid.UUID(each) for each in prediction.evidence[:EVIDENCE]),
        defects=advice.defects,
    )


def _issue(
    agent_key: AgentKey,
    asker: Asker,
    answer: Recommended,
    signatures: Sequence[str],
    context: Mapping[str, str],
    now: datetime,
    *,
    seen: bool,
) -> None:
    Recommendation.objects.bulk_create(
        Recommendation(
            id=each.id,
            call=answer.id,
            index=index,
            user_id=agent_key.user_id,
            session_id=asker.session_id,
            point_id=each.point,
            signature=signature,
            question=each.question.text,
            category=each.category,
            options=[vars(option) for option in each.advice.options],
            labelled=each.advice.labelled and seen,
            probe=each.advice.probe and seen,
            state=each.prediction.state,
            layer=each.prediction.layer,
            leader=each.advice.leader or "",
            clear=each.prediction.clear,
            n=each.prediction.n,
            n_effective=each.prediction.n_effective,
            share=each.prediction.share,
            p=each.prediction.p,
            lead=each.prediction.lead,
            confidence=each.prediction.confidence_value,
            age_days=each.prediction.age_days,
            strength=each.advice.strength,
            premise=each.advice.premise,
            action=each.advice.action,
            reason=each.advice.reason,
            text=each.advice.text,
            context=dict(context),
            defects=list(each.defects),
            evidence=list(each.evidence),
            issued_at=now,
            fate="resolved" if each.advice.action == "resolve" else "open",
        )
        for index, (each, signature) in enumerate(zip(answer.questions, signatures, strict=True))
    )
