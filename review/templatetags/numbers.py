"""Whole numbers as the reader's language groups them."""

from __future__ import annotations

from django import template
from django.utils import formats

register = template.Library()


class Grouped(int):
    """A number that is written as 12,345 and stays a number, so that ``blocktranslate count`` can choose its plural.

    ``USE_THOUSAND_SEPARATOR`` would group every number, those in addresses and attributes too.
    """

    def __str__(self) -> str:
        return str(formats.number_format(int(self), force_grouping=True))


@register.filter
def grouped(number: int | None) -> Grouped | str:
    """``number`` for reading; nothing for None."""
    return "" if number is None else Grouped(number)
