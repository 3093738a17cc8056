"""The same question in other words is the same point; what a person says about it goes before (design section 5)."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from core.errors import Conflict, DomainError, Invalid, NotFound
from core.models import AuditEvent
from decisions.models import Choice, DecisionPoint, Option, Preference, Wording
from decisions.services.arranging import option_alias, point_categorise, point_rename
from decisions.services.merging import point_merge, point_split
from decisions.services.preferences import preferred_set
from tests import build
from tests.decisions.capture import post, question, sent

pytestmark = pytest.mark.django_db
METHODS = ("DDD", "TDD", "Other way")


@pytest.fixture
def client(alice: User) -> APIClient:
    return build.api(build.key(alice).secret)


class Asker:
    """Asks questions one after the other, each answered with its first option."""

    def __init__(self, client: APIClient) -> None:
        self.client = client
        self.number = 0

    def ask(self, text: str, *labels: str, **extra: Any) -> DecisionPoint:
        self.number += 1
        asked = question(text, labels or METHODS, header="", **extra)
        payload = post({text: (labels or METHODS)[0]}, asked, tool_use=f"toolu_{self.number}")
        (choice,) = sent(self.client, payload)
        point = Choice.objects.get(pk=choice["id"]).point
        assert point is not None
        return point


@pytest.fixture
def asker(client: APIClient) -> Asker:
    return Asker(client)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Which method for SPEC-AUTH-001?", "Which method for SPEC-PAY-017?"),
        ("Which method for 3 files?", "which method for 12 files"),
        ("Which method for `src/app.py`?", "Which method for `lib/db.py`?"),
        ("Which method should I use?", "Which method should we use?"),
        ("Which development method fits this SPEC?", "Which development method fits this change?"),
        ("SPEC-AUTH-001 はどの手法で進めますか？", "SPEC-PAY-017 はどの手法で進めますか？"),
        ("どの手法で実装しますか？", "どの手法で実装を進めますか？"),
        ("開発モードを選んでください", "どの開発モードにしますか？"),
        ("Which tier should this spec get?", "What tier does this SPEC need?"),
        ("Which tier?", "What tier should we use?"),
        ("Please choose the tier for this SPEC", "Which tier do you want to apply?"),
        ("Which database should we use?", "Pick a database"),
        ("どのモデルを使いますか？", "使用するモデルを選択してください"),
        ("ティアを選択してください", "どのティアにしますか？"),
    ],
)
def test_other_words_for_the_same_question_are_the_same_point(asker: Asker, one: str, other: str) -> None:
    assert asker.ask(one) == asker.ask(other)


@pytest.mark.parametrize(
    ("one", "other", "labels"),
    [
        ("Run the tests before the merge?", "Run the tests after the merge?", ("Yes", "No")),
        ("Keep the old files?", "Delete the old files?", ("Yes", "No")),
        ("Enable the cache?", "Disable the cache?", ("Yes", "No")),
        ("マージの前にテストしますか？", "マージの後にテストしますか？", ("はい", "いいえ")),
        ("古いファイルを残しますか？", "古いファイルを削除しますか？", ("はい", "いいえ")),
        ("キャッシュを有効にしますか？", "キャッシュを無効にしますか？", ("はい", "いいえ")),
        ("Format the code?", "Publish the release?", ("Yes", "No")),
        ("Which method fits?", "Where is the log kept?", METHODS),
        ("Which method for the header?", "Which method for the footer?", METHODS),
        ("Which model should review?", "Which model should write the code?", METHODS),
        ("ログの形式はどれにしますか", "APIの形式はどれにしますか", ("JSON", "Text")),
        ("モデルの名前はどうしますか", "モデルの保存先はどうしますか", METHODS),
        (
            "Which tier for the cache of the cellar?",
            "Which tier for the queue of the attic?",
            ("S", "M", "L"),
        ),
    ],
)
def test_opposites_and_other_questions_never_become_one(
    asker: Asker, one: str, other: str, labels: tuple[str, ...]
) -> None:
    assert asker.ask(one, *labels) != asker.ask(other, *labels)


def test_other_options_make_another_point(asker: Asker) -> None:
    assert asker.ask("Which method?") != asker.ask("Which method?", "DDD", "TDD")
    assert asker.ask("Which method?") != asker.ask("Which method?", multi=True)


def test_the_order_of_the_options_makes_no_other_point(asker: Asker) -> None:
    assert asker.ask("Which method?") == asker.ask("Which method?", *reversed(METHODS))


def test_a_point_of_another_person_is_never_joined(asker: Asker) -> None:
    bob = Asker(build.api(build.key(build.person("bob")).secret))
    assert asker.ask("Which method?") != bob.ask("Which method?")


class TestMerging:
    def test_a_merge_moves_everything_and_equal_questions_go_there(self, alice: User, asker: Asker) -> None:
        one, two = asker.ask("Which method?"), asker.ask("How shall we go about it?", "DDD", "TDD")
        merged = point_merge(
            source_id=two.pk, target_id=one.pk, version=two.version, user=alice, now=timezone.now()
        )
        assert Choice.objects.filter(point=merged).count() == 2
        assert asker.ask("How shall we go about it?", "DDD", "TDD") == merged
        assert set(Option.objects.filter(point=one).values_list("key", flat=True)) == {
            "ddd",
            "tdd",
            "other way",
        }
        assert list(DecisionPoint.objects.visible_to(alice).live()) == [one]
        assert AuditEvent.objects.get(verb="choice.merge").data == {"into": str(one.pk)}

    def test_a_merge_of_a_merge_leads_to_the_last_one(self, alice: User, asker: Asker) -> None:
        points = [asker.ask("Which method?"), asker.ask("One?", "A", "B"), asker.ask("Two?", "C", "D")]
        for source, target in ((points[2], points[1]), (points[1], points[0])):
            source.refresh_from_db()
            point_merge(
                source_id=source.pk,
                target_id=target.pk,
                version=source.version,
                user=alice,
                now=timezone.now(),
            )
        assert set(DecisionPoint.objects.exclude(merged_into=None).values_list("merged_into", flat=True)) == {
            points[0].pk
        }

    def test_what_is_preferred_comes_along_unless_the_target_says_otherwise(
        self, alice: User, asker: Asker
    ) -> None:
        one, two = asker.ask("Which method?"), asker.ask("How shall we go about it?", "DDD", "TDD")
        preferred_set(user=alice, point_id=two.pk, option="tdd", now=timezone.now())
        two.refresh_from_db()
        point_merge(source_id=two.pk, target_id=one.pk, version=two.version, user=alice, now=timezone.now())
        kept = Preference.objects.visible_to(alice).live().get()
        assert kept.option is not None
        assert (kept.point, kept.option.key, kept.option.point) == (one, "tdd", one)

    def test_a_stranger_merges_nothing(self, alice: User, asker: Asker) -> None:
        one, two = asker.ask("Which method?"), asker.ask("One?", "A", "B")
        mallory = build.person("mallory")
        for source, target in ((one, two), (two, one)):
            with pytest.raises(NotFound):
                point_merge(
                    source_id=source.pk, target_id=target.pk, version=1, user=mallory, now=timezone.now()
                )
        assert DecisionPoint.objects.visible_to(alice).live().count() == 2

    def test_a_point_is_not_merged_into_itself_or_across_workspaces(self, alice: User, asker: Asker) -> None:
        one = asker.ask("Which method?")
        build.session(build.key(alice, name="other").key, "elsewhere", workspace="elsewhere")
        text = "Which method?"
        payload = post({text: "DDD"}, question(text, METHODS), session="elsewhere")
        sent(asker.client, payload)
        other = DecisionPoint.objects.exclude(pk=one.pk).get()
        for target in (one, other):
            with pytest.raises(Invalid):
                point_merge(
                    source_id=one.pk,
                    target_id=target.pk,
                    version=one.version,
                    user=alice,
                    now=timezone.now(),
                )

    def test_who_saw_an_older_version_is_told(self, alice: User, asker: Asker) -> None:
        one, two = asker.ask("Which method?"), asker.ask("One?", "A", "B")
        point_rename(point_id=two.pk, version=two.version, user=alice, name="A or B", now=timezone.now())
        with pytest.raises(Conflict) as raised:
            point_merge(
                source_id=two.pk, target_id=one.pk, version=two.version, user=alice, now=timezone.now()
            )
        assert raised.value.code == "changed_since"


class TestSplitting:
    def test_a_split_takes_wordings_with_their_choices_and_stays(self, alice: User, asker: Asker) -> None:
        point = asker.ask("Which development method fits this SPEC?")
        assert asker.ask("Which development method fits this change?") == point
        moved = Wording.objects.get(question__contains="change")
        point.refresh_from_db()
        new = point_split(
            point_id=point.pk,
            version=point.version,
            user=alice,
            wording_ids=[moved.pk],
            now=timezone.now(),
        )
        assert (new.question, new.choices.count(), point.choices.count()) == (moved.question, 1, 1)
        assert set(new.options.values_list("key", flat=True)) == {"ddd", "tdd", "other way"}
        assert asker.ask("Which development method fits this change?") == new
        assert asker.ask("Which development method fits this SPEC?") == point
        assert AuditEvent.objects.get(verb="choice.split").object_id == str(point.pk)

    def test_a_merge_is_undone_by_a_split(self, alice: User, asker: Asker) -> None:
        one, two = asker.ask("Which method?"), asker.ask("One?", "A", "B")
        merged = point_merge(
            source_id=two.pk, target_id=one.pk, version=two.version, user=alice, now=timezone.now()
        )
        wording = Wording.objects.get(question="One?")
        new = point_split(
            point_id=merged.pk,
            version=merged.version,
            user=alice,
            wording_ids=[wording.pk],
            now=timezone.now(),
        )
        assert set(new.options.values_list("key", flat=True)) == {"a", "b"}
        assert [choice.question for choice in new.choices.all()] == ["One?"]
        assert asker.ask("Which method?") == one

    @pytest.mark.parametrize("which", ["none", "all", "foreign"])
    def test_something_moves_and_something_stays(self, alice: User, asker: Asker, which: str) -> None:
        point = asker.ask("Which method?")
        asker.ask("One?", "A", "B")
        own = Wording.objects.get(point=point)
        foreign = Wording.objects.exclude(point=point).get()
        ids = {"none": [], "all": [own.pk], "foreign": [foreign.pk]}[which]
        with pytest.raises(Invalid):
            point_split(
                point_id=point.pk, version=point.version, user=alice, wording_ids=ids, now=timezone.now()
            )

    def test_a_stranger_splits_nothing(self, asker: Asker) -> None:
        point = asker.ask("Which method?")
        with pytest.raises(NotFound):
            point_split(
                point_id=point.pk,
                version=1,
                user=build.person("mallory"),
                wording_ids=[1],
                now=timezone.now(),
            )


class TestCorrecting:
    def test_a_name_and_a_category_of_ones_own(self, alice: User, asker: Asker) -> None:
        point = asker.ask("Which method?")
        named = point_rename(
            point_id=point.pk,
            version=point.version,
            user=alice,
            name="  Way of   working ",
            now=timezone.now(),
        )
        assert named.title == "Way of working"
        changed = point_categorise(
            point_id=point.pk, version=named.version, user=alice, category="team_mode", now=timezone.now()
        )
        assert changed.effective_category == "team_mode"
        assert changed.category == point.category
        again = point_categorise(
            point_id=point.pk, version=changed.version, user=alice, category="", now=timezone.now()
        )
        assert again.effective_category == point.category
        event = AuditEvent.objects.get(verb="choice.rename")
        assert "working" not in str(event.data)

    def test_an_unknown_category_names_those_there_are(self, alice: User, asker: Asker) -> None:
        point = asker.ask("Which method?")
        with pytest.raises(Invalid) as raised:
            point_categorise(point_id=point.pk, version=1, user=alice, category="colour", now=timezone.now())
        assert "tier" in raised.value.details["allowed"]

    def test_a_stranger_corrects_nothing(self, asker: Asker) -> None:
        point, mallory, now = asker.ask("Which method?"), build.person("mallory"), timezone.now()
        with pytest.raises(NotFound):
            point_rename(point_id=point.pk, version=1, user=mallory, name="x", now=now)
        with pytest.raises(NotFound):
            point_categorise(point_id=point.pk, version=1, user=mallory, category="tier", now=now)
        with pytest.raises(NotFound):
            option_alias(point_id=point.pk, version=1, user=mallory, option_id=1, alias_of_id=None, now=now)


class TestAliases:
    def alias(self, alice: User, point: DecisionPoint, key: str, target: str | None) -> DecisionPoint:
        point.refresh_from_db()
        ids = dict(Option.objects.filter(point=point).values_list("key", "pk"))
        return option_alias(
            point_id=point.pk,
            version=point.version,
            user=alice,
            option_id=ids[key],
            alias_of_id=ids[target] if target else None,
            now=timezone.now(),
        )

    def test_an_option_under_another_name_brings_the_question_back(self, alice: User, asker: Asker) -> None:
        point = asker.ask("Which tier?", "Small", "Medium")
        other = asker.ask("Which tier?", "Small", "Middle")
        assert point != other
        merged = point_merge(
            source_id=other.pk, target_id=point.pk, version=other.version, user=alice, now=timezone.now()
        )
        self.alias(alice, merged, "middle", "medium")
        self.alias(alice, merged, "small", None)
        assert asker.ask("Which tier?", "Small", "Middle") == point

    def test_names_of_an_alias_become_names_of_its_target(self, alice: User, asker: Asker) -> None:
        point = asker.ask("Which tier?", "A", "B", "C")
        self.alias(alice, point, "a", "b")
        self.alias(alice, point, "b", "c")
        found = Option.objects.filter(point=point, alias_of__isnull=False)
        assert dict(found.values_list("key", "alias_of__key")) == {"a": "c", "b": "c"}

    @pytest.mark.parametrize(("key", "target"), [("a", "a"), ("c", "a")])
    def test_no_circle_and_no_chain(self, alice: User, asker: Asker, key: str, target: str) -> None:
        point = asker.ask("Which tier?", "A", "B", "C")
        self.alias(alice, point, "a", "b")
        with pytest.raises(DomainError):
            self.alias(alice, point, key, target)
