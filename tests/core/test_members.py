"""Who shares a namespace: owners change members, and nobody shuts out the person whose it is."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.contrib.auth.models import User

from core.errors import Conflict, Forbidden
from core.models import Membership, Namespace
from core.services.members import member_remove, member_set
from core.services.workspaces import namespace_transfer
from tests import build

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["persona:default", "workspace:api"])
def shared(request: pytest.FixtureRequest, alice: User, bob: User, now: datetime) -> Namespace:
    """Alice's, with Bob as a second owner."""
    if request.param == "workspace:api":
        build.workspace(alice, "api")
    type_, _colon, name = request.param.partition(":")
    namespace = Namespace.objects.get(owner=alice, type=type_, name=name)
    member_set(namespace=namespace, by=alice, user=bob, role="owner", now=now)
    return namespace


def roles(namespace: Namespace) -> dict[str, str]:
    return dict(Membership.objects.filter(namespace=namespace).values_list("user__username", "role"))


@pytest.mark.parametrize("role", ["reviewer", "reader"])
def test_a_co_owner_does_not_demote_whose_it_is(
    shared: Namespace, alice: User, bob: User, now: datetime, role: str
) -> None:
    with pytest.raises(Conflict) as caught:
        member_set(namespace=shared, by=bob, user=alice, role=role, now=now)
    assert caught.value.code == "namespace_owner"
    assert roles(shared) == {"alice": "owner", "bob": "owner"}


def test_nor_remove_them_and_neither_do_they_themselves(
    shared: Namespace, alice: User, bob: User, now: datetime
) -> None:
    for by in (bob, alice):
        with pytest.raises(Conflict):
            member_remove(namespace=shared, by=by, user=alice, now=now)
    assert roles(shared) == {"alice": "owner", "bob": "owner"}


def test_whose_it_is_may_demote_and_remove_a_co_owner(
    shared: Namespace, alice: User, bob: User, now: datetime
) -> None:
    member_set(namespace=shared, by=alice, user=bob, role="reader", now=now)
    assert roles(shared) == {"alice": "owner", "bob": "reader"}
    member_remove(namespace=shared, by=alice, user=bob, now=now)
    assert roles(shared) == {"alice": "owner"}


def test_after_handing_over_the_new_owner_stays_instead(alice: User, bob: User, now: datetime) -> None:
    api = build.workspace(alice, "api")
    member_set(namespace=api, by=alice, user=bob, role="owner", now=now)
    namespace_transfer(namespace_id=api.pk, user=alice, to=bob, now=now)
    member_remove(namespace=api, by=bob, user=alice, now=now)  # the object in hand still names alice as owner
    assert roles(api) == {"bob": "owner"}
    with pytest.raises(Conflict):
        member_set(namespace=api, by=bob, user=bob, role="reader", now=now)


def test_a_stranger_changes_no_member(shared: Namespace, alice: User, bob: User, now: datetime) -> None:
    charlie = build.person("charlie")
    with pytest.raises(Forbidden):
        member_set(namespace=shared, by=charlie, user=charlie, role="reader", now=now)
    with pytest.raises(Forbidden):
        member_remove(namespace=shared, by=charlie, user=bob, now=now)
    assert roles(shared) == {"alice": "owner", "bob": "owner"}
