"""Many at once, later, the same as another, reasons and saved filters: what the pages do with them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.models import Namespace
from core.services.namespaces import persona_default
from memory.models import Candidate, Memory, Tombstone
from review.models import Act, SavedFilter
from tests import build
from tests.review.scene import propose, remembered, share, signed_in

pytestmark = pytest.mark.django_db

REVIEW = "/settings/memory/"
HTMX = {"HX-Request": "true"}
SENTENCES = (
    "Answer in three sentences.",
    "The staging database is Postgres 16.",
    "Logs go to Loki.",
    "CI runs on Buildkite.",
)


@pytest.fixture
def home(alice: User) -> Namespace:
    return persona_default(user=alice, now=timezone.now())


@pytest.fixture
def page(alice: User) -> Client:
    return signed_in(alice)


def _items(*rows: Candidate) -> list[str]:
    return [f"{row.pk}.{row.version}" for row in rows]


def _statuses() -> list[str]:
    return sorted(Candidate.objects.values_list("status", flat=True))


class TestPickedRows:
    def test_are_decided_by_one_act_that_one_undo_takes_back(self, page: Client, home: Namespace) -> None:
        rows = [propose(home, text) for text in SENTENCES]
        page.post(reverse("bulk"), {"verb": "approve", "item": _items(*rows[:3])})
        assert _statuses() == ["approved"] * 3 + ["pending"]
        assert "3 approved" in page.get(REVIEW).content.decode()
        page.post(reverse("undo"), {"act": str(Act.objects.get().pk)})
        assert _statuses() == ["pending"] * 4

    def test_never_approve_what_deserves_a_look_and_link_to_it(self, page: Client, home: Namespace) -> None:
        plain, heavy = propose(home, SENTENCES[0]), propose(home, "We deploy on Tuesdays.", kind="decision")
        page.post(reverse("bulk"), {"verb": "approve", "item": _items(plain, heavy)})
        assert sorted((row.kind, row.status) for row in Candidate.objects.all()) == [
            ("decision", "pending"),
            ("preference", "approved"),
        ]
        said = page.get(REVIEW).content.decode()
        assert "1 left out" in said
        rest = page.get(REVIEW, {"only": heavy.pk.hex})
        assert [row.candidate.pk for row in rest.context["rows"]] == [heavy.pk]
        assert f"?only={heavy.pk.hex}" in said

    def test_move_together(self, page: Client, alice: User, home: Namespace) -> None:
        shop = build.workspace(alice, "shop")
        rows = [propose(home, text) for text in SENTENCES]
        page.post(reverse("bulk"), {"verb": "move", "namespace": str(shop.pk), "item": _items(*rows[:2])})
        assert Candidate.objects.filter(namespace=shop).count() == 2

    @pytest.mark.parametrize(
        ("form", "words"),
        [
            ({"verb": "approve"}, "at least one row"),
            ({"verb": "approve", "item": "nonsense"}, "not complete"),
            ({"verb": "burn", "item": "x"}, "not complete"),
            ({"verb": "approve", "all": "1"}, "not complete"),
        ],
    )
    def test_an_unfinished_form_says_so(self, page: Client, form: dict[str, str], words: str) -> None:
        answer = page.post(reverse("bulk"), form)
        assert answer.status_code == 422
        assert words in answer.content.decode()

    @pytest.mark.parametrize("role", ["reader", ""])
    def test_stay_as_they_are_for_whoever_may_not_decide(
        self, alice: User, home: Namespace, role: str
    ) -> None:
        bob = build.person("bob")
        if role:
            share(home, alice, bob, role)
        row, other = propose(home, SENTENCES[0]), propose(home, SENTENCES[1])
        client = signed_in(bob)
        for verb in ("approve", "reject", "set_aside"):
            client.post(reverse("bulk"), {"verb": verb, "item": _items(row)})
        everything = {"verb": "approve", "all": "1", "as_of": timezone.now().isoformat()}
        client.post(reverse("bulk"), everything)
        into = {"version": "1", "type": "candidate", "into": str(other.pk)}
        merged = client.post(reverse("candidate-merge", args=[row.pk]), into)
        assert merged.status_code in (403, 404)
        diff = client.post(reverse("candidate-diff", args=[row.pk]), {"content": "x"})
        assert diff.status_code in (403, 404)
        assert SENTENCES[0] not in merged.content.decode() + diff.content.decode()
        assert _statuses() == ["pending", "pending"]
        assert not Act.objects.exists()


class TestAllThatMatch:
    def test_leave_alone_what_arrives_later(self, page: Client, home: Namespace) -> None:
        for text in SENTENCES[:3]:
            propose(home, text, kind="fact")
        propose(home, "Prefers tea.", kind="preference")
        frozen = page.get(reverse("bulk-everything"), {"query": "kind=fact", "all": "1"})
        assert "all 3 matching, as of now" in frozen.content.decode()
        as_of = frozen.context["as_of"].isoformat()
        propose(home, SENTENCES[3], kind="fact")
        form = {"verb": "approve", "all": "1", "query": "kind=fact", "as_of": as_of}
        answer = page.post(reverse("bulk"), form, headers=HTMX)
        assert "3 approved" in answer.content.decode()
        assert "hikae:bulk" in answer.headers["HX-Trigger-After-Swap"]
        assert _statuses() == ["approved"] * 3 + ["pending"] * 2

    def test_cannot_reach_into_the_future(self, page: Client, home: Namespace) -> None:
        propose(home, SENTENCES[0])
        later = (timezone.now() + timedelta(days=400)).isoformat()
        page.post(reverse("bulk"), {"verb": "approve", "all": "1", "query": "", "as_of": later})
        assert _statuses() == ["approved"]  # what is there now; the thirty days are not turned forward


class TestReasons:
    def test_follow_a_rejection_and_mean_what_they_say(self, page: Client, home: Namespace) -> None:
        row = propose(home, SENTENCES[0])
        page.post(reverse("candidate-reject", args=[row.pk]), {"version": 1})
        said = page.get(REVIEW).content.decode()
        assert 'value="private" data-key="3"' in said
        page.post(reverse("reason"), {"act": str(Act.objects.get().pk), "reason": "private"})
        row.refresh_from_db()
        assert (row.status, row.decision_reason) == ("rejected", "private")
        assert [stone.text for stone in Tombstone.objects.filter(lifted_at=None)] == [""]  # hashes alone
        page.post(reverse("undo"))
        row.refresh_from_db()
        assert row.status == "pending"

    def test_belong_to_rejections_alone(self, page: Client, home: Namespace) -> None:
        row = propose(home, SENTENCES[0])
        page.post(reverse("candidate-approve", args=[row.pk]), {"version": 1})
        answer = page.post(reverse("reason"), {"act": str(Act.objects.get().pk), "reason": "wrong"})
        assert answer.status_code == 422
        assert Memory.objects.get().status == "active"

    def test_of_somebody_else_are_not_found(self, alice: User, page: Client, home: Namespace) -> None:
        row = propose(home, SENTENCES[0])
        page.post(reverse("candidate-reject", args=[row.pk]), {"version": 1})
        stranger = signed_in(build.person("bob"))
        act = str(Act.objects.get().pk)
        assert stranger.post(reverse("reason"), {"act": act, "reason": "wrong"}).status_code == 404


class TestTheSimilarTab:
    def test_tells_pending_approved_and_rejected_apart(
        self, page: Client, alice: User, home: Namespace
    ) -> None:
        memory = remembered(alice, home, "Use pnpm for this project.")
        twin = propose(home, "Use yarn for this project, and document every package.")
        page.post(reverse("candidate-reject", args=[twin.pk]), {"version": 1})
        row = propose(home, "Use pnpm for this project, and document every package.")
        said = page.get(
            reverse("candidate-source", args=[row.pk]), {"tab": "similar"}, headers=HTMX
        ).content.decode()
        assert reverse("memory", args=[memory.pk]) in said
        assert "rejected" in said
        assert said.count("<meter") >= 2
        assert said.count("Approve, replacing this") == 1

    def test_merges_into_what_it_repeats(self, page: Client, alice: User, home: Namespace) -> None:
        memory = remembered(alice, home, "Use pnpm for this project.")
        row = propose(home, "Use pnpm for this project, and document every package.")
        form = {"version": 1, "type": "memory", "into": str(memory.pk)}
        page.post(reverse("candidate-merge", args=[row.pk]), form)
        row.refresh_from_db()
        assert (row.status, row.decision_reason) == ("rejected", "duplicate")
        led = Candidate.objects.get(memory=memory, status="approved")
        shown = page.get(reverse("candidate", args=[led.pk])).content.decode()
        assert "Merged into it" in shown
        assert row.content in shown

    def test_replaces_a_memory(self, page: Client, alice: User, home: Namespace) -> None:
        old = remembered(alice, home, "Use npm for this project.")
        row = propose(home, "Use pnpm for this project.")
        form = {"version": 1, "replaces": str(old.pk), "seen": "1"}
        page.post(reverse("candidate-approve", args=[row.pk]), form)
        old.refresh_from_db()
        assert old.status == "superseded"
        assert old.superseded_by is not None
        assert old.superseded_by.content == row.content

    def test_finds_the_original_by_words(self, page: Client, home: Namespace) -> None:
        row, other = propose(home, "Prefers tea."), propose(home, "The port is 8080.")
        address = reverse("candidate-source", args=[row.pk])
        said = page.get(address, {"tab": "similar", "find": "8080"}, headers=HTMX).content.decode()
        assert str(other.pk) in said
        assert "Merge into this" in said


def test_the_timeline_tab_tells_what_happened(page: Client, home: Namespace) -> None:
    row = propose(home, SENTENCES[0])
    form = {
        "version": 1,
        "content": "Answer in two sentences.",
        "kind": "preference",
        "namespace": str(home.pk),
    }
    page.post(reverse("candidate-edit", args=[row.pk]), {**form, "then": "save"})
    page.post(reverse("candidate-approve", args=[row.pk]), {"version": 2})
    said = page.get(
        reverse("candidate-source", args=[row.pk]), {"tab": "timeline"}, headers=HTMX
    ).content.decode()
    assert said.index("Approved") < said.index("Edited") < said.index("Proposed")


def test_the_diff_marks_exactly_what_was_typed(page: Client, home: Namespace) -> None:
    row = propose(home, "これからは npm を使う。")
    address = reverse("candidate-diff", args=[row.pk])
    said = page.post(address, {"content": "これからは pnpm を使う。"}).content.decode()
    assert "これからは <ins>p</ins>npm を使う。" in said
    hostile = page.post(address, {"content": "<script>alert(1)</script>"}).content.decode()
    assert "<script>" not in hostile
    assert "<ins>" not in page.post(address, {"content": row.content}).content.decode()


class TestSavedFilters:
    def test_keep_their_counts_live_and_hide_zero(self, page: Client, home: Namespace) -> None:
        row = propose(home, "We deploy on Tuesdays.", kind="decision")
        page.post(reverse("filter-save"), {"name": "Decisions", "query": "kind=decision"})
        assert ">Decisions <b>1</b>" in page.get(REVIEW).content.decode()
        page.post(reverse("candidate-reject", args=[row.pk]), {"version": 1})
        assert ">Decisions</a>" in page.get(REVIEW).content.decode()
        saved = SavedFilter.objects.get()
        stranger = signed_in(build.person("bob"))
        assert stranger.post(reverse("filter-delete", args=[saved.pk])).status_code == 404
        page.post(reverse("filter-delete", args=[saved.pk]))
        assert not SavedFilter.objects.exists()

    def test_of_nothing_are_refused(self, page: Client) -> None:
        assert page.post(reverse("filter-save"), {"name": "All", "query": ""}).status_code == 422


class TestFilters:
    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ("confidence=low", ["Low."]),
            ("age=7", ["Old."]),
            ("flag=untyped", ["Tool."]),
            ("flag=risky", ["Link."]),
            ("seen=2", []),
            ("sort=confidence", ["Tool.", "Link.", "Old.", "Low."]),
        ],
    )
    def test_find_what_they_say(self, page: Client, home: Namespace, query: str, expected: list[str]) -> None:
        propose(home, "Low.", confidence=0.2)
        propose(home, "Old.", days_ago=9, confidence=0.6)
        propose(home, "Link.", flags=("url",), confidence=0.8)
        propose(home, "Tool.", trust="tool", source="remember", confidence=0.9)
        found = [row.candidate.content for row in page.get(f"{REVIEW}?{query}").context["rows"]]
        assert found == expected

    def test_show_what_was_set_aside_until_it_returns(self, page: Client, home: Namespace) -> None:
        row = propose(home, SENTENCES[0])
        page.post(reverse("candidate-set-aside", args=[row.pk]), {"version": 1})
        assert not page.get(REVIEW).context["rows"]
        assert [each.candidate.pk for each in page.get(f"{REVIEW}?aside=1").context["rows"]] == [row.pk]
        page.post(reverse("undo"))
        assert len(page.get(REVIEW).context["rows"]) == 1


def test_news_count_arrivals_that_match_and_nothing_else(page: Client, home: Namespace) -> None:
    propose(home, SENTENCES[0], kind="fact")
    since = page.get(REVIEW).context["as_of"].isoformat()
    look = {"since": since, "query": "kind=fact"}
    assert "new: show" not in page.get(reverse("news"), look).content.decode()
    propose(home, SENTENCES[1], kind="fact")
    propose(home, "Prefers tea.", kind="preference")
    said = page.get(reverse("news"), look).content.decode()
    assert "1 new: show" in said
    assert "<title>(3) Review" in said
    for mangled in (
        "yesterday",
        "2026-13-45T09:00:00Z",
        "2026-03-01T09:00:00-23:59",
        "0001-01-01T00:00:00+09:00",
    ):
        assert page.get(reverse("news"), {"since": mangled}).status_code == 200
