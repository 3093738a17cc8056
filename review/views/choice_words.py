"""Sentences about choices: states, layers, and why a call was not understood."""

from __future__ import annotations

from django.utils.translation import gettext as _

from decisions.capture import reasons
from decisions.learning.types import Backtest, Score


def state_words(code: str) -> str:
    return {
        "static": _("still learning"),
        "warm": _("partly known"),
        "mature": _("well known"),
    }.get(code, code)


def layer_words(code: str) -> str:
    return {
        "L0": _("choices of this session"),
        "L1": _("choices of the three sessions before"),
        "L2": _("choices of all sessions"),
        "default": _("the asker's default, for want of choices"),
    }.get(code, code)


def strength_words(code: str) -> str:
    return {
        "strong": _("strong (label and reason)"),
        "medium": _("medium (label with share)"),
        "weak": _("weak (no label)"),
        "neutral": _("neutral (words only)"),
    }.get(code, code)


def confidence_words(code: str) -> str:
    return {
        "low": _("low"),
        "medium": _("medium"),
        "medium-high": _("medium-high"),
        "high": _("high"),
    }.get(code, code)


def predictor_words(code: str) -> str:
    """Who predicts, in a backtest; an unknown one as it is."""
    return {
        "hikae": _("Hikae"),
        "last choice": _("the last choice"),
        "majority": _("the majority so far"),
        "default": _("always the default"),
    }.get(code, code)


def unread_words(code: str) -> str:
    """Why a call went to quarantine; an unknown code as it is."""
    return {
        reasons.SHAPE: _("Its shape is unknown."),
        reasons.NO_SESSION: _("It names no session."),
        reasons.NO_TOOL_USE: _("It names no tool use, so it could be counted twice."),
        reasons.MANY_QUESTIONS: _("It asks more than four questions."),
        reasons.FEW_OPTIONS: _("A question offers fewer than two options."),
        reasons.EQUAL_OPTIONS: _("Two options read the same."),
        reasons.EQUAL_QUESTIONS: _("Two questions read the same."),
        reasons.QUESTIONS_DIFFER: _("The answer repeats other questions than were asked."),
        reasons.MANY_ANSWERS: _("It holds more answers than questions."),
        reasons.NOT_ASKED: _("It answers a question that was not asked."),
        reasons.ANSWER_TYPE: _("An answer is neither text nor a list of texts."),
        reasons.MANY_FOR_ONE: _("A question for one option has several answers."),
        reasons.TOO_LONG: _("A text in it is too long."),
        reasons.CHANGED: _(
            "It answers a question that was already answered differently; the first answer counts."
        ),
    }.get(code, code)


def verdict(replay: Backtest) -> str:
    """One honest sentence: is Hikae better than the best plain rule?"""
    ours, *rules = replay.scores
    if not rules:
        return ""
    best = min(rules, key=lambda score: score.log_loss)
    right = max(rules, key=lambda score: score.accuracy)
    if ours.log_loss <= best.log_loss and ours.brier <= best.brier:
        return _("Hikae is no worse than every plain rule here, by log loss and by Brier.")
    return _("Here “%(rule)s” does better. Do not rely on the recommendations for this log.") % {
        "rule": predictor_words((best if ours.log_loss > best.log_loss else right).predictor)
    }


def best_of(scores: tuple[Score, ...]) -> dict[str, float]:
    return {
        "log_loss": min(score.log_loss for score in scores),
        "brier": min(score.brier for score in scores),
        "ece": min(score.ece for score in scores),
    }
