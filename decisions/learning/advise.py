"""What to do with a prediction: label or not, how loudly, ask or settle (design section 5)."""

from __future__ import annotations

from . import wording
from .labels import labels_clash, marked_default, normalise_label, option_key
from .sensitive import is_sensitive
from .types import DEFAULTS, Advice, Lang, OptionAdvice, Policy, Prediction, Question, Settings, Strength


def advise(
    question: Question,
    prediction: Prediction,
    *,
    policy: Policy,
    lang: Lang = "en",
    settings: Settings = DEFAULTS,
) -> Advice:
    """Turn a prediction for the same question into what the agent is told.

    Defects (codes): "no_premise", "labels_clash", "too_few_options", "unknown_default", "unknown_preferred".
    """
    sensitive = is_sensitive(question)
    leader = _leader(question, prediction, policy)
    strength = strength_of(policy.sessions, sensitive=sensitive, settings=settings)
    by_hand = leader is not None and leader == policy.preferred
    premise = wording.premise(question.premise, prediction, lang, by_hand=by_hand) if leader else ""
    defects = _defects(question, policy)
    due = leader is not None and strength in ("strong", "medium") and not policy.muted
    due = due and (by_hand or prediction.clear or prediction.layer == "default")
    if due and not premise:
        due, defects = False, (*defects, "no_premise")
    action_reason = _resolve_reason(question, prediction, policy, sensitive, settings)
    resolve = action_reason in ("certain", "identical")
    probe = due and not resolve and (policy.labelled_before + 1) % settings.probe_every == 0
    labelled = due and not probe
    basis = _basis(prediction, policy, leader, lang, settings)
    silent = probe or policy.muted  # the order of the options must not hint either
    options = _options(question, prediction, None if silent else leader, basis if labelled else "", lang)
    return Advice(
        action="resolve" if resolve else "ask",
        reason=action_reason,
        reason_text=wording.reason_text(action_reason, lang, run=prediction.run),
        strength=strength,
        options=options,
        leader=leader,
        labelled=labelled,
        probe=probe,
        sensitive=sensitive,
        premise="" if probe else premise,
        confidence_label=wording.confidence_label(prediction.confidence, lang),
        text=""
        if silent
        else _text(prediction, options, labelled, by_hand, strength, premise, lang, settings),
        defects=defects,
    )


def strength_of(sessions: int, *, sensitive: bool, settings: Settings = DEFAULTS) -> Strength:
    """How loudly to say it: less, the longer the person has worked with us; not at all where it is sensitive."""
    if sensitive:
        return "neutral"
    if sessions < settings.strong_below:
        return "strong"
    return "weak" if sessions > settings.weak_above else "medium"


def _leader(question: Question, prediction: Prediction, policy: Policy) -> str | None:
    """What the person set by hand goes before what was learned. Free text cannot be recommended."""
    offered = {option_key(option.label) for option in question.options}
    if policy.preferred in offered:
        return policy.preferred
    return prediction.leader if prediction.leader in offered else None


def _resolve_reason(
    question: Question, prediction: Prediction, policy: Policy, sensitive: bool, settings: Settings
) -> str:
    """Why to ask, in order of weight; "certain" and "identical" alone settle the question."""
    leader = prediction.leader
    habit = next(view.leader for view in prediction.layers if view.layer == "L2")
    checks = (
        ("sensitive", sensitive),
        ("always_ask", policy.always_ask),
        ("muted", policy.muted),
        ("not_allowed", not policy.resolve_allowed),
        ("multi", question.multi),
        ("static", prediction.state == "static"),
        ("no_clear_preference", not prediction.clear),
        ("not_mature", prediction.state != "mature"),
        ("recent_change", leader != habit or policy.preferred not in (None, leader)),
        ("not_mature", leader != _leader(question, prediction, policy)),  # free text leads
        ("reported", prediction.n_reported > 0),
    )
    why = next((reason for reason, holds in checks if holds), None)
    if why is not None:
        return why
    if prediction.p >= settings.resolve_p:
        return "certain"
    return "identical" if prediction.run >= settings.resolve_run else "uncertain"


def _basis(prediction: Prediction, policy: Policy, leader: str | None, lang: Lang, settings: Settings) -> str:
    if leader is not None and leader == policy.preferred:
        return wording.preferred_basis(lang)
    if prediction.layer == "default":
        return wording.static_basis(settings.n_static - prediction.n, lang)
    return wording.learned_basis(prediction.share, lang)


def _options(
    question: Question, prediction: Prediction, leader: str | None, basis: str, lang: Lang
) -> tuple[OptionAdvice, ...]:
    """The leader first, then by probability, shown order on ties; without a leader as shown.

    The asker's own markers are always taken off.
    """
    labels = {
        option_key(option.label): normalise_label(option.label) for option in reversed(question.options)
    }
    shown = dict.fromkeys(option_key(option.label) for option in question.options)
    learned = leader is not None and prediction.layer != "default"
    order = sorted(shown, key=lambda k: (k != leader, -prediction.probabilities[k] if learned else 0))
    return tuple(
        OptionAdvice(
            key=key,
            label=labels[key],
            display=wording.labelled(labels[key], basis, lang) if basis and key == leader else labels[key],
            recommended=bool(basis) and key == leader,
            share=prediction.shares[key],
        )
        for key in order
    )


def _text(
    prediction: Prediction,
    options: tuple[OptionAdvice, ...],
    labelled: bool,
    by_hand: bool,
    strength: Strength,
    premise: str,
    lang: Lang,
    settings: Settings,
) -> str:
    """The line to show under the question."""
    first = options[0]
    if labelled:
        return (
            f"{first.display}{'。' if lang == 'ja' else '. '}{premise}"
            if strength == "strong"
            else first.display
        )
    if by_hand:
        return wording.by_hand(first.label, lang)
    if prediction.layer == "default":
        needed = settings.n_static - prediction.n
        return wording.by_default(first.label if first.key == prediction.leader else "", needed, lang)
    if prediction.leader != first.key:
        return ""
    if not prediction.clear:
        return wording.observed(first.label, lang)
    return wording.inferred(first.label, first.share, lang)


def _defects(question: Question, policy: Policy) -> tuple[str, ...]:
    keys = {option_key(option.label) for option in question.options}
    found = {
        "labels_clash": labels_clash(question),
        "too_few_options": len(question.options) < 2,
        "unknown_default": bool(question.default) and marked_default(question) is None,
        "unknown_preferred": policy.preferred is not None and policy.preferred not in keys,
    }
    return tuple(code for code, holds in found.items() if holds)
