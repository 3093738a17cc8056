"""The floor on questions of both languages: answers stay, noise does not come (both built-in models).

``fit_*`` is what the floor was fitted on, ``holdout_*`` what it was then checked on; neither may get worse. Half of
the questions are asked in the other language than their answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from django.contrib.auth.models import User

from core.embed.local import e5_is_installed
from core.models import Namespace
from memory.models import Memory
from memory.services.vectors import fill_due
from tests import build
from tests.memory.recalling import ask, load, model, remember, rows, texts

pytestmark = pytest.mark.django_db

MODELS = ["use", "e5"] if e5_is_installed() else ["use"]


@dataclass(frozen=True)
class Scores:
    """Over the questions with an answer: share found, mean share of hits that answer. Over the others: share silent."""

    recall: float
    precision: float
    silent: float


def scores(user: User, part: str) -> Scores:
    load(user, rows(f"{part}_memories.jsonl"))
    fill_due()
    namespaces = list(Namespace.objects.filter(owner=user))
    found, precise, silent = [], [], []
    for question in rows(f"{part}_questions.jsonl"):
        hits = [hit.memory.external_id for hit in ask(question["question"], *namespaces).hits]
        gold = set(question["gold"])
        if gold:
            found.append(len(gold.intersection(hits)) / len(gold))
            precise.append(len(gold.intersection(hits)) / len(hits) if hits else 0.0)
        else:
            silent.append(not hits)
    return Scores(sum(found) / len(found), sum(precise) / len(precise), sum(silent) / len(silent))


@pytest.mark.parametrize("part", ["fit", "holdout"])
@pytest.mark.parametrize("name", MODELS)
def test_answers_stay_and_noise_does_not_come(alice: User, name: str, part: str) -> None:
    with model(name):
        reached = scores(alice, part)
    assert reached.recall >= 0.84, reached
    assert reached.precision >= 0.75, reached
    assert reached.silent >= 0.9, reached


def test_words_alone_are_silent_too_when_nothing_fits(alice: User) -> None:
    with model("none"):
        reached = scores(alice, "holdout")
    assert reached.silent >= 0.9, reached
    assert reached.recall >= 0.6, reached  # half of the questions share no word with their answer


@pytest.mark.parametrize("name", MODELS)
def test_a_small_memory_answers_questions_that_share_no_word_with_it(alice: User, name: str) -> None:
    with model(name):
        home = build.workspace(alice, "shop")
        remember(home, "Use pnpm instead of npm in this repository.", kind="preference")
        remember(home, "障害が起きたら、まず #ops に一報を入れてから調べ始める。", kind="pattern")
        remember(home, "Logs are kept for ninety days and then moved to cold storage.")
        fill_due()
        for question in ("which package manager do we use", "npm と pnpm のどちらを使う？", "npm or pnpm"):
            assert texts(ask(question, home))[:1] == ["Use pnpm instead of npm in this repository."], question
        for question in ("what is the capital of Mongolia", "カレーの作り方を教えて", "thanks, looks good"):
            assert not ask(question, home).hits, question


@pytest.mark.parametrize("name", MODELS)
def test_meaning_alone_finds_in_a_small_scope_and_noise_stays_out_of_a_larger_one(
    alice: User, name: str
) -> None:
    """Questions that the floor was not fitted on (``meaning_holdout_*``)."""
    memories, questions = rows("meaning_holdout_memories.jsonl"), rows("meaning_holdout_questions.jsonl")
    with model(name):
        for start in range(0, len(memories), 3):
            three = [{**row, "namespace": f"workspace:three-{start}"} for row in memories[start : start + 3]]
            load(alice, [{**row, "external_id": f"3:{row['external_id']}"} for row in three])
        load(alice, [{**row, "namespace": "workspace:all"} for row in memories])
        fill_due()
        everything = Namespace.objects.get(owner=alice, name="all")
        homes = {
            memory.external_id: memory.namespace
            for memory in Memory.objects.filter(external_id__startswith="3:").select_related("namespace")
        }
        found, silent = [], []
        for question in questions:
            if question["gold"]:
                own = f"3:{question['gold'][0]}"
                found.append(
                    own in {h.memory.external_id for h in ask(question["question"], homes[own]).hits}
                )
            else:
                silent.append(not ask(question["question"], everything).hits)
    assert sum(found) / len(found) >= 0.65
    assert sum(silent) / len(silent) >= 0.92
