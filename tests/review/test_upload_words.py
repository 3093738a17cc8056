"""What is wrong in a line of an uploaded transcript is said in the reader's language."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import translation

from review.templatetags.uploads import problem_words
from tests import build
from tests.review.scene import signed_in
from transcripts.readers.base import read
from transcripts.readers.shapes import Problem

ODD = {
    "messages": [
        {"role": "boss", "text": "x"},
        {"role": "user", "text": 100},
        {"role": "user", "text": "Use 100 % wool."},
    ]
}


def test_the_sentence_is_translated_and_the_place_stays() -> None:
    problem = Problem(1, "none", {}, "turns[0].messages[2]")  # a sentence that every catalogue has
    with translation.override("ja"):
        assert problem_words(problem) == "turns[0].messages[2]: なし"
    assert problem.reason == "turns[0].messages[2]: none"


def test_values_are_filled_in_after_translating_and_may_hold_percent_signs() -> None:
    assert problem_words(Problem(0, "%(said)s", {"said": "100 %s"})) == "100 %s"


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (json.dumps(ODD).encode(), "a.json"),
        (b"[" * 5_000, "b.json"),
        (b'{"messages": [', "c.json"),
        (b"{" + b"9" * 5_000 + b"}", "d.json"),
        ("ありがとうございます。\n".encode("shift_jis") * 5, "e.md"),
        (b"nothing of ours", "f.txt"),
        (b"", "g.jsonl"),
        (
            b'{"type": "user", "sessionId": "s", "uuid": "u"}\n{"type": "hologram", "uuid": "v", "sessionId": "s"}\n',
            "h.jsonl",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_reader_says_it_by_a_template_that_its_values_fill(data: bytes, name: str) -> None:
    problems = read(data, filename=name).problems
    assert problems
    for problem in problems:
        assert problem_words(problem) == problem.reason
        assert "%(" not in problem.reason
        # What differs from file to file is a value: a translator's sentence names no key, count or place.
        assert not any(str(value) in problem.said for value in problem.values.values())


@pytest.mark.django_db
def test_the_plan_shows_place_and_sentence_without_calling_it_english() -> None:
    alice = build.person("alice")
    file = SimpleUploadedFile("a.json", json.dumps(ODD).encode())
    page = signed_in(alice).post(reverse("session-import"), {"file": file}).content.decode()
    assert "messages[0].role: must be one of user, assistant, tool" in page
    assert 'lang="en">messages[0]' not in page
