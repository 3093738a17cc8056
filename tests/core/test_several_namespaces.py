"""Several namespaces named at once: found together, in order, and a foreign one is as missing as ever."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from core.errors import NotFound
from core.models import AgentKey, Namespace
from core.selectors.access import namespaces_for_key
from core.services.members import member_set
from core.services.workspaces import namespace_rename
from tests import build

pytestmark = pytest.mark.django_db


@pytest.fixture
def laptop(alice: User) -> AgentKey:
    return build.key(alice).key


def test_they_come_in_the_order_asked_without_repeats(alice: User, bob: User, laptop: AgentKey) -> None:
    api, web, bobs = build.workspace(alice), build.workspace(alice, "web"), build.workspace(bob)
    member_set(namespace=bobs, by=bob, user=alice, role="reader", now=timezone.now())
    default = Namespace.objects.get(owner=alice, type="persona", name="default")
    asked = ["workspace:web", "workspace:bob/api", "persona:default", "workspace:api", "workspace:web"]
    assert namespaces_for_key(key=laptop, references=asked) == [web, bobs, default, api]
    assert namespaces_for_key(key=laptop, references=["workspace:alice/api", "workspace:web"]) == [api, web]
    assert namespaces_for_key(key=laptop, references=[]) == []


def test_one_that_was_renamed_is_found_by_both_names(alice: User, laptop: AgentKey) -> None:
    api, web = build.workspace(alice), build.workspace(alice, "web")
    namespace_rename(namespace_id=api.pk, user=alice, name="backend", now=timezone.now())
    found = namespaces_for_key(key=laptop, references=["workspace:web", "workspace:api", "workspace:backend"])
    assert found == [web, api, api]


@pytest.mark.parametrize("missing", ["workspace:bob/api", "workspace:theirs", "workspace:", "api", ""])
def test_a_foreign_one_among_them_is_not_found_like_a_missing_one(
    alice: User, bob: User, laptop: AgentKey, missing: str
) -> None:
    build.workspace(alice)
    build.workspace(bob)
    build.workspace(bob, "theirs")
    with pytest.raises(NotFound) as caught:
        namespaces_for_key(key=laptop, references=["workspace:api", missing])
    assert caught.value.code == "namespace_not_found"


def test_a_key_with_a_list_reaches_no_other_of_its_person(alice: User) -> None:
    api, web = build.workspace(alice), build.workspace(alice, "web")
    narrow = build.key(alice, reach="list", namespaces=[api, build.workspace(alice, "docs")]).key
    asked = ["workspace:docs", "workspace:api"]
    assert [each.name for each in namespaces_for_key(key=narrow, references=asked)] == ["docs", "api"]
    with pytest.raises(NotFound):
        namespaces_for_key(key=narrow, references=["workspace:api", f"workspace:{web.name}"])
