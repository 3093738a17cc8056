"""Agent keys: shown once, limited by scope and reach, stopped at once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db.models import Model
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from core.actor import Actor
from core.errors import Conflict, Forbidden, Invalid, NotFound
from core.models import AgentKey, AuditEvent, Namespace
from core.selectors.keys import key_with_prefix
from core.services import keys
from core.services.members import member_set
from core.services.namespaces import namespace_create, workspace_for_key

pytestmark = pytest.mark.django_db


@pytest.fixture
def alice(django_user_model: type[User]) -> User:
    return django_user_model.objects.create_user("alice")


@pytest.fixture
def charlie(django_user_model: type[User]) -> User:
    return django_user_model.objects.create_user("charlie")


def _key(user: User, **kwargs: object) -> keys.NewKey:
    return keys.agent_key_create(
        user=user,
        name="laptop",
        actor=Actor.person(user),
        now=timezone.now(),
        **kwargs,  # type: ignore[arg-type]
    )


def test_the_secret_is_kept_nowhere(alice: User) -> None:
    new = _key(alice)
    row = AgentKey.objects.filter(pk=new.key.pk).values().get()
    assert new.secret not in str(row)
    assert new.secret not in str(list(AuditEvent.objects.values()))


def test_a_secret_authenticates_as_its_person(alice: User) -> None:
    new = _key(alice)
    found = keys.agent_key_authenticate(secret=new.secret, now=timezone.now())
    assert isinstance(found, AgentKey)
    assert found.user == alice


@pytest.mark.parametrize("with_persona", [True, False])
def test_the_key_of_a_request_is_the_one_that_the_models_give(
    with_persona: bool, alice: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    new = _key(alice)
    if not with_persona:
        AgentKey.objects.update(default_persona=None)
    stored = AgentKey.objects.select_related("user", "default_persona").get()
    with django_assert_num_queries(1):
        found = key_with_prefix(new.key.prefix)
        assert found is not None
        pairs: list[tuple[Model | None, Model | None]] = [
            (found, stored),
            (found.user, stored.user),
            (found.default_persona, stored.default_persona),
        ]
        for ours, theirs in pairs:
            assert (ours is None) == (theirs is None)
            if ours is not None and theirs is not None:
                seen = {name: value for name, value in vars(ours).items() if name != "_state"}
                assert seen == {name: getattr(theirs, name) for name in seen}
                assert set(vars(theirs)) - set(seen) <= {"_state", "missed"}
    assert found.missed == stored.missed == {}
    assert key_with_prefix("nobody") is None


@pytest.mark.parametrize("secret", ["", "hik_", "hik_00000000_x", "nonsense", "hik_" + "a" * 500])
def test_an_unknown_secret_does_not(secret: str, alice: User) -> None:
    _key(alice)
    assert keys.agent_key_authenticate(secret=secret, now=timezone.now()) == "unknown"


def test_an_expired_and_a_revoked_key_say_which(alice: User) -> None:
    now = timezone.now()
    old = _key(alice, expires_at=now + timedelta(days=1))
    assert keys.agent_key_authenticate(secret=old.secret, now=now + timedelta(days=1)) == "expired"
    gone = _key(alice)
    keys.agent_key_revoke(key=gone.key, by=alice, now=now)
    assert keys.agent_key_authenticate(secret=gone.secret, now=now) == "revoked"


def test_rotation_keeps_the_rights_and_stops_the_old_key(alice: User) -> None:
    now = timezone.now()
    first = _key(alice, scopes=["recall"], speaks_for_person=False)
    second = keys.agent_key_rotate(key=first.key, by=alice, now=now)
    assert second.key.scopes == ["recall"]
    assert second.key.speaks_for_person is False
    assert keys.agent_key_authenticate(secret=first.secret, now=now) == "revoked"
    assert isinstance(keys.agent_key_authenticate(secret=second.secret, now=now), AgentKey)


def test_a_key_is_rotated_once(alice: User) -> None:
    now = timezone.now()
    first = _key(alice).key
    keys.agent_key_rotate(key=first, by=alice, now=now)
    with pytest.raises(Conflict) as refused:
        keys.agent_key_rotate(key=first, by=alice, now=now)
    assert refused.value.code == "key_revoked"


def test_a_key_that_ran_out_is_renewed_for_the_same_term(alice: User) -> None:
    term = timedelta(days=7)
    now = timezone.now()
    first = _key(alice, expires_at=now + term).key
    later = now + timedelta(days=8)
    renewed = keys.agent_key_rotate(key=first, by=alice, now=later).key
    assert renewed.expires_at is not None
    assert abs(renewed.expires_at - (later + term)) < timedelta(minutes=1)


def test_a_stranger_can_neither_see_nor_revoke_a_key(alice: User, charlie: User) -> None:
    new = _key(alice)
    assert not AgentKey.objects.visible_to(charlie).exists()
    with pytest.raises(NotFound):
        keys.agent_key_revoke(key=new.key, by=charlie, now=timezone.now())


def test_a_key_cannot_reach_what_its_person_does_not(alice: User, charlie: User) -> None:
    foreign = namespace_create(
        owner=charlie, type="workspace", name="secret", actor=Actor.person(charlie), now=timezone.now()
    )
    with pytest.raises(Forbidden):
        _key(alice, reach="list", namespaces=[foreign])


def test_unknown_scopes_are_refused_with_what_is_allowed(alice: User) -> None:
    with pytest.raises(Invalid) as caught:
        _key(alice, scopes=["approve"])
    assert caught.value.details["allowed"] == ["ingest", "recall", "decide"]


class TestWorkspaces:
    def _workspace(self, key: AgentKey, name: str, *fingerprints: str) -> Namespace:
        return workspace_for_key(key=key, name=name, fingerprints=fingerprints, now=timezone.now())

    def test_an_unknown_workspace_is_made_on_first_use(self, alice: User) -> None:
        key = _key(alice).key
        made = self._workspace(key, "storefront", "r:aaaaaaaa")
        assert str(made) == "workspace:storefront"
        assert made.owner == alice

    def test_the_remote_decides_whatever_the_folder_is_called(self, alice: User) -> None:
        key = _key(alice).key
        made = self._workspace(key, "storefront", "r:aaaaaaaa", "d:11111111")
        assert self._workspace(key, "storefront-worktree", "r:aaaaaaaa", "d:22222222") == made

    def test_two_repositories_of_one_name_never_mix(self, alice: User) -> None:
        key = _key(alice).key
        first = self._workspace(key, "app", "r:aaaaaaaa", "d:11111111")
        second = self._workspace(key, "app", "r:bbbbbbbb", "d:22222222")
        assert first != second
        assert second.name.startswith("app-")

    def test_a_folder_whose_remote_changed_is_a_new_workspace(self, alice: User) -> None:
        key = _key(alice).key
        first = self._workspace(key, "app", "r:aaaaaaaa", "d:11111111")
        assert self._workspace(key, "app", "r:bbbbbbbb", "d:11111111") != first

    def test_a_folder_that_gains_a_remote_stays_the_same(self, alice: User) -> None:
        key = _key(alice).key
        first = self._workspace(key, "app", "d:11111111")
        assert self._workspace(key, "app", "r:bbbbbbbb", "d:11111111") == first
        assert self._workspace(key, "elsewhere", "r:bbbbbbbb", "d:33333333") == first

    def test_a_key_of_short_reach_makes_no_workspace(self, alice: User) -> None:
        listed = namespace_create(
            owner=alice, type="workspace", name="api", actor=Actor.person(alice), now=timezone.now()
        )
        key = _key(alice, reach="list", namespaces=[listed]).key
        assert self._workspace(key, "api") == listed
        with pytest.raises(Forbidden):
            self._workspace(key, "other", "r:cccccccc")

    def test_two_people_may_both_own_the_same_name(self, alice: User, charlie: User) -> None:
        hers = self._workspace(_key(alice).key, "api", "r:aaaaaaaa")
        his = self._workspace(_key(charlie).key, "api", "r:aaaaaaaa")
        assert hers != his
        assert (str(hers), str(his)) == ("workspace:api", "workspace:api")

    def test_a_member_cannot_claim_the_owners_other_repositories(self, alice: User, charlie: User) -> None:
        hers, his = _key(alice).key, _key(charlie).key
        shared = self._workspace(hers, "shared", "r:0000aaaa")
        member_set(namespace=shared, by=alice, user=charlie, role="reader", now=timezone.now())
        assert self._workspace(his, "alice/shared", "r:5ec4e75ec4e7") == shared
        assert self._workspace(hers, "private", "r:5ec4e75ec4e7") != shared

    def test_ones_own_workspace_comes_before_a_shared_one(self, alice: User, charlie: User) -> None:
        hers, his = _key(alice).key, _key(charlie).key
        older = self._workspace(his, "api", "r:0000aaaa", "d:0000dddd")
        own = self._workspace(hers, "api", "r:0000aaaa", "d:0000dddd")
        member_set(namespace=older, by=charlie, user=alice, role="reader", now=timezone.now())
        assert self._workspace(hers, "api", "r:0000aaaa") == own
        assert self._workspace(hers, "api", "d:0000dddd") == own

    def test_a_member_is_led_to_the_shared_workspace_of_the_repository(
        self, alice: User, charlie: User
    ) -> None:
        shared = self._workspace(_key(alice).key, "api", "r:0000aaaa")
        member_set(namespace=shared, by=alice, user=charlie, role="reviewer", now=timezone.now())
        assert self._workspace(_key(charlie).key, "elsewhere", "r:0000aaaa") == shared
