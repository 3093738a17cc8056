"""A person's own settings and saved filters."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Conflict, Invalid, NotFound
from core.models import AuditEvent
from review import keys
from review.models import PersonSettings, SavedFilter
from review.selectors.person import saved_filters, settings_of, webhook_secret
from review.services import acts
from review.services.filters import (
    saved_filter_delete,
    saved_filter_save,
)
from review.services.person import SettingsIn, person_settings_set
from tests import build
from tests.review.scene import propose, share


def change(user: User, **changes: object) -> PersonSettings:
    return person_settings_set(user=user, changes=SettingsIn(**changes), now=timezone.now())  # type: ignore[arg-type]


class TestKeys:
    @given(st.dictionaries(st.sampled_from(list(keys.DEFAULT_KEYS)), st.characters()))
    def test_a_map_without_problems_gives_every_action_a_key_of_its_own(
        self, changed: dict[str, str]
    ) -> None:
        if keys.problems(changed):
            return
        used = [key.casefold() for key in keys.effective(changed).values()]
        assert len(set(used)) == len(keys.DEFAULT_KEYS)
        assert not set(used) & keys.RESERVED
        assert all(key.isprintable() and key.strip() for key in used)

    def test_the_defaults_are_fine(self) -> None:
        assert keys.problems({}) == []

    @pytest.mark.parametrize(
        ("changed", "reason"),
        [
            ({"approve": "r"}, "clash"),
            ({"approve": "R"}, "clash"),
            ({"approve": "1"}, "reserved"),
            ({"approve": ""}, "not_a_key"),
            ({"approve": " "}, "not_a_key"),
            ({"approve": "ab"}, "not_a_key"),
            ({"approve": "\u202e"}, "not_a_key"),
            ({"explode": "z"}, "unknown"),
        ],
    )
    def test_a_bad_map_is_refused_with_the_reason(self, changed: dict[str, str], reason: str) -> None:
        assert reason in {found for _act, found in keys.problems(changed)}


@pytest.mark.django_db
class TestSettings:
    def test_somebody_who_set_nothing_has_the_defaults(self) -> None:
        own = settings_of(user=build.person())
        assert (own.digest, own.keys_off, own.key_map, own.language) == ("off", False, {}, "")
        assert not PersonSettings.objects.exists()

    def test_change_what_is_named_and_nothing_else(self) -> None:
        alice = build.person()
        change(alice, language="ja", key_map={"approve": "y", "next": "j"})
        own = change(alice, keys_off=True, time_zone="Asia/Tokyo")
        assert (own.language, own.key_map, own.keys_off) == ("ja", {"approve": "y"}, True)
        events = AuditEvent.objects.filter(verb="settings.changed").order_by("id")
        assert [event.data["fields"] for event in events] == [
            ["key_map", "language"],
            ["keys_off", "time_zone"],
        ]

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("language", "xx"),
            ("theme", "neon"),
            ("digest", "hourly"),
            ("time_zone", "Mars/Olympus"),
            ("time_zone", "../../etc/passwd"),
            ("key_map", {"approve": "r"}),
            ("key_map", {"approve": 7}),
            ("digest_email", "nobody"),
            ("digest_webhook", "ftp://example.org/x"),
            ("digest_webhook", "https://user:secret@example.org/x"),
            ("digest_webhook", "javascript:alert(1)"),
        ],
    )
    def test_refuse_nonsense_and_name_the_field(self, field: str, value: object) -> None:
        with pytest.raises(Invalid) as caught:
            change(build.person(), **{field: value})
        assert caught.value.details["field"] == field

    def test_a_reminder_needs_somewhere_to_go(self) -> None:
        alice = build.person()
        with pytest.raises(Invalid) as caught:
            change(alice, digest="daily")
        assert caught.value.code == "nowhere_to_send"
        assert change(alice, digest="daily", digest_email="alice@example.org").digest_since is not None

    def test_another_webhook_has_another_secret(self) -> None:
        alice = build.person()
        first = webhook_secret(change(alice, digest_webhook="https://hooks.example.org/a"))
        second = webhook_secret(change(alice, digest_webhook="https://hooks.example.org/b"))
        assert len({first, second, webhook_secret(change(alice, digest_webhook=""))}) == 3

    def test_are_everybodys_own(self) -> None:
        alice, bob = build.person("alice"), build.person("bob")
        change(alice, language="ja")
        assert settings_of(user=bob).language == ""


@pytest.mark.django_db
class TestSavedFilters:
    def test_count_live_and_drop_with_a_decision(self) -> None:
        alice = build.person()
        api = build.workspace(alice)
        rows = [propose(api, "We chose Kafka over NATS.", kind="decision")]
        rows.append(propose(api, "Logs go to Loki.", kind="fact"))
        now = timezone.now() + timedelta(seconds=1)
        saved_filter_save(user=alice, name="Decisions", query=f"kind=decision&namespace={api.pk}", now=now)
        saved_filter_save(user=alice, name="Kafka", query="?q=kafka", now=now)
        saved_filter_save(user=alice, name="Events", query="kind=event", now=now)

        def counts() -> dict[str, int]:
            return {each.filter.name: each.count for each in saved_filters(user=alice, now=now)}

        assert counts() == {"Decisions": 1, "Kafka": 1, "Events": 0}
        acts.act_reject(user=alice, items=[acts.ItemRef(rows[0].pk, 1)], now=now)
        assert counts() == {"Decisions": 0, "Kafka": 0, "Events": 0}

    def test_count_only_what_their_owner_may_review(self) -> None:
        alice, bob = build.person("alice"), build.person("bob")
        api = build.workspace(alice)
        propose(api, "Logs go to Loki.", kind="fact")
        share(api, alice, bob, "reader")
        now = timezone.now()
        saved_filter_save(user=bob, name="Hers", query=f"namespace={api.pk}", now=now)
        assert [each.count for each in saved_filters(user=bob, now=now)] == [0]

    def test_take_as_many_queries_for_many_as_for_one(self, django_assert_num_queries: object) -> None:
        alice = build.person()
        now = timezone.now()
        for number in range(5):
            saved_filter_save(user=alice, name=f"f{number}", query=f"seen={number + 1}", now=now)
        with django_assert_num_queries(2):  # type: ignore[operator]
            assert len(saved_filters(user=alice, now=now)) == 5

    def test_are_replaced_and_dropped_and_keep_their_order(self) -> None:
        alice, now = build.person(), timezone.now()
        _a, _b, c = (
            saved_filter_save(user=alice, name=name, query=f"q={name.strip()[:1]}", now=now)
            for name in ("  first   of all ", "b", "c")
        )
        saved_filter_save(user=alice, name="b", query="kind=fact&junk=1", now=now)
        saved_filter_delete(user=alice, filter_id=c.pk)
        found = [(each.name, each.query) for each in SavedFilter.objects.visible_to(alice)]
        assert found == [("first of all", "q=f"), ("b", "kind=fact")]

    def test_refuse_no_name_no_filter_and_too_many(self) -> None:
        alice, now = build.person(), timezone.now()
        for name, query in (
            ("", "kind=fact"),
            ("x" * 61, "kind=fact"),
            ("all", ""),
            ("junk", "kind=nonsense"),
        ):
            with pytest.raises(Invalid):
                saved_filter_save(user=alice, name=name, query=query, now=now)
        for number in range(20):
            saved_filter_save(user=alice, name=str(number), query="kind=fact", now=now)
        with pytest.raises(Conflict):
            saved_filter_save(user=alice, name="one more", query="kind=fact", now=now)

    def test_a_stranger_gets_nothing(self) -> None:
        alice, bob, now = build.person("alice"), build.person("bob"), timezone.now()
        hers = saved_filter_save(user=alice, name="mine", query="kind=fact", now=now)
        assert saved_filters(user=bob, now=now) == []
        for filter_id in (hers.pk, uuid.uuid4()):
            with pytest.raises(NotFound):
                saved_filter_delete(user=bob, filter_id=filter_id)
