"""Which texts a proposal is compared with, and that the model that answers questions has no say in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django import Settings

from core.models import Namespace
from memory import embedder
from memory.models import Candidate, MemoryVector
from memory.services import gate, vectors
from memory.services.candidates import candidate_propose
from memory.services.remember import vector_of
from tests import build
from tests.memory import make

pytestmark = pytest.mark.django_db

ENGLISH = "Write commit messages in English."
JAPANESE = "コミットメッセージは英語で書く"


@pytest.fixture(autouse=True)
def chosen_anew() -> Iterator[None]:
    embedder.comparer.cache_clear()
    yield
    embedder.comparer.cache_clear()


@pytest.fixture
def home() -> Namespace:
    return build.workspace(build.person("alice"))


def propose(home: Namespace, content: str) -> str:
    proposal = replace(make.proposal(home, content), vector=vector_of(content))
    return candidate_propose(proposal=proposal, now=timezone.now()).result


@pytest.mark.parametrize("model", ["e5", "use", "openai"])
def test_a_translation_is_a_repeat_whichever_model_answers_questions(
    home: Namespace, settings: Settings, model: str
) -> None:
    settings.EMBED_MODEL = model
    assert [propose(home, ENGLISH), propose(home, JAPANESE)] == ["created", "sighted"]


def test_without_a_model_words_alone_decide(home: Namespace, settings: Settings) -> None:
    settings.EMBED_MODEL = "none"
    assert vector_of(ENGLISH) is None
    assert [propose(home, ENGLISH), propose(home, JAPANESE)] == ["created", "created"]
    assert propose(home, "Please write commit messages in English from now on.") == "sighted"


def test_an_approved_text_is_recognised_before_and_after_it_has_its_own_vector(home: Namespace) -> None:
    propose(home, ENGLISH)
    candidate = Candidate.objects.get()
    reviewer: User = home.owner
    gate.candidate_approve(
        candidate_id=candidate.pk, version=candidate.version, user=reviewer, now=timezone.now()
    )
    assert propose(home, JAPANESE) == "sighted"
    vectors.fill_due()
    assert MemoryVector.objects.exists()
    assert propose(home, JAPANESE) == "sighted"


def test_a_vector_of_another_model_is_not_compared_with(home: Namespace) -> None:
    propose(home, ENGLISH)
    Candidate.objects.update(space="a-former-model/512")
    assert propose(home, JAPANESE) == "created"
    assert propose(home, "Please write commit messages in English from now on.") == "sighted"


def test_another_persons_namespace_is_never_compared_with(home: Namespace) -> None:
    propose(home, ENGLISH)
    assert propose(build.workspace(build.person("bob")), JAPANESE) == "created"
