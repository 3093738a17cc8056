"""Numbers as people read them: grouped where they are read, plain where programs read them."""

from __future__ import annotations

import pytest
from django.template import Context, Template
from django.utils import translation

from review.templatetags.numbers import grouped


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    ("number", "text"), [(0, "0"), (999, "999"), (1122, "1,122"), (1234567, "1,234,567")]
)
def test_a_number_is_written_in_groups_of_three(language: str, number: int, text: str) -> None:
    with translation.override(language):
        assert Template("{% load numbers %}{{ n|grouped }}").render(Context({"n": number})) == text


@pytest.mark.parametrize(("number", "text"), [(1, "1 token"), (1122, "1,122 tokens")])
def test_a_grouped_number_still_chooses_its_plural(number: int, text: str) -> None:
    said = (
        "{% load i18n numbers %}{% blocktranslate count n=n|grouped %}"
        "{{ n }} token{% plural %}{{ n }} tokens{% endblocktranslate %}"
    )
    with translation.override("en"):
        assert Template(said).render(Context({"n": number})) == text
    assert grouped(number) == number


def test_what_is_unknown_stays_empty() -> None:
    assert grouped(None) == ""
