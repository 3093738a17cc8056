"""Choices can be taken along and brought back, and the file is one person's alone."""

from __future__ import annotations

import json
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.utils import timezone

from core.models import AgentKey
from decisions.models import Choice, DecisionPoint, Preference, Quarantine
from decisions.services.arranging import option_alias, point_rename
from decisions.services.exchange import choices_export, choices_import
from decisions.services.merging import point_merge, point_split
from decisions.services.preferences import preferred_set
from decisions.services.resets import reset_point
from tests import build
from tests.decisions.capture import record
from tests.decisions.choosing import TIERS, asked, clicked, habit, opened, reported, spread

pytestmark = pytest.mark.django_db


def full(key: AgentKey, alice: User) -> list[str]:
    habit(key, TIERS, spread(3, 6, 1), phase="plan")
    clicked(key, "Tier M", ago=timedelta(days=100))
    clicked(key, "a fourth one", text="Which tier, then?")
    reported(key, "Tier S")
    clicked(key, "B", labels=("A", "B"), text="Left or right?")
    point = DecisionPoint.objects.visible_to(alice).get(question="Left or right?")
    reset_point(user=alice, point_id=point.pk, now=timezone.now())
    return list(choices_export(user=alice))


def test_exported_wiped_imported_and_exported_again_it_is_the_same_to_the_byte(
    alice: User, key: AgentKey
) -> None:
    before = full(key, alice)
    opened(key)
    client = build.api(build.key(alice, name="b").secret)
    said = asked(client)[0]
    assert len(before) == Choice.objects.count() == 14
    Choice.objects.all().delete()
    Preference.objects.all().delete()
    DecisionPoint.objects.all().delete()
    report = choices_import(user=alice, lines=before, now=timezone.now())
    assert (report.created, report.known, report.problems) == (14, 0, [])
    assert list(choices_export(user=alice)) == before
    again = choices_import(user=alice, lines=before, now=timezone.now())
    assert (again.created, again.known) == (0, 14)
    [found] = asked(client)
    assert [found[name] for name in ("leader", "n", "share", "evidence")] == [
        said[name] for name in ("leader", "n", "share", "evidence")
    ]
    assert (found["leader"], found["n"]) == ("Tier M", 11)


def test_another_installation_makes_the_sessions_and_workspaces_that_it_lacks(
    alice: User, key: AgentKey
) -> None:
    lines = full(key, alice)
    bob = build.person("bob")
    build.key(bob)
    moved = [line for line in lines if json.loads(line)["session"]]
    report = choices_import(user=bob, lines=[_other_id(line) for line in moved], now=timezone.now())
    assert report.problems == []
    assert report.created == len(moved)
    workspaces = DecisionPoint.objects.visible_to(bob).values_list("workspace__name", "workspace__owner_id")
    assert set(workspaces) == {("api", bob.pk)}
    assert Choice.objects.visible_to(alice).count() == len(lines)


def _other_id(line: str) -> str:
    found = json.loads(line)
    found["hikae"]["id"] = found["hikae"]["id"][:-4] + "beef"
    return json.dumps(found)


def test_a_plain_record_enters_as_reported(alice: User, key: AgentKey) -> None:
    report = choices_import(user=alice, lines=[json.dumps(record())], now=timezone.now())
    assert (report.created, report.problems) == (1, [])
    row = Choice.objects.visible_to(alice).get()
    assert (row.source, row.chosen) == ("reported", ["tier m"])


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"timestamp": "2026-01-05T10:00:00"}, "offset"),
        ({"timestamp": 7}, "timestamp"),
        ({"all_options": []}, "all_options"),
        ({"all_options": ["Tier M", "tier m"]}, "set aside"),
        ({"question": 7}, "question"),
        ({"user_choice": None}, "user_choice"),
        ({"decision_id": ""}, "decision_id"),
        ({"hikae": {"id": "x"}}, "hikae must hold exactly"),
    ],
)
def test_a_bad_line_is_named_and_the_others_are_taken(
    alice: User, key: AgentKey, change: dict[str, object], why: str
) -> None:
    lines = [json.dumps(record(**change)), "{", json.dumps(record(decision_id="d2"))]
    report = choices_import(user=alice, lines=lines, now=timezone.now())
    assert report.created == 1
    assert [number for number, _why in report.problems] == [1, 2]
    assert why in report.problems[0][1]
    assert not Quarantine.objects.exists()


@pytest.mark.parametrize("field", ["outcome", "source", "labelled", "keys", "chosen", "received_at", "id"])
def test_a_line_of_ours_with_a_wrong_value_is_refused_whole(alice: User, key: AgentKey, field: str) -> None:
    line = json.loads(full(key, alice)[0])
    Choice.objects.all().delete()
    wrongs: tuple[Any, ...] = ("nonsense", 7, [], None, -1)
    for wrong in wrongs:
        broken = {**line, "hikae": {**line["hikae"], field: wrong}}
        report = choices_import(user=alice, lines=[json.dumps(broken)], now=timezone.now())
        assert report.created == 0, wrong if report.created else ""
        assert len(report.problems) == 1


def test_the_file_holds_nobody_elses_choices(alice: User, key: AgentKey) -> None:
    full(key, alice)
    assert list(choices_export(user=build.person("bob"))) == []


