"""A file of choices may have been edited: a line that no capture could have stored never becomes a choice."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from core.models import AgentKey
from decisions.models import Choice, DecisionPoint, Wording
from decisions.services.arranging import option_alias
from decisions.services.erasing import choices_erase
from decisions.services.exchange import choices_export, choices_import
from decisions.services.merging import point_merge, point_split
from decisions.services.preferences import preferred_set
from tests.decisions.choosing import clicked

pytestmark = pytest.mark.django_db
ONE = [{"label": "Tier M", "description": ""}]
LETTERS = ("alpha", "beta", "gamma")


@pytest.mark.parametrize(
    ("hikae", "beside", "why"),
    [
        ({"chosen": ["tier x"]}, {}, "hikae.chosen"),
        ({"chosen": ["tier s", "tier m"]}, {}, "hikae.chosen must be one"),
        ({"chosen": ["tier m", "tier m"], "multi": True}, {}, "hikae.chosen"),
        ({"first": "tier x"}, {}, "hikae.first"),
        ({"marked": "tier x", "marked_by": "asker"}, {}, "hikae.marked"),
        ({"keys": ["tier m"]}, {"all_options": ONE}, "all_options must be from 2 to 50"),
        ({"keys": ["tier m"] * 3}, {}, "hikae.keys must differ"),
        ({"keys": ["Tier S", "tier m", "tier l"]}, {}, "hikae.keys"),
        ({"keys": ["tier s", "tier m"]}, {}, "hikae.keys must name each"),
        ({"other_text": "my own"}, {}, "hikae.other_text"),
        ({"outcome": "skipped", "reason": "because"}, {}, "hikae.reason"),
        ({"reason": "idle_timer"}, {}, "hikae.reason"),
        ({"strength": "huge"}, {}, "hikae.strength"),
        ({"followed": True}, {}, "hikae.followed"),
        ({"labelled": True, "probe": True}, {}, "hikae.labelled"),
        ({}, {"timestamp": "1999-12-31T23:59:59+00:00"}, "timestamp"),
        ({}, {"question": "long " * 40_000}, "question has more"),
        ({"note": "long " * 40_000}, {}, "hikae.note has more"),
    ],
)
def test_what_no_capture_stores_is_named_and_left_out(
    alice: User, key: AgentKey, hikae: dict[str, Any], beside: dict[str, Any], why: str
) -> None:
    clicked(key, "Tier M")
    line = json.loads(next(iter(choices_export(user=alice))))
    Choice.objects.all().delete()
    broken = {**line, **beside, "hikae": {**line["hikae"], **hikae}}
    report = choices_import(user=alice, lines=[json.dumps(broken)], now=timezone.now())
    assert (report.created, Choice.objects.count()) == (0, 0)
    [(number, said)] = report.problems
    assert number == 1
    assert why in said
    assert choices_import(user=alice, lines=[json.dumps(line)], now=timezone.now()).created == 1


def again(alice: User) -> list[str]:
    """Exported, forgotten, brought back and exported once more."""
    lines = list(choices_export(user=alice))
    choices_erase(user=alice)
    report = choices_import(user=alice, lines=lines, now=timezone.now())
    assert report.problems == []
    assert list(choices_export(user=alice)) == lines
    return lines


def named(alice: User, question: str) -> DecisionPoint:
    return DecisionPoint.objects.visible_to(alice).live().get(question=question)


def merge(alice: User, source: DecisionPoint, target: DecisionPoint) -> None:
    source.refresh_from_db()
    point_merge(
        source_id=source.pk, target_id=target.pk, version=source.version, user=alice, now=timezone.now()
    )


def alias(alice: User, point: DecisionPoint, name: str, of: str) -> None:
    point.refresh_from_db()
    ids = dict(point.options.values_list("key", "pk"))
    option_alias(
        point_id=point.pk,
        version=point.version,
        user=alice,
        option_id=ids[name],
        alias_of_id=ids[of],
        now=timezone.now(),
    )


def test_questions_merged_one_into_another_come_back_to_the_byte(alice: User, key: AgentKey) -> None:
    """The later one kept its name, the merged one was merged again, and part of it split off at last."""
    asks = ("Which tier?", "What about the size here?", "How big a thing?")
    for text in asks:
        clicked(key, "Tier M", text=text)
    first, second, third = (named(alice, text) for text in asks)
    merge(alice, first, second)
    merge(alice, second, third)
    again(alice)
    point = named(alice, asks[2])
    [middle] = Wording.objects.filter(point=point, question=asks[1])
    point_split(
        point_id=point.pk, version=point.version, user=alice, wording_ids=[middle.pk], now=timezone.now()
    )
    again(alice)


def test_other_names_that_contradict_each_other_after_a_merge_come_back_to_the_byte(
    alice: User, key: AgentKey
) -> None:
    asks = ("Which letter?", "What sign is it?")
    for text in asks:
        for label in LETTERS:
            clicked(key, label, text=text, labels=LETTERS)
    one, two = (named(alice, text) for text in asks)
    alias(alice, one, "alpha", "beta")
    alias(alice, two, "beta", "alpha")
    preferred_set(user=alice, point_id=one.pk, option="alpha", now=timezone.now())
    merge(alice, one, two)
    lines = again(alice)
    [about] = [json.loads(line)["hikae_point"] for line in lines if "hikae_point" in line]
    assert about["aliases"] == {"beta": "alpha"}
    assert len([line for line in lines if '"dedupe"' in line]) == 6


def test_a_question_whose_first_wording_is_split_off_takes_the_name_of_what_stays(
    alice: User, key: AgentKey
) -> None:
    """Two questions of one name could not be told apart."""
    for text in ("Which tier?", "How big a thing?"):
        clicked(key, "Tier M", text=text)
    kept, other = named(alice, "Which tier?"), named(alice, "How big a thing?")
    merge(alice, other, kept)
    kept.refresh_from_db()
    [first] = Wording.objects.filter(point=kept, question="Which tier?")
    gone = point_split(
        point_id=kept.pk, version=kept.version, user=alice, wording_ids=[first.pk], now=timezone.now()
    )
    kept.refresh_from_db()
    assert (gone.question, kept.question) == ("Which tier?", "How big a thing?")
    [stays] = Wording.objects.filter(point=kept)
    assert kept.template == stays.template
