"""Daily sums of choices: the database keeps them right whatever happens to the choices (decisions.models.tally)."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from core.models import AgentKey, Namespace
from decisions.learning.types import DEFAULTS, Settings
from decisions.models import Choice, DecisionPoint, Preference, Tally, Wording
from decisions.selectors import sums, tables
from decisions.services.archive import choices_archive
from decisions.services.erasing import choices_erase
from decisions.services.exchange import choices_export, choices_import
from decisions.services.merging import point_merge, point_split
from decisions.services.rehousing import choices_rehouse
from decisions.services.resets import reset_all, reset_category, reset_point, reset_undo
from decisions.services.tallies import tallies_rebuild, tallies_wrong
from tests import build
from tests.decisions.choosing import TIERS, clicked, reported
from transcripts.models import AgentSession

pytestmark = pytest.mark.django_db
QUESTIONS = ("Which tier?", "How large shall the cache be?", "Whose turn is it now?")
PLACES = ("api", "shop", None)


class Life:
    """Random acts of one person and of the house around them."""

    def __init__(self, seed: int, user: User) -> None:
        self.draw = random.Random(seed)
        self.user = user
        self.key: AgentKey = build.key(user).key

    def choose(self) -> None:
        for _ in range(self.draw.randint(1, 4)):
            self._choose(clicked)

    def report(self) -> None:
        record = {"session": f"told-{self.draw.randint(0, 2)}"}
        build.session(self.key, record["session"], workspace="api")
        self._choose(reported, **record)

    def _choose(self, how: Callable[..., Any], **more: Any) -> None:
        if how is clicked:
            more = {"workspace": self.draw.choice(PLACES)}
        ago = timedelta(days=self.draw.uniform(0, 95))
        how(self.key, self.draw.choice(TIERS), ago=ago, text=self.draw.choice(QUESTIONS), **more)

    def follow(self) -> None:
        some = self._some(Choice.objects.observed())
        Choice.objects.filter(pk__in=some).update(labelled=True, followed=True)

    def rejudge(self) -> None:
        some = self._some(Choice.objects.observed())[:1]
        Choice.objects.filter(pk__in=some).update(outcome="skipped", reason="prefilled")

    def archive(self) -> None:
        choices_archive(now=timezone.now() + timedelta(days=self.draw.randint(0, 20)))

    def reset(self) -> None:
        points = list(DecisionPoint.objects.live())
        how = self.draw.randint(0, 2)
        if how == 0 and points:
            reset_point(user=self.user, point_id=self.draw.choice(points).pk, now=timezone.now())
        elif how == 1:
            reset_category(user=self.user, category="tier", now=timezone.now())
        else:
            reset_all(user=self.user, now=timezone.now())

    def take_back(self) -> None:
        for each in Preference.objects.live().filter(kind="reset")[:1]:
            reset_undo(user=self.user, preference_id=each.pk, now=timezone.now())

    def merge(self) -> None:
        points = list(DecisionPoint.objects.live().filter(workspace__name="api").order_by("pk"))
        if len(points) > 1:
            one, two = self.draw.sample(points, 2)
            point_merge(
                source_id=one.pk, target_id=two.pk, version=one.version, user=self.user, now=timezone.now()
            )

    def split(self) -> None:
        for point in DecisionPoint.objects.live():
            wordings = list(Wording.objects.filter(point=point).values_list("pk", flat=True))
            if len(wordings) > 1:
                point_split(
                    point_id=point.pk,
                    version=point.version,
                    user=self.user,
                    wording_ids=wordings[:1],
                    now=timezone.now(),
                )
                return

    def purge(self) -> None:
        AgentSession.objects.filter(pk__in=self._some(AgentSession.objects.all())[:2]).delete()

    def delete(self) -> None:
        Choice.objects.filter(pk__in=self._some(Choice.objects.all())[:2]).delete()

    def come_back(self) -> None:
        lines = list(choices_export(user=self.user))
        choices_erase(user=self.user)
        report = choices_import(user=self.user, lines=lines, now=timezone.now())
        assert report.problems == []

    def move(self) -> None:
        spaces = list(Namespace.objects.filter(type="workspace", name__in=[p for p in PLACES if p]))
        if len(spaces) == 2:
            self.draw.shuffle(spaces)
            choices_rehouse(source=spaces[0], target=spaces[1])

    def _some(self, rows: Any) -> list[Any]:
        found = sorted(rows.values_list("pk", flat=True))
        return self.draw.sample(found, min(len(found), 4))


ACTS = [name for name, act in vars(Life).items() if callable(act) and not name.startswith("_")]


@pytest.mark.parametrize("seed", range(8))
def test_after_any_acts_the_sums_are_those_of_a_recount(seed: int) -> None:
    life = Life(seed, build.person("alice"))
    life.choose()
    assert Tally.objects.exists()
    for act in ["choose", *life.draw.choices(ACTS, k=14)]:
        getattr(life, act)()
        assert tallies_wrong() == [], act


def test_a_sum_without_choices_is_no_row() -> None:
    alice = build.person("alice")
    clicked(build.key(alice).key, "Tier S")
    assert Tally.objects.visible_to(alice).get().n == 1
    assert not Tally.objects.visible_to(build.person("bob")).exists()
    made = reset_all(user=alice, now=timezone.now())
    assert not Tally.objects.exists()
    reset_undo(user=alice, preference_id=made.preference.pk, now=timezone.now())
    assert Tally.objects.get().n == 1


def many(key: AgentKey, *, sessions: int, per_session: int) -> None:
    for number in range(sessions * per_session):
        ago = timedelta(days=92 * number / (sessions * per_session), minutes=number)
        clicked(key, TIERS[number * number % 3], ago=ago, session=f"s{number // per_session}")
    Choice.objects.filter(chosen=["tier m"]).update(labelled=True, followed=True)
    Choice.objects.filter(chosen=["tier l"]).update(source="reported")


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.5, 2.0])
def test_tallied_sums_are_the_sums_of_the_choices(rate: float, monkeypatch: pytest.MonkeyPatch) -> None:
    alice = build.person("alice")
    many(build.key(alice).key, sessions=6, per_session=9)
    clicked(build.key(build.person("bob")).key, "Tier S", session="bobs")
    point, now = DecisionPoint.objects.visible_to(alice).get(), timezone.now()
    layers = [
        str(pk) for pk in AgentSession.objects.filter(key__in=["s0", "s3"]).values_list("pk", flat=True)
    ]
    numbers = replace(DEFAULTS, decay_rate=rate)
    border = Choice.objects.visible_to(alice).order_by("-at")[2]

    def read(numbers: Settings) -> dict[tuple[tuple[str, ...], str, bool, bool], tuple[int, float]]:
        found = sums.sums_older(
            user_id=alice.pk,
            point_id=point.pk,
            before=(border.at, str(border.pk)),
            sessions=layers,
            now=now,
            numbers=numbers,
        )
        return {(s.chosen, s.session, s.followed, s.reported): (s.count, s.weight) for s in found}

    tallied = read(numbers)
    monkeypatch.setattr(sums, "FINEST", -1.0)
    exact = read(numbers)
    assert {key[1] for key in exact} == {"", *layers}
    assert {key: n for key, (n, _w) in tallied.items()} == {key: n for key, (n, _w) in exact.items()}
    # What sessions take out of a day's sum leaves the error of the whole day.
    whole = sum(weight for _n, weight in exact.values())
    for key, (_n, weight) in exact.items():
        assert tallied[key][1] == pytest.approx(weight, abs=whole * (1e-5 if rate > 0.1 else 3e-9))


def test_the_person_prior_is_the_same_from_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    alice = build.person("alice")
    many(build.key(alice).key, sessions=5, per_session=5)
    point, now = DecisionPoint.objects.visible_to(alice).get(), timezone.now()
    wanted = {"q": (Wording.objects.get(point=point).template_hash, None)}

    def read(user: User) -> dict[str, tables.Counted]:
        return tables.counted_elsewhere(user_id=user.pk, wanted=wanted, reach=None, now=now, numbers=DEFAULTS)

    tallied = read(alice)["q"].older
    monkeypatch.setattr(sums, "FINEST", -1.0)
    exact = read(alice)["q"].older
    assert read(build.person("bob")) == {}

    def total(found: object) -> dict[object, float]:
        added: dict[object, float] = {}
        for each in found:  # type: ignore[attr-defined]
            key = (each.chosen, each.followed, each.reported)
            added[key] = added.get(key, 0.0) + each.weight
        return added

    assert total(tallied) == pytest.approx(total(exact), rel=3e-8)
    assert sum(each.count for each in tallied) == sum(each.count for each in exact) == 25


def test_sums_that_were_bent_by_hand_are_named_and_made_anew(capsys: pytest.CaptureFixture[str]) -> None:
    clicked(build.key(build.person("alice")).key, "Tier S")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE decisions_tally SET n = 5")
    with pytest.raises(CommandError, match="1 sums are wrong"):
        call_command("recount_choices", "--check")
    assert "5 instead of 1" in capsys.readouterr().out
    call_command("recount_choices")
    call_command("recount_choices", "--check")
    assert "All sums are right." in capsys.readouterr().out
    assert tallies_rebuild() == 1
