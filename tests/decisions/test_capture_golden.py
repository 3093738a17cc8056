"""Payloads as clients send them become observations exactly as the person meant them (agent-clients 5.4)."""

from __future__ import annotations

import pytest

from decisions.models import Choice, Quarantine
from tests import build
from tests.decisions.capture import Golden, golden, sent

pytestmark = pytest.mark.django_db
CASES = golden()
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def test_every_case_is_there_in_both_languages() -> None:
    names = {case.name for case in CASES}
    assert len(names) >= 60
    assert {name.removesuffix(".ja") for name in names if name.endswith(".ja")} == {
        name.removesuffix(".en") for name in names if name.endswith(".en")
    }


@each_case
def test_the_answer_says_what_became_of_each_question(case: Golden) -> None:
    alice = build.person()
    client = build.api(build.key(alice).secret)
    answers = [sent(client, event) for event in case.events]
    expected = [(c["question"], c["outcome"], c["reason"]) for c in case.choices]
    if case.choices[0]["outcome"] == "quarantined":
        assert [(c["question"], c["outcome"], c["reason"]) for c in answers[-1]] == expected
        assert Quarantine.objects.visible_to(alice).get().reason == case.choices[0]["reason"]
        assert not Choice.objects.exists()
        return
    rows = {row.question: row for row in Choice.objects.visible_to(alice).order_by("index")}
    assert [(row.question, row.outcome, row.reason) for row in rows.values()] == expected
    assert not Quarantine.objects.exists()
    for choice in case.choices:
        row = rows[choice["question"]]
        assert row.chosen == choice.get("chosen", [])
        assert row.other_text == choice.get("other", "")
        assert row.note == choice.get("note", "")


@each_case
def test_sent_again_in_any_order_the_rows_are_the_same(case: Golden) -> None:
    alice = build.person()
    client = build.api(build.key(alice).secret)
    for event in case.events:
        sent(client, event)
    once = sorted(Choice.objects.values_list("id", "outcome", "reason", "chosen"))
    for event in [*case.events, *reversed(case.events)]:
        sent(client, event, status=200)
    assert sorted(Choice.objects.values_list("id", "outcome", "reason", "chosen")) == once
    assert Quarantine.objects.count() == (1 if case.name.startswith("bad_") else 0)


@each_case
def test_a_stranger_gets_nothing_of_it(case: Golden) -> None:
    client = build.api(build.key(build.person("alice")).secret)
    for event in case.events:
        sent(client, event)
    mallory = build.person("mallory")
    assert not Choice.objects.visible_to(mallory).exists()
    assert not Quarantine.objects.visible_to(mallory).exists()
