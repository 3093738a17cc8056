"""Replay a person's own log, so that anyone can see whether the recommendations deserve trust (design section 5)."""

from __future__ import annotations

from django.contrib.auth.models import User

from decisions.learning.backtest import NEWEST, backtest
from decisions.learning.types import Backtest
from decisions.models import LearningSetting
from decisions.numbers import numbers
from decisions.selectors.log import log_of


def choices_backtest(*, user: User, newest: int = NEWEST) -> Backtest:
    """Each of the person's ``newest`` choices predicted from what came before it, with the person's own rate.

    Against the last choice, the majority so far and the asker's default. Only this person's choices are read. About a
    millisecond a choice; nothing is written.
    """
    own = LearningSetting.objects.visible_to(user).filter(workspace=None).first()
    return backtest(log_of(user=user), settings=numbers(own.decay_rate if own else None), newest=newest)
