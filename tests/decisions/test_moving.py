"""Choices go where their workspace goes: split off, merged, erased (design sections 2 and 8)."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from core.models import AgentKey, Fingerprint, Namespace
from core.services.members import member_set
from decisions.models import Choice, DecisionPoint, Option, Preference, Recommendation, Wording
from decisions.services.arranging import point_rename
from decisions.services.preferences import always_ask_set, preferred_set
from review.services.account import account_delete
from review.services.workspaces import namespace_split
from tests import build
from tests.decisions.choosing import asked, asking, clicked
from transcripts.models import AgentSession

pytestmark = pytest.mark.django_db
OTHER = "How shall we name it?"
NAMES = ("Short", "Long")


@pytest.fixture
def shop(alice: User, key: AgentKey) -> Namespace:
    """One workspace of two places; both know the tier question, only the second the other one."""
    build.session(key, "here", workspace="shop", fingerprints=["r:aaaaaaaa1"])
    build.session(key, "there", workspace="shop")
    found = Namespace.objects.visible_to(alice).get(name="shop")
    Fingerprint.objects.create(
        namespace=found, owner=alice, value="r:bbbbbbbb2"
    )  # as linking a place leaves it
    AgentSession.objects.filter(key="there").update(fingerprints=["r:bbbbbbbb2"])
    return found


def chosen(key: AgentKey, label: str, session: str, **more: object) -> None:
    clicked(key, label, session=session, workspace="shop", **more)  # type: ignore[arg-type]


class TestSplit:
    def split(self, shop: Namespace, alice: User) -> Namespace:
        place = Fingerprint.objects.get(namespace=shop, value="r:bbbbbbbb2")
        done = namespace_split(
            namespace_id=shop.pk, user=alice, name="branch", fingerprint_ids=[place.pk], now=timezone.now()
        )
        return done.namespace

    def test_a_question_of_both_is_begun_in_the_new_workspace_with_its_own_choices(
        self, alice: User, key: AgentKey, shop: Namespace
    ) -> None:
        for label in ("Tier S", "Tier M"):
            chosen(key, label, "here")
        chosen(key, "Tier L", "there")
        now = timezone.now()
        point = DecisionPoint.objects.visible_to(alice).get()
        preferred_set(user=alice, point_id=point.pk, option="Tier M", now=now)
        always_ask_set(user=alice, point_id=point.pk, on=True, now=now)
        point.refresh_from_db()
        point_rename(point_id=point.pk, version=point.version, user=alice, name="Size", now=now)
        api = build.api(build.key(alice, name="asks").secret)
        [before] = asked(api, session="there")
        branch = self.split(shop, alice)
        kept, begun = DecisionPoint.objects.get(workspace=shop), DecisionPoint.objects.get(workspace=branch)
        assert kept.pk == point.pk
        assert sorted(kept.choices.values_list("chosen", flat=True)) == [["tier m"], ["tier s"]]
        assert list(begun.choices.values_list("chosen", flat=True)) == [["tier l"]]
        assert (begun.name, begun.always_ask) == ("Size", True)
        wish = Preference.objects.get(point=begun)
        assert wish.option is not None
        assert (wish.option.key, wish.option.point) == ("tier m", begun)
        assert Recommendation.objects.get(pk=before["id"]).point == begun
        [after] = asked(api, session="there")
        assert (after["point"], after["n"], after["leader"]) == (str(begun.pk), 1, "Tier M")
        for row in Choice.objects.select_related("wording"):
            assert row.wording is not None
            assert row.wording.point_id == row.point_id

    def test_a_question_of_the_split_off_place_alone_moves_as_it_is(
        self, alice: User, key: AgentKey, shop: Namespace
    ) -> None:
        chosen(key, "Tier S", "here")
        chosen(key, "Short", "there", text=OTHER, labels=NAMES)
        point = DecisionPoint.objects.get(question=OTHER)
        branch = self.split(shop, alice)
        point.refresh_from_db()
        assert point.workspace == branch
        assert set(Wording.objects.filter(point=point).values_list("workspace", flat=True)) == {branch.pk}
        assert DecisionPoint.objects.get(workspace=shop).choices.count() == 1

    def test_another_persons_choices_follow_their_own_sessions(
        self, alice: User, key: AgentKey, shop: Namespace
    ) -> None:
        bob = build.person("bob")
        member_set(namespace=shop, by=alice, user=bob, role="reviewer", now=timezone.now())
        bobs = build.key(bob).key
        clicked(bobs, "Tier S", session="bobs", workspace="alice/shop")
        chosen(key, "Tier L", "there")
        branch = self.split(shop, alice)
        assert DecisionPoint.objects.visible_to(bob).get().workspace == shop
        assert DecisionPoint.objects.visible_to(alice).get().workspace == branch


class TestErasing:
    def test_everything_of_the_person_goes_and_nothing_of_anybody_else(
        self, alice: User, key: AgentKey, shop: Namespace
    ) -> None:
        bob = build.person("bob")
        bobs = build.key(bob).key
        clicked(bobs, "Tier S", session="bobs", workspace="own")
        for session in ("here", "there"):
            chosen(key, "Tier M", session)
        asked(build.api(build.key(alice, name="asks").secret), asking(), session="here")
        now = timezone.now()
        preferred_set(
            user=alice, point_id=DecisionPoint.objects.visible_to(alice).get().pk, option="Tier M", now=now
        )
        gone = alice.pk
        account_delete(user=alice, typed_name="alice", now=now)
        for model in (Choice, DecisionPoint, Wording, Preference, Recommendation):
            assert not model._default_manager.filter(user_id=gone).exists()
        assert Option.objects.exclude(point__user=bob).count() == 0
        assert Choice.objects.get().user == bob

    def test_what_others_chose_in_an_erased_workspace_stays_theirs(
        self, alice: User, key: AgentKey, shop: Namespace
    ) -> None:
        bob = build.person("bob")
        now = timezone.now()
        member_set(namespace=shop, by=alice, user=bob, role="reviewer", now=now)
        bobs = build.key(bob).key
        clicked(bobs, "Tier S", session="bobs", workspace="alice/shop")
        clicked(bobs, "Tier L", workspace=None)
        shop.memberships.filter(user=bob).delete()
        account_delete(user=alice, typed_name="alice", now=now)
        point = DecisionPoint.objects.visible_to(bob).live().get()
        assert point.workspace is None
        assert point.choices.count() == 2
        assert Wording.objects.visible_to(bob).count() == 1
