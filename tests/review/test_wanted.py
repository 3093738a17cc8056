"""Filters: what the address bar says, and what the queue lists for it."""

from __future__ import annotations

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from memory.models import KINDS, Candidate
from review.selectors.paging import Cursor
from review.selectors.queue import queue
from review.selectors.wanted import CONFIDENCE, SORTS, QueueFilter, parse, spell
from tests import build
from tests.review.scene import propose

_words = st.text(max_size=20).map(lambda text: text.replace("\x00", "").strip())
_filters = st.builds(
    QueueFilter,
    kind=st.sampled_from(["", *KINDS]),
    namespace=st.one_of(st.just(""), st.uuids().map(str)),
    source=st.sampled_from(["", "turn", "remember"]),
    text=_words,
    confidence=st.sampled_from(["", *CONFIDENCE]),
    seen=st.integers(0, 9999),
    age=st.integers(0, 9999),
    aside=st.sampled_from(["", "1"]),
    sort=st.sampled_from(SORTS),
)


@given(_filters)
def test_a_filter_survives_the_address_bar(wanted: QueueFilter) -> None:
    assert parse(spell(wanted)) == wanted


@given(st.text(max_size=300))
def test_no_address_is_too_mangled(query: str) -> None:
    assert isinstance(parse(query), QueueFilter)


@given(st.text(max_size=80))
def test_no_cursor_is_too_mangled(raw: str) -> None:
    cursor = Cursor.parse(raw)
    assert cursor is None or Cursor.parse(str(cursor)) == cursor


@pytest.mark.django_db
class TestListing:
    def test_narrows_and_sorts_as_asked_page_by_page(self) -> None:
        alice = build.person("alice")
        api = build.workspace(alice)
        now = timezone.now()
        made = [
            propose(api, f"{text}", kind="fact", confidence=confidence, days_ago=days)
            for text, confidence, days in [
                ("Logs go to Loki.", 0.3, 9),
                ("CI runs on Buildkite.", 0.6, 1),
                ("The office has a cat.", 0.95, 4),
            ]
        ]
        Candidate.objects.filter(pk=made[0].pk).update(times_seen=7)

        def ids(**wanted: object) -> list[int]:
            found: list[int] = []
            after: Cursor | None = None
            while True:
                page = queue(user=alice, wanted=QueueFilter(**wanted), after=after, size=1, now=now)  # type: ignore[arg-type]
                found += [made.index(row) for row in page.rows]
                if not page.next:
                    return found
                after = Cursor.parse(page.next)
                assert after is not None

        assert ids() == [0, 2, 1]
        assert ids(sort="newest") == [1, 2, 0]
        assert ids(sort="seen")[0] == 0
        assert ids(sort="confidence") == [2, 1, 0]
        assert [ids(confidence=word) for word in ("low", "medium", "high")] == [[0], [1], [2]]
        assert ids(seen=2) == [0]
        assert ids(age=3) == [0, 2]

    def test_a_cursor_of_another_order_starts_from_the_top(self) -> None:
        alice = build.person("alice")
        propose(build.workspace(alice), "Logs go to Loki.")
        after = Cursor(0.5, alice.namespaces.get(name="api").pk)
        assert len(queue(user=alice, wanted=QueueFilter(), after=after).rows) == 1