def arranged(key: AgentKey, alice: User) -> list[str]:
    """A name, a wish, two options that are one, two questions made one, and one taken apart."""
    now = timezone.now()
    for label in ("Alpha", "Beta", "Beta"):
        clicked(key, label, labels=("Alpha", "Beta"), text="Which plan?")
    clicked(key, "Beta", labels=("Alpha", "Beta"), text="How do we go about it?")
    for text in ("Which method should I use?", "Which method should we use?"):
        clicked(key, "Alpha", labels=("Alpha", "Beta"), text=text)
    points = {point.question: point for point in DecisionPoint.objects.visible_to(alice)}
    plan, about = points["Which plan?"], points["How do we go about it?"]
    method = next(point for question, point in points.items() if question.startswith("Which method"))
    plan = point_merge(source_id=about.pk, target_id=plan.pk, version=about.version, user=alice, now=now)
    plan = point_rename(point_id=plan.pk, version=plan.version, user=alice, name="The plan", now=now)
    options = {option.key: option.pk for option in plan.options.all()}
    option_alias(
        point_id=plan.pk,
        version=plan.version,
        user=alice,
        option_id=options["alpha"],
        alias_of_id=options["beta"],
        now=now,
    )
    preferred_set(user=alice, point_id=plan.pk, option="Beta", now=now)
    split = method.wordings.order_by("pk").last()
    assert split is not None
    point_split(point_id=method.pk, version=method.version, user=alice, wording_ids=[split.pk], now=now)
    return list(choices_export(user=alice))


def shape(alice: User) -> set[tuple[object, ...]]:
    found: set[tuple[object, ...]] = set()
    for point in DecisionPoint.objects.visible_to(alice).live():
        wish = point.preferences.filter(kind="preferred").first()
        words = frozenset(point.wordings.values_list("question", "joined"))
        other = frozenset(point.options.exclude(alias_of=None).values_list("key", "alias_of__key"))
        named = wish.option.key if wish and wish.option else ""
        found.add((point.name, words, other, named, point.choices.count()))
    return found


def test_what_a_person_said_about_questions_comes_along(alice: User, key: AgentKey) -> None:
    before = arranged(key, alice)
    wanted = shape(alice)
    assert len(wanted) == 3
    Choice.objects.all().delete()
    Preference.objects.all().delete()
    DecisionPoint.objects.all().delete()
    report = choices_import(user=alice, lines=before, now=timezone.now())
    assert (report.created, report.points, report.problems) == (6, 2, [])
    assert shape(alice) == wanted
    assert list(choices_export(user=alice)) == before
    again = choices_import(user=alice, lines=before, now=timezone.now())
    assert (again.created, again.problems, shape(alice)) == (0, [], wanted)


def test_an_export_enters_for_somebody_else_of_the_same_installation_too(alice: User, key: AgentKey) -> None:
    lines = full(key, alice)
    bob = build.person("bob")
    build.key(bob)
    report = choices_import(user=bob, lines=lines, now=timezone.now())
    assert (report.created, report.problems) == (14, [])
    assert Choice.objects.visible_to(bob).count() == Choice.objects.visible_to(alice).count() == 14
    again = choices_import(user=bob, lines=lines, now=timezone.now())
    assert (again.created, again.known, again.problems) == (0, 14, [])


@pytest.mark.django_db(transaction=True)
def test_an_import_needs_nobody_to_open_a_transaction_for_it(alice: User, key: AgentKey) -> None:
    lines = full(key, alice)
    assert choices_import(user=alice, lines=lines, now=timezone.now()).known == 14


@pytest.mark.parametrize(
    "change",
    [
        {"name": 7},
        {"category_set": "nonsense"},
        {"always_ask": "yes"},
        {"aliases": {"a": ""}},
        {"wordings": []},
        {"wordings": [{"question": "?", "keys": "a", "multi": False, "joined": "first"}]},
        {"more": 1},
    ],
)
def test_a_bad_line_about_a_question_is_refused(
    alice: User, key: AgentKey, change: dict[str, object]
) -> None:
    lines = [json.loads(line) for line in arranged(key, alice)]
    [first, *_rest] = [line for line in lines if "hikae_point" in line]
    broken = json.dumps({**first, "hikae_point": {**first["hikae_point"], **change}})
    report = choices_import(user=alice, lines=[broken], now=timezone.now())
    assert (report.points, len(report.problems)) == (0, 1)
    assert "hikae_point" in report.problems[0][1]


def test_without_a_key_nothing_enters(key: AgentKey) -> None:
    with pytest.raises(Exception, match="agent key"):
        choices_import(user=build.person("bob"), lines=[json.dumps(record())], now=timezone.now())


def test_the_commands_do_the_same(alice: User, key: AgentKey, tmp_path: Path) -> None:
    lines = full(key, alice)
    out = StringIO()
    call_command("export_choices", user="alice", stdout=out)
    assert out.getvalue().splitlines() == lines
    file = tmp_path / "decisions.jsonl"
    file.write_text(out.getvalue(), encoding="utf-8")
    said = StringIO()
    call_command("import_choices", str(file), user="alice", stdout=said)
    assert "0 brought back, 14 known already" in said.getvalue()
    with pytest.raises(CommandError, match="no user"):
        call_command("export_choices", user="nobody")
    out = StringIO()
    call_command("backtest", user="alice", stdout=out)
    assert "hikae" in out.getvalue()
    out = StringIO()
    call_command("backtest", "--json", user="alice", stdout=out)
    assert json.loads(out.getvalue())["n"] == 13
