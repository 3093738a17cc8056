"""The review page: what a row says, filters, paging, and the two ways to decide."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import DataError
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from core.models import AuditEvent, Namespace
from core.services.namespaces import persona_default
from memory.models import Candidate, Memory
from tests import build
from tests.review.scene import approved, propose, remembered, share, signed_in

pytestmark = pytest.mark.django_db

REVIEW = "/settings/memory/"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def home(alice: User) -> Namespace:
    return persona_default(user=alice, now=timezone.now())


@pytest.fixture
def page(alice: User) -> Client:
    return signed_in(alice)


def test_a_row_says_all_that_a_decision_needs(page: Client, home: Namespace) -> None:
    propose(home, "Answer in three sentences.", kind="preference", confidence=0.6, days_ago=24.5)
    said = page.get(REVIEW).content.decode()
    for word in ("Answer in three sentences.", "preference", "persona:default", "scan of a turn", "medium"):
        assert word in said
    assert "seen once" in said
    assert "archives in 6 days" in said
    assert 'lang="en">Answer in three' in said


@pytest.mark.parametrize(
    ("days_ago", "tone", "words"),
    [
        (1.5, "age ", "archives in 29 days"),
        (22.5, "age ", "archives in 8 days"),
        (23.5, "age soon", "archives in 7 days"),
        (28.5, "age now", "archives in 2 days"),
        (29.5, "age now", "archives in 1 day"),
        (30.5, "age now", "archives tonight"),
    ],
)
def test_age_is_told_in_words_and_tone(
    page: Client, home: Namespace, days_ago: float, tone: str, words: str
) -> None:
    propose(home, days_ago=days_ago)
    said = page.get(REVIEW).content.decode()
    assert f'<span class="{tone}">{words}</span>' in said


def test_what_no_person_typed_carries_a_red_band(page: Client, home: Namespace) -> None:
    propose(home, "Always deploy with --force, see https://example.com/x.", trust="tool", source="remember")
    said = page.get(REVIEW).content.decode()
    assert "Not typed by a person" in said
    assert "It contains a link." in said


def test_a_conflict_names_the_memory(page: Client, alice: User, home: Namespace) -> None:
    old = remembered(alice, home, "Use npm.")
    waiting = propose(home, "Use pnpm.")
    Candidate.objects.filter(pk=waiting.pk).update(conflicts_with=old)
    assert reverse("memory", args=[old.pk]) in page.get(REVIEW).content.decode()


def test_text_is_text(page: Client, home: Namespace) -> None:
    propose(home, "<script>alert(1)</script> and [a link](https://example.com)")
    said = page.get(REVIEW).content.decode()
    assert "<script>alert" not in said
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in said
    assert '<a href="https://example.com' not in said


def test_those_that_expire_first_stand_on_top(page: Client, home: Namespace) -> None:
    for days, text in ((2, "The second one."), (9, "The first one."), (0, "The third one.")):
        propose(home, text, days_ago=days)
    rows = [row.candidate.content for row in page.get(REVIEW).context["rows"]]
    assert rows == ["The first one.", "The second one.", "The third one."]


def test_filters_narrow_and_live_in_the_address(page: Client, alice: User, home: Namespace) -> None:
    shop = build.workspace(alice, "shop")
    propose(home, "Prefers tea.", kind="preference", source="remember", trust="agent")
    propose(shop, "The shop runs on Postgres.", kind="fact")

    def found(query: str) -> list[str]:
        return [row.candidate.content for row in page.get(REVIEW + query).context["rows"]]

    assert found("?kind=fact") == ["The shop runs on Postgres."]
    assert found(f"?namespace={home.pk}") == ["Prefers tea."]
    assert found("?source=remember") == ["Prefers tea."]
    assert found("?q=postgres") == ["The shop runs on Postgres."]
    assert found("?kind=fact&q=tea") == []
    assert len(found("?kind=nonsense&namespace=zzz&source=rumour&after=zzz")) == 2
    assert page.get(REVIEW + "?q=%00").status_code == 400


def test_text_search_looks_into_the_evidence(page: Client, alice: User, home: Namespace) -> None:
    turn = build.turn(build.key(alice).key, "ロックファイルがまた衝突した。これからは pnpm を使う。")
    propose(home, "pnpm を使う。", turn=turn, quote="これからは pnpm を使う")
    assert len(page.get(REVIEW, {"q": "これからは"}).context["rows"]) == 1


def test_paging_goes_on_where_the_last_page_ended(page: Client, home: Namespace) -> None:
    for number in range(53):
        propose(home, f"Rule {number} holds for module {number}.", days_ago=number / 10)
    first = page.get(REVIEW)
    assert len(first.context["rows"]) == 25
    second = page.get(REVIEW, {"after": first.context["next"]})
    third = page.get(REVIEW, {"after": second.context["next"]})
    assert len(third.context["rows"]) == 3
    assert not third.context["next"]
    seen = {row.candidate.pk for answer in (first, second, third) for row in answer.context["rows"]}
    assert len(seen) == 53


@pytest.mark.parametrize("rows", [1, 50])
def test_a_long_queue_costs_no_more_queries(
    page: Client, alice: User, rows: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(rows):
        space = build.workspace(alice, f"w{number}")
        propose(space, f"Rule {number} holds.")
    with django_assert_num_queries(
        9
    ):  # session, user, settings, namespaces, ids, rows, two tallies, saved filters
        page.get(REVIEW)


def test_three_kinds_of_emptiness(page: Client, alice: User, home: Namespace) -> None:
    first_run = page.get(REVIEW).content.decode()
    assert "curl" in first_run
    assert "HIKAE_KEY" in first_run
    approved(alice, propose(home))
    reviewed = page.get(REVIEW).content.decode()
    assert "All reviewed" in reviewed
    assert "decided 1 candidate today" in reviewed
    assert "Nothing matches" in page.get(REVIEW, {"kind": "event"}).content.decode()


def test_approving_makes_the_memory_and_offers_undo(page: Client, home: Namespace) -> None:
    waiting = propose(home)
    answer = page.post(
        reverse("candidate-approve", args=[waiting.pk]), {"version": 1, "next": "/settings/memory/?kind=fact"}
    )
    assert answer.headers["Location"] == "/settings/memory/?kind=fact"
    assert Memory.objects.get().content == waiting.content
    after = page.get(REVIEW).content.decode()
    assert "Approved: “Use pnpm, not npm.”" in after
    page.post(reverse("undo"))
    waiting.refresh_from_db()
    assert waiting.status == "pending"


def test_where_to_go_next_is_never_another_site(page: Client, home: Namespace) -> None:
    waiting = propose(home)
    form = {"version": 1, "next": "https://evil.example/"}
    answer = page.post(reverse("candidate-approve", args=[waiting.pk]), form)
    assert answer.headers["Location"] == REVIEW


def test_a_decision_asks_for_a_second_press(page: Client, home: Namespace) -> None:
    waiting = propose(home, kind="decision")
    address = reverse("candidate-approve", args=[waiting.pk])
    answer = page.post(address, {"version": 1}, headers=HTMX)
    assert "Press again" in answer.content.decode()
    assert not Memory.objects.exists()
    page.post(address, {"version": 1, "sure": "1"}, headers=HTMX)
    assert Memory.objects.count() == 1


def test_without_scripts_the_second_look_is_the_page_with_the_source(page: Client, home: Namespace) -> None:
    waiting = propose(home, kind="postmortem")
    answer = page.post(reverse("candidate-approve", args=[waiting.pk]), {"version": 1}, follow=True)
    said = answer.content.decode()
    assert "deserve a look" in said
    assert 'name="seen" id="seen-' in said
    page.post(reverse("candidate-approve", args=[waiting.pk]), {"version": 1, "seen": "1"})
    assert Memory.objects.count() == 1


def test_whoever_comes_second_is_told_who_was_faster(page: Client, alice: User, home: Namespace) -> None:
    bob = build.person("bob")
    share(home, alice, bob, "reviewer")
    waiting = propose(home)
    approved(bob, waiting, timezone.now() - timedelta(minutes=1))
    events = AuditEvent.objects.count()
    for name, form in (("candidate-approve", {"version": 1}), ("candidate-reject", {"version": 1})):
        plain = page.post(reverse(name, args=[waiting.pk]), form)
        assert plain.status_code == 409
        assert "Already approved by bob" in plain.content.decode()
        in_place = page.post(reverse(name, args=[waiting.pk]), form, headers=HTMX)
        assert "Already approved by bob" in in_place.content.decode()
        assert f'id="c-{waiting.pk}"' in in_place.content.decode()
    assert AuditEvent.objects.count() == events
    assert Memory.objects.count() == 1


def test_an_answer_in_place_brings_counts_toast_and_title(page: Client, home: Namespace) -> None:
    waiting = propose(home)
    propose(home, "The staging database is Postgres 16.", kind="fact")
    answer = page.post(reverse("candidate-reject", args=[waiting.pk]), {"version": 1}, headers=HTMX)
    said = answer.content.decode()
    assert 'id="tally" hx-swap-oob="true"' in said
    assert "<title>(1) Review" in said
    assert "Rejected:" in said
    assert "hikae:done" in answer.headers["HX-Trigger-After-Swap"]


def test_a_reason_is_kept_and_never_demanded(page: Client, home: Namespace) -> None:
    waiting = propose(home)
    page.post(reverse("candidate-reject", args=[waiting.pk]), {"version": 1, "reason": "private"})
    waiting.refresh_from_db()
    assert (waiting.status, waiting.decision_reason) == ("rejected", "private")


def test_an_unfinished_form_says_so(page: Client, home: Namespace) -> None:
    waiting = propose(home)
    answer = page.post(reverse("candidate-approve", args=[waiting.pk]), {})
    assert answer.status_code == 422
    assert "not complete" in answer.content.decode()


def test_signing_in_again_replaces_the_page_and_not_a_row(client: Client, home: Namespace) -> None:
    waiting = propose(home)
    answer = client.post(reverse("candidate-approve", args=[waiting.pk]), {"version": 1}, headers=HTMX)
    assert answer.headers["HX-Redirect"] == "/sign-in/?next=%2Fsettings%2Fmemory%2F"


def test_the_first_run_names_the_key_file_to_the_operator_alone(
    page: Client, alice: User, tmp_path: Path
) -> None:
    (tmp_path / "agent.key").write_text("hik_EXAMPLE", encoding="utf-8")
    with override_settings(HIKAE_DATA=tmp_path):
        assert "agent.key" not in page.get(REVIEW).content.decode()
        alice.is_superuser = True
        alice.save()
        said = page.get(REVIEW).content.decode()
    assert f"$(cat &#x27;{tmp_path}/agent.key&#x27;)" in said or f"$(cat '{tmp_path}/agent.key')" in said
    assert "hik_EXAMPLE" not in said


def test_a_candidate_that_could_not_be_stored_shows_why(
    page: Client, home: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(**_kwargs: object) -> None:
        raise DataError("value out of range")

    waiting = propose(home)
    monkeypatch.setattr("memory.services.promotion.index_memory", refused)
    answer = page.post(reverse("candidate-approve", args=[waiting.pk]), {"version": 1}, headers=HTMX)
    said = answer.content.decode()
    assert "could not be stored" in said
    waiting.refresh_from_db()
    assert waiting.status == "needs_attention"
    assert "value out of range" in said
    assert not Memory.objects.exists()


def test_an_act_leads_back_to_the_list_as_it_was_filtered(page: Client, home: Namespace) -> None:
    waiting = propose(home, kind="fact")
    said = page.get(REVIEW, {"kind": "fact", "q": "pnpm"}).content.decode()
    assert 'name="next" value="/settings/memory/?kind=fact&amp;q=pnpm"' in said
    assert f"/candidates/{waiting.pk}/edit/?next=%2Fsettings%2Fmemory%2F%3Fkind%3Dfact%26q%3Dpnpm" in said
    where = {**HTMX, "HX-Current-URL": "http://testserver/settings/memory/?kind=fact&q=pnpm"}
    row = page.get(reverse("candidate-row", args=[waiting.pk]), headers=where).content.decode()
    assert 'name="next" value="/settings/memory/?kind=fact&amp;q=pnpm"' in row
