"""Names and places of namespaces: renaming, linking, handing over, and being found afterwards."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from core.actor import Actor
from core.errors import Conflict, DomainError, Forbidden, Invalid, NotFound
from core.models import AgentKey, AuditEvent, Membership, Namespace, NamespaceAlias
from core.selectors.access import namespace_for_key, namespace_for_user
from core.selectors.workspaces import link_offers
from core.services import audit
from core.services.members import member_set
from core.services.namespaces import namespace_create, workspace_for_key
from core.services.workspaces import namespace_link, namespace_rename, namespace_transfer
from tests import build

pytestmark = pytest.mark.django_db
OLD, NEW, FOLDER = "r:aaaaaaaa1", "r:bbbbbbbb2", "d:cccccccc3"


@pytest.fixture
def laptop(alice: User) -> AgentKey:
    return build.key(alice).key


def rename(namespace: Namespace, user: User, name: str) -> Namespace:
    return namespace_rename(namespace_id=namespace.pk, user=user, name=name, now=timezone.now())


def opened(key: AgentKey, name: str, *fingerprints: str) -> Namespace:
    return workspace_for_key(key=key, name=name, fingerprints=fingerprints, now=timezone.now())


class TestRenaming:
    def test_old_sessions_keys_and_pages_still_find_it(
        self, laptop: AgentKey, api: Namespace, alice: User
    ) -> None:
        rename(api, alice, "backend")
        assert opened(laptop, "api") == opened(laptop, "backend") == api
        assert namespace_for_key(key=laptop, reference="workspace:api") == api
        assert namespace_for_user(user=alice, reference="workspace:backend") == api
        assert AuditEvent.objects.get(verb="namespace.renamed").data == {"from": "api", "to": "backend"}
        assert audit.verify() == []

    def test_back_to_a_former_name_is_fine(self, api: Namespace, alice: User) -> None:
        rename(rename(api, alice, "backend"), alice, "api")
        assert [alias.name for alias in NamespaceAlias.objects.all()] == ["backend"]

    def test_names_stay_unambiguous(self, api: Namespace, alice: User, now: datetime) -> None:
        web = build.workspace(alice, "web")
        with pytest.raises(Conflict):
            rename(api, alice, "web")
        rename(api, alice, "backend")
        with pytest.raises(Conflict, match="former name"):
            rename(web, alice, "api")
        with pytest.raises(Conflict, match="former name"):
            namespace_create(owner=alice, type="workspace", name="api", actor=Actor.system(), now=now)

    def test_a_place_unknown_there_makes_a_workspace_of_its_own(self, laptop: AgentKey, alice: User) -> None:
        rename(opened(laptop, "api", OLD), alice, "backend")
        fresh = opened(laptop, "api", NEW)
        assert fresh.name.startswith("api-")

    @pytest.mark.parametrize("name", ["", "a b", "a/b", "x" * 201, "a:b"])
    def test_refuses_what_is_no_name(self, api: Namespace, alice: User, name: str) -> None:
        with pytest.raises(Invalid):
            rename(api, alice, name)

    def test_the_default_persona_keeps_its_name(self, alice: User) -> None:
        with pytest.raises(Invalid):
            rename(Namespace.objects.get(owner=alice, name="default"), alice, "me")


class TestLinking:
    def pair(self, laptop: AgentKey) -> tuple[Namespace, Namespace]:
        return opened(laptop, "api", OLD, FOLDER), opened(laptop, "api", NEW, FOLDER)

    def test_a_folder_with_another_remote_is_offered(self, laptop: AgentKey, alice: User) -> None:
        older, newer = self.pair(laptop)
        (offer,) = link_offers(user=alice)
        assert (offer.older, offer.newer, offer.folder.value) == (older, newer, FOLDER)
        assert [remote.value for remote in offer.remotes] == [NEW]

    def test_sessions_from_there_belong_to_the_other_from_then_on(
        self, laptop: AgentKey, alice: User, now: datetime
    ) -> None:
        older, newer = self.pair(laptop)
        (offer,) = link_offers(user=alice)
        namespace_link(fingerprint_id=offer.remotes[0].pk, into=older.pk, user=alice, now=now)
        assert link_offers(user=alice) == []
        assert opened(laptop, "api", NEW, FOLDER) == opened(laptop, "api", OLD, FOLDER) == older
        streams = AuditEvent.objects.filter(verb="namespace.linked").values_list("stream", flat=True)
        assert set(streams) == {f"ns:{older.pk}", f"ns:{newer.pk}"}

    def test_what_is_unrelated_is_not_offered(self, laptop: AgentKey, alice: User, bob: User) -> None:
        opened(laptop, "api", OLD, FOLDER)
        opened(laptop, "web", "r:dddddddd4", "d:eeeeeeee5")
        opened(build.key(bob).key, "api", NEW, FOLDER)
        assert link_offers(user=alice) == link_offers(user=bob) == []

    def test_a_place_of_two_workspaces_is_kept_once(
        self, laptop: AgentKey, alice: User, now: datetime
    ) -> None:
        older, newer = self.pair(laptop)
        folder = newer.fingerprints.get(value=FOLDER)
        namespace_link(fingerprint_id=folder.pk, into=older.pk, user=alice, now=now)
        assert older.fingerprints.filter(value=FOLDER).count() == 1
        assert not newer.fingerprints.filter(value=FOLDER).exists()


class TestHandingOver:
    def test_the_new_owner_owns_and_the_old_one_reviews_and_still_finds_it(
        self, laptop: AgentKey, api: Namespace, alice: User, bob: User, now: datetime
    ) -> None:
        opened(laptop, "api", OLD)
        member_set(namespace=api, by=alice, user=bob, role="reader", now=now)
        namespace_transfer(namespace_id=api.pk, user=alice, to=bob, now=now)
        api.refresh_from_db()
        assert api.owner == bob
        roles = dict(Membership.objects.filter(namespace=api).values_list("user__username", "role"))
        assert roles == {"alice": "reviewer", "bob": "owner"}
        assert opened(laptop, "api") == opened(laptop, "api", OLD) == api
        assert opened(build.key(bob).key, "api") == api
        with pytest.raises(Forbidden):
            rename(api, alice, "mine")

    def test_and_back_again(self, api: Namespace, alice: User, bob: User, now: datetime) -> None:
        member_set(namespace=api, by=alice, user=bob, role="reader", now=now)
        namespace_transfer(namespace_id=api.pk, user=alice, to=bob, now=now)
        namespace_transfer(namespace_id=api.pk, user=bob, to=alice, now=now)
        api.refresh_from_db()
        assert api.owner == alice

    def test_needs_a_member_a_free_name_and_a_free_remote(
        self, laptop: AgentKey, api: Namespace, alice: User, bob: User, now: datetime
    ) -> None:
        def hand_over() -> None:
            namespace_transfer(namespace_id=api.pk, user=alice, to=bob, now=now)

        with pytest.raises(Invalid):
            hand_over()
        theirs = opened(build.key(bob).key, "api", OLD)
        member_set(namespace=api, by=alice, user=bob, role="reviewer", now=now)
        with pytest.raises(Conflict):
            hand_over()
        rename(theirs, bob, "other")
        NamespaceAlias.objects.all().delete()
        opened(laptop, "api", OLD)
        with pytest.raises(Conflict) as caught:
            hand_over()
        assert caught.value.code == "remote_taken"

    def test_only_by_the_person_whose_it_is(
        self, api: Namespace, alice: User, bob: User, now: datetime
    ) -> None:
        member_set(namespace=api, by=alice, user=bob, role="owner", now=now)
        with pytest.raises(Forbidden):
            namespace_transfer(namespace_id=api.pk, user=bob, to=bob, now=now)


class TestWhoMay:
    def test_strangers_readers_and_reviewers_change_nothing(
        self, laptop: AgentKey, api: Namespace, alice: User, now: datetime
    ) -> None:
        opened(laptop, "api", OLD)
        place = api.fingerprints.get()
        acts: list[Callable[[User], object]] = [
            lambda user: rename(api, user, "mine"),
            lambda user: namespace_transfer(namespace_id=api.pk, user=user, to=user, now=now),
            lambda user: namespace_link(
                fingerprint_id=place.pk, into=build.workspace(user, uuid.uuid4().hex).pk, user=user, now=now
            ),
        ]
        expected: dict[str, type[DomainError]] = {
            "reader": Forbidden,
            "reviewer": Forbidden,
            "stranger": NotFound,
        }
        for role, error in expected.items():
            user = build.person(role)
            if role != "stranger":
                member_set(namespace=api, by=alice, user=user, role=role, now=now)
            for act in acts:
                with pytest.raises(error):
                    act(user)
            assert link_offers(user=user) == []
        api.refresh_from_db()
        place.refresh_from_db()
        assert (api.name, api.owner, place.namespace) == ("api", alice, api)

    def test_a_former_name_opens_nothing_for_strangers(self, api: Namespace, alice: User, bob: User) -> None:
        rename(api, alice, "backend")
        for reference in ("workspace:api", "workspace:alice/api"):
            with pytest.raises(NotFound):
                namespace_for_user(user=bob, reference=reference)
        assert opened(build.key(bob).key, "api") != api
