"""Reminders: once a period, in the person's zone, counts and links only."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.core import mail
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from core.errors import Conflict
from core.webhook import WebhookError
from memory.models import Candidate
from review.models import DigestRun
from review.periods import due
from review.selectors.person import settings_of, webhook_secret
from review.services.digest import digest_test, digests_due
from review.services.person import SettingsIn, person_settings_set
from tests import build
from tests.review.scene import propose, share

SECRETS = "Loki keeps logs for EXAMPLE days."
MONDAY = datetime(2026, 3, 2, tzinfo=UTC)
TOKYO = ZoneInfo("Asia/Tokyo")


class TestPeriods:
    def test_daily_comes_at_eight_in_the_persons_morning(self) -> None:
        since = MONDAY - timedelta(days=9)
        at = {
            hour: due(frequency="daily", since=since, now=MONDAY + timedelta(hours=hour), zone=TOKYO)
            for hour in (-2, -1, 0, 14, 15)
        }
        assert at == {-2: None, -1: "2026-03-02", 0: "2026-03-02", 14: "2026-03-02", 15: None}

    def test_weekly_comes_on_mondays_and_is_made_up_for_within_the_week(self) -> None:
        since = MONDAY - timedelta(days=9)
        found = [
            due(frequency="weekly", since=since, now=MONDAY + timedelta(days=day, hours=9), zone=UTC)
            for day in (-1, 0, 3, 6, 7)
        ]
        assert found == ["2026-W09", "2026-W10", "2026-W10", "2026-W10", "2026-W11"]

    def test_switching_on_does_not_send_at_once(self) -> None:
        noon = MONDAY + timedelta(hours=12)
        for frequency in ("daily", "weekly"):
            assert due(frequency=frequency, since=noon, now=noon, zone=UTC) is None

    @given(
        st.sampled_from(["daily", "weekly"]),
        st.sampled_from(["UTC", "Asia/Tokyo", "America/Los_Angeles", "Pacific/Apia", "Australia/Lord_Howe"]),
        st.integers(0, 365),
    )
    def test_hour_by_hour_every_period_comes_once(self, frequency: str, zone: str, start: int) -> None:
        begin = MONDAY + timedelta(days=start)
        periods = [
            due(frequency=frequency, since=begin, now=begin + timedelta(hours=hour), zone=ZoneInfo(zone))
            for hour in range(24 * 15)
        ]
        named = [period for period in periods if period]
        assert len(set(named)) in ((14, 15, 16) if frequency == "daily" else (2, 3))
        assert named == sorted(named)


@pytest.fixture
def alice(settings: Settings) -> User:
    settings.EMAIL_IS_SET = True
    settings.SITE_URL = "https://hikae.example"
    return build.person("alice")


@pytest.fixture
def posted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bytes, Mapping[str, str]]]:
    sent: list[tuple[str, bytes, Mapping[str, str]]] = []
    monkeypatch.setattr(
        "review.services.digest.post", lambda url, body, headers, **_: sent.append((url, body, headers))
    )
    return sent


def wants(user: User, **changes: object) -> None:
    changes = {"digest": "daily", "time_zone": "UTC", **changes}
    person_settings_set(user=user, changes=SettingsIn(**changes), now=MONDAY)  # type: ignore[arg-type]


def fill(user: User, count: int = 3) -> None:
    api = build.workspace(user)
    for number in range(count):
        propose(api, f"{SECRETS} {number}", kind="fact", flags=())
    Candidate.objects.update(touched_at=MONDAY, last_seen_at=MONDAY)


@pytest.mark.django_db
class TestSending:
    nine = MONDAY + timedelta(hours=9)

    def test_goes_out_once_a_period_and_says_counts_and_links_only(self, alice: User) -> None:
        fill(alice)
        wants(alice, digest_email="alice@example.org")
        assert [digests_due(now=self.nine) for _ in range(3)] == [1, 0, 0]
        assert digests_due(now=self.nine + timedelta(days=1)) == 1
        assert len(mail.outbox) == 2
        message = mail.outbox[0]
        assert message.to == ["alice@example.org"]
        assert "3 candidates wait" in str(message.body)
        assert "https://hikae.example/settings/memory/" in str(message.body)
        assert "Loki" not in f"{message.subject} {message.body}"

    def test_counts_what_archives_within_a_week(self, alice: User) -> None:
        fill(alice)
        wants(alice, digest_email="alice@example.org")
        digests_due(now=self.nine + timedelta(days=24))
        assert "3 of them are archived within a week" in str(mail.outbox[0].body)

    def test_is_off_by_default_and_silent_when_nothing_waits(self, alice: User) -> None:
        fill(alice)
        assert digests_due(now=self.nine) == 0
        bob = build.person("bob")
        wants(bob, digest_email="bob@example.org")
        assert digests_due(now=self.nine) == 0
        assert DigestRun.objects.get().state == "nothing"
        assert mail.outbox == []

    def test_never_counts_what_its_reader_may_not_review(self, alice: User) -> None:
        fill(alice)
        reader, stranger = build.person("bob"), build.person("charlie")
        share(alice.namespaces.get(name="api"), alice, reader, "reader")
        for user in (reader, stranger):
            wants(user, digest_email=f"{user}@example.org")
        assert digests_due(now=self.nine) == 0
        assert mail.outbox == []

    def test_speaks_the_persons_language(self, alice: User) -> None:
        fill(alice)
        wants(alice, digest_email="alice@example.org", language="ja")
        digests_due(now=self.nine)
        assert "https://hikae.example/settings/memory/" in str(mail.outbox[0].body)

    def test_the_webhook_is_signed(
        self, alice: User, posted: list[tuple[str, bytes, Mapping[str, str]]]
    ) -> None:
        fill(alice)
        wants(alice, digest_webhook="https://hooks.example.org/hikae")
        assert digests_due(now=self.nine) == 1
        ((url, body, headers),) = posted
        assert url == "https://hooks.example.org/hikae"
        assert json.loads(body) == {
            "event": "digest",
            "period": "2026-03-02",
            "pending": 3,
            "expiring": 0,
            "proposals": 0,
            "link": "https://hikae.example/settings/memory/",
        }
        secret = webhook_secret(settings_of(user=alice))
        signed = f"{headers['X-Hikae-Timestamp']}.".encode() + body
        mac = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
        assert headers["X-Hikae-Signature"] == f"sha256={mac}"

    def test_a_failed_channel_is_tried_again_at_most_three_times_and_the_other_is_not_repeated(
        self, alice: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        tries: list[str] = []

        def fail(url: str, *args: object, **kwargs: object) -> int:
            tries.append(url)
            raise WebhookError("the receiver answered 500")

        monkeypatch.setattr("review.services.digest.post", fail)
        fill(alice)
        wants(alice, digest_email="alice@example.org", digest_webhook="https://hooks.example.org/")
        for hour in range(9, 15):
            digests_due(now=MONDAY + timedelta(hours=hour))
        run = DigestRun.objects.get()
        assert (len(tries), len(mail.outbox)) == (3, 1)
        assert (run.state, run.attempts, run.error) == ("failed", 3, "webhook: the receiver answered 500")

    def test_a_server_without_mail_says_so(self, alice: User, settings: Settings) -> None:
        settings.EMAIL_IS_SET = False
        wants(alice, digest_email="alice@example.org")
        result = digest_test(user=alice, now=self.nine)
        assert "EMAIL_URL" in result.errors["email"]
        assert not result.ok


@pytest.mark.django_db
class TestTheTestButton:
    def test_sends_now_whatever_waits_and_says_how_it_went(
        self, alice: User, posted: list[tuple[str, bytes, Mapping[str, str]]]
    ) -> None:
        wants(
            alice, digest="off", digest_email="alice@example.org", digest_webhook="https://hooks.example.org/"
        )
        result = digest_test(user=alice, now=MONDAY)
        assert result.errors == {"email": "", "webhook": ""}
        assert result.ok
        assert (len(mail.outbox), len(posted)) == (1, 1)
        assert not DigestRun.objects.exists()

    def test_cannot_flood_a_mailbox(self, alice: User) -> None:
        wants(alice, digest="off", digest_email="alice@example.org")
        digest_test(user=alice, now=MONDAY)
        with pytest.raises(Conflict):
            digest_test(user=alice, now=MONDAY + timedelta(seconds=29))
        digest_test(user=alice, now=MONDAY + timedelta(seconds=30))

    def test_needs_somewhere_to_go(self, alice: User) -> None:
        with pytest.raises(Conflict) as caught:
            digest_test(user=alice, now=MONDAY)
        assert caught.value.code == "nowhere_to_send"

    def test_does_not_reach_into_the_private_network(self, alice: User) -> None:
        wants(alice, digest="off", digest_webhook="http://127.0.0.1:9/")
        assert "private" in digest_test(user=alice, now=MONDAY).errors["webhook"]
