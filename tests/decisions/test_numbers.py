"""Every number of design section 5 is a setting with one owner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from config import choices
from decisions.learning.types import DEFAULTS, Settings
from decisions.numbers import numbers


def build(given: Mapping[str, str]) -> Settings:
    return choices.build(lambda name: given.get(name, ""))


def test_without_an_environment_the_numbers_are_the_designs() -> None:
    assert build({}) == DEFAULTS == settings.CHOICES


@pytest.mark.parametrize("field", [field.name for field in fields(Settings)])
def test_each_number_can_be_set(field: str) -> None:
    found = build({choices.names()[field]: "1"})
    assert getattr(found, field) == 1
    assert type(getattr(found, field)) is type(getattr(DEFAULTS, field))


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("CHOICES_DECAY_RATE", "fast"),
        ("CHOICES_DECAY_RATE", "-0.1"),
        ("CHOICES_DECAY_RATE", "nan"),
        ("CHOICES_DECAY_RATE", "inf"),
        ("CHOICES_PROBE_EVERY", "0"),
        ("CHOICES_N_STATIC", "2.5"),
        ("CHOICES_RESOLVE_P", "1.5"),
        ("CHOICES_ARCHIVE_DAYS", "0"),
    ],
)
def test_nonsense_is_refused_by_name(name: str, raw: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=name):
        build({name: raw})


def test_a_persons_own_rate_goes_before_the_installations() -> None:
    assert numbers().decay_rate == 0.1
    assert numbers(0.02).decay_rate == 0.02
    assert numbers(0.02).probe_every == numbers().probe_every
