"""The invented history is sound by itself, before any of it is stored."""

from __future__ import annotations

import unicodedata
from collections import Counter
from datetime import date, datetime, time, timedelta

from hypothesis import given
from hypothesis import strategies as st

from core.redact import redact
from review.demo.story import story, zone

DAY = date(2026, 5, 20)
days = st.dates(min_value=date(2024, 1, 1), max_value=date(2040, 1, 1))


@given(days)
def test_nothing_lies_in_the_future_of_the_loading_day(day: date) -> None:
    midnight = datetime.combine(day, time(0, 0), tzinfo=zone())
    told = story(day)
    assert all(line.at < midnight for c in told.conversations for e in c.exchanges for line in e.lines)
    assert all(verdict.at <= midnight for verdict in told.verdicts)


@given(days)
def test_no_candidate_is_old_enough_to_be_archived_when_the_story_is_loaded(day: date) -> None:
    end_of_day = datetime.combine(day + timedelta(days=1), time(0, 0), tzinfo=zone())
    assert end_of_day - story(day).conversations[0].at < timedelta(days=30)


def test_a_quoted_wish_quotes_what_the_person_typed_in_that_turn() -> None:
    for conversation in story(DAY).conversations:
        for exchange in conversation.exchanges:
            typed = "\n".join(line.text for line in exchange.lines if line.origin == "human")
            for wish in exchange.wishes:
                assert wish.quote in typed, wish.key


def test_every_verdict_names_a_wish_that_was_made_before_it() -> None:
    told = story(DAY)
    made = {wish.key: e.at for c in told.conversations for e in c.exchanges for wish in e.wishes}
    for verdict in told.verdicts:
        assert made[verdict.candidate] < verdict.at
        assert not verdict.replaces or made[verdict.replaces] < verdict.at


def test_keys_are_unique_and_every_placeholder_is_filled() -> None:
    told = story(DAY)
    wishes = [wish for c in told.conversations for e in c.exchanges for wish in e.wishes]
    assert max(Counter(wish.key for wish in wishes).values()) == 1
    assert max(Counter(c.key for c in told.conversations).values()) == 1
    texts = [line.text for c in told.conversations for e in c.exchanges for line in e.lines]
    assert not [text for text in [*texts, *(wish.content for wish in wishes)] if "date-" in text]


def test_it_speaks_both_languages_in_two_workspaces_and_two_personas() -> None:
    told = story(DAY)
    spoken = {"ja": 0, "en": 0}
    for line in (line for c in told.conversations for e in c.exchanges for line in e.lines):
        kana = any("HIRAGANA" in unicodedata.name(letter, "") for letter in line.text)
        spoken["ja" if kana else "en"] += 1
    assert min(spoken.values()) > 40
    assert {c.workspace for c in told.conversations} == {"storefront", "billing-batch"}
    assert {c.persona for c in told.conversations} == set(told.personas) == {"default", "ops"}
    assert sum(e.squeeze is not None for c in told.conversations for e in c.exchanges) == 3


def test_the_only_secret_in_it_is_an_example_that_redaction_finds() -> None:
    texts = [line.text for c in story(DAY).conversations for e in c.exchanges for line in e.lines]
    secret = [text for text in texts if redact(text).found]
    assert len(secret) == 1
    assert "EXAMPLE" in secret[0]
