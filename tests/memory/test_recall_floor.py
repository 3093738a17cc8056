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
from memory.services.vectors import fill_due
from tests import build
from tests.memory.recalling import ask, load, model, rows

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


@pytest.fixture
def alice() -> User:
    return build.person("alice")


@pytest.mark.parametrize("part", ["fit", "holdout"])
@pytest.mark.parametrize("name", MODELS)
def test_answers_stay_and_noise_does_not_come(alice: User, name: str, part: str) -> None:
    with model(name):
        reached = scores(alice, part)
    assert reached.recall >= 0.82, reached
    assert reached.precision >= 0.75, reached
    assert reached.silent >= 0.85, reached


def test_words_alone_are_silent_too_when_nothing_fits(alice: User) -> None:
    with model("none"):
        reached = scores(alice, "holdout")
    assert reached.silent >= 0.9, reached
    assert reached.recall >= 0.6, reached  # half of the questions share no word with their answer
