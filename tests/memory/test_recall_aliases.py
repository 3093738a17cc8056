"""Short forms: a reviewer adds them, the evidence offers them, and a question that holds one means that memory."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Forbidden, Invalid, NotFound
from core.models import Namespace
from core.text import fold
from memory.models import Memory
from memory.recall import RecallQuery, trial
from memory.recall.words import names
from memory.services.memories import memory_edit
from memory.shortforms import MAX_CHARS, MOST, checked, offered
from tests import build
from tests.memory.recalling import ask, load, model, remember, row, texts

STAGING = "The staging cluster runs Kubernetes 1.29 in two zones."


@pytest.fixture(autouse=True)
def _words_alone() -> Iterator[None]:
    with model("none"):
        yield


@pytest.fixture
def api(alice: User) -> Namespace:
    load(
        alice,
        [
            row("other", "本番のバージョンは毎週金曜に上げる。"),
            row("budget", "The budget is planned in two zones."),
        ],
    )
    return Namespace.objects.get(owner=alice, name="api")


def _edit(memory: Memory, *aliases: str, now: datetime) -> Memory:
    return memory_edit(
        memory_id=memory.pk,
        version=memory.version,
        user=memory.namespace.owner,
        content=memory.content,
        kind=memory.kind,
        aliases=aliases,
        now=now,
    )


@pytest.mark.django_db
def test_a_short_form_is_found_at_once_says_why_and_stays_in_the_history(
    api: Namespace, now: datetime
) -> None:
    memory = remember(api, STAGING)
    assert not ask("k8s はいくつの区画で動く？", api).hits
    memory = _edit(memory, "k8s", now=now)
    hits = ask("k8s はいくつの区画で動く？", api).hits
    assert [hit.id for hit in hits] == [memory.pk]
    assert hits[0].why.named
    assert "k8s" in hits[0].why.terms
    memory = _edit(memory, "kube", now=now)
    assert not ask("k8s はいくつの区画で動く？", api).hits
    history = memory.history.order_by("pgh_id").values_list("aliases", flat=True)  # type: ignore[attr-defined]
    assert list(history) == [[], ["k8s"], ["kube"]]


@pytest.mark.django_db
def test_an_edit_that_says_nothing_of_short_forms_leaves_them(api: Namespace, now: datetime) -> None:
    memory = _edit(remember(api, STAGING), "k8s", now=now)
    edited = memory_edit(
        memory_id=memory.pk,
        version=memory.version,
        user=memory.namespace.owner,
        content="The staging cluster runs Kubernetes 1.30.",
        kind="fact",
        now=now,
    )
    assert edited.aliases == ["k8s"]
    assert texts(ask("k8s", api)) == ["The staging cluster runs Kubernetes 1.30."]


@pytest.mark.django_db
def test_loaded_short_forms_are_found_and_superseded_ones_lead_to_the_living(alice: User) -> None:
    load(
        alice,
        [
            row("a", "CI is Jenkins.", aliases=["build server"], superseded_by="b"),
            row("b", "CI is GitHub Actions.", aliases=["GHA", "ＣＩ"], superseded_by="c"),
            row("c", "CI is Forgejo Actions.", aliases=["GHA", "ビルド環境"]),
        ],
    )
    home = Namespace.objects.get(owner=alice, name="api")
    assert texts(ask("how is GHA set up", home)) == ["CI is Forgejo Actions."]
    assert texts(ask("ビルド環境はどれ?", home)) == ["CI is Forgejo Actions."]
    assert "CI is Jenkins." not in texts(ask("build server", home, floor=False))


@pytest.mark.django_db
@pytest.mark.parametrize("aliases", [["x" * (MAX_CHARS + 1)], [f"a{n}" for n in range(MOST + 1)], ["a\0b"]])
def test_what_is_no_short_form_is_refused_at_its_field(
    api: Namespace, now: datetime, aliases: list[str]
) -> None:
    with pytest.raises(Invalid) as refused:
        _edit(remember(api, STAGING), *aliases, now=now)
    assert refused.value.details["field"] == "aliases"


@pytest.mark.django_db
def test_nobody_else_adds_short_forms(api: Namespace, now: datetime) -> None:
    memory = remember(api, STAGING)
    with pytest.raises((NotFound, Forbidden)):
        memory_edit(
            memory_id=memory.pk,
            version=memory.version,
            user=build.person("mallory"),
            content=memory.content,
            kind="fact",
            aliases=["k8s"],
            now=now,
        )
    memory.refresh_from_db()
    assert memory.aliases == []


@pytest.mark.django_db
def test_a_trial_shows_both_rankings_the_floor_and_what_was_kept_out(api: Namespace, now: datetime) -> None:
    memory = _edit(remember(api, STAGING), "k8s", now=now)
    tried = trial(RecallQuery("k8s zones", Namespace.objects.filter(pk=api.pk).scope()))
    assert [row.memory.pk for row in tried.served][:1] == [memory.pk]
    assert tried.rows[0].by_words == 1
    assert tried.rows[0].by_meaning is None
    assert tried.rows[0].named
    assert tried.degraded
    assert not tried.rows[0].across
    japanese = trial(RecallQuery("k8s のゾーンはいくつある?", Namespace.objects.filter(pk=api.pk).scope()))
    assert japanese.rows[0].across
    assert {row.verdict for row in tried.rows} <= {"served", "below"}
    assert [row.memory.pk for row in tried.served] == [hit.id for hit in ask("k8s zones", api).hits]
    beyond = trial(RecallQuery("k8s zones", Namespace.objects.filter(pk=api.pk).scope(), k=1))
    assert len(beyond.served) == 1
    assert not trial(RecallQuery("  ", Namespace.objects.filter(pk=api.pk).scope())).rows


@pytest.mark.parametrize(
    ("content", "said", "found"),
    [
        ("CI runs on GitHub Actions.", "GHA is red again, look at gha", ["GHA"]),
        ("Staging is a Kubernetes cluster.", "put it on k8s, not on k9s", ["k8s"]),
        ("認証はシングルサインオンに一本化する。", "シングルサインオン（SSO）にしよう", ["SSO"]),
        ("We use Continuous Integration.", "Continuous Integration (CI) is a must", ["CI"]),
        ("Use pnpm.", "please use pnpm, OK?", []),
        ("The API answers JSON.", "the API and JSON", []),
        ("", "k8s (x)", []),
    ],
)
def test_the_evidence_offers_short_forms_of_names_in_the_memory(
    content: str, said: str, found: list[str]
) -> None:
    assert offered(content, [said]) == found


def test_what_is_known_is_not_offered_again() -> None:
    assert offered("GitHub Actions", ["GHA"], ["gha"]) == []


@given(st.lists(st.text(max_size=30), max_size=30), st.text(max_size=200))
def test_offers_are_few_short_and_not_in_the_memory(said: list[str], content: str) -> None:
    for short in offered(content, said):
        assert fold(short) not in fold(content)
        assert any(short in text for text in said)


@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40), max_size=20
    )
)
def test_checked_is_idempotent_and_names_each_once(given_: list[str]) -> None:
    once = checked(given_)
    assert checked(once) == once
    assert len({fold(each) for each in once}) == len(once)


def test_a_short_form_counts_as_a_word_of_its_own() -> None:
    assert names(fold("which CI do we use?"), ["ci"])
    assert names(fold("ＣＩはどれ"), ["CI"])
    assert not names(fold("which city"), ["CI"])
    assert not names(fold("anything"), [""])
