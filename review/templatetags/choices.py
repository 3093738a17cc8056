"""Words of the Choices pages: states, layers, predictors and numbers as people read them."""

from __future__ import annotations

import json
from typing import Any

from django import template
from django.utils import formats
from django.utils.translation import gettext as _

from decisions.models.point import CATEGORY_CHOICES
from review.views.choice_words import (
    confidence_words,
    layer_words,
    predictor_words,
    state_words,
    strength_words,
    unread_words,
)

register = template.Library()
PAYLOAD_CHARS = 20_000

register.filter("state", state_words)
register.filter("layer", layer_words)
register.filter("strength", strength_words)
register.filter("confidence", confidence_words)
register.filter("predictor", predictor_words)
register.filter("unread", unread_words)


@register.filter
def category(code: str) -> str:
    return str(dict(CATEGORY_CHOICES).get(code, code))


@register.filter
def percent(part: float) -> str:
    return _("%(n)s%%") % {"n": formats.number_format(round(100 * part), 0)}


@register.filter
def plain(number: float) -> str:
    """For machines: a point, whatever the reader's language writes."""
    return f"{number:.6g}"


@register.filter
def pretty(payload: Any) -> str:
    """What was sent, laid out; a very long one is cut."""
    text = json.dumps(payload, ensure_ascii=False, indent=2)
    return text if len(text) <= PAYLOAD_CHARS else text[:PAYLOAD_CHARS] + "\n…"


@register.filter
def weight(number: float) -> str:
    """Two digits; what is smaller still counts, so it is not shown as nothing."""
    small = number < 0.005
    return (
        _("under %(n)s") % {"n": formats.number_format(0.01, 2)}
        if small
        else formats.number_format(round(number, 2), 2)
    )


@register.filter
def whole(number: float) -> int:
    return int(number)
