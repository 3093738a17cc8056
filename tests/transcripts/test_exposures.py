"""What we served comes back as our own text, not as evidence (lessons row 2)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from core.models import AgentKey
from tests import build
from transcripts.inputs import Shown
from transcripts.models import AgentSession, Exposure, Message
from transcripts.readers.fences import fence
from transcripts.served import prints
from transcripts.services.exposures import exposure_forget, exposure_record, served_among
from transcripts.services.markers import fence_marker

pytestmark = pytest.mark.django_db

MEMORY = (
    "Deploy the billing service from the release branch only, after the smoke tests of staging have passed."
)
JAPANESE = "本番環境への反映は、必ずステージングで確認してから、金曜日以外の午前中に行うこと。"
SHORT = "Use tabs."


@pytest.fixture
def key() -> AgentKey:
    key = build.key(build.person()).key
    build.session(key)
    return key


def show(key: AgentKey, *texts: str, now: datetime, session: str | None = "s1") -> None:
    exposure_record(
        session=AgentSession.objects.get(key=session) if session else None,
        agent_key=key,
        path="recall",
        items=[Shown("memory", str(n), 1, text) for n, text in enumerate(texts)],
        now=now,
    )


def origins(key: AgentKey, *texts: str, session: str = "s1", name: str = "t1") -> list[str]:
    turn = build.turn(key, *texts, session=session, name=name)
    return [message.origin for message in build.messages(turn)]


@pytest.mark.parametrize("memory", [MEMORY, JAPANESE, SHORT])
def test_a_text_equal_to_a_served_one_is_injected(key: AgentKey, now: datetime, memory: str) -> None:
    assert origins(key, memory, name="before") == ["human"]
    show(key, MEMORY, JAPANESE, SHORT, now=now)
    assert origins(key, memory, f"「{memory}」" if memory == JAPANESE else memory.upper()) == ["injected"] * 2


def test_a_lightly_reworded_text_is_injected_too(key: AgentKey, now: datetime) -> None:
    show(key, MEMORY, now=now)
    assert origins(key, f"Noted: {MEMORY[0].lower()}{MEMORY[1:-1]}!") == ["injected"]


def test_only_the_served_sentences_of_a_text_are_marked(key: AgentKey, now: datetime) -> None:
    show(key, MEMORY, JAPANESE, now=now)
    answer = f"I looked it up. {MEMORY} {JAPANESE} Shall I prepare the pull request for the changelog now?"
    turn = build.turn(key, "How do we deploy?", build.agent(answer))
    message = build.messages(turn)[1]
    assert message.origin == "agent"
    (span,) = message.injected
    assert answer[span[0] : span[1]] == f"{MEMORY} {JAPANESE}"


def test_a_person_who_corrects_a_memory_is_heard(key: AgentKey, now: datetime) -> None:
    old = "The nightly backup of the customer database runs at 3:15 and keeps 14 copies on the second disk."
    show(key, old, MEMORY, now=now)
    assert (
        origins(
            key,
            old.replace("3:15", "4:30"),
            old.replace("keeps", "never keeps"),
            MEMORY.replace("Deploy", "Do not deploy"),
            name="corrections",
        )
        == ["human"] * 3
    )


@pytest.mark.parametrize("text", ["yes", "Use it.", "はい、お願いします", "release branch"])
def test_a_short_answer_is_no_quotation(key: AgentKey, now: datetime, text: str) -> None:
    show(key, MEMORY, f"{text} and a few more words so that it stands inside", now=now)
    assert origins(key, text) == ["human"]


def test_another_session_may_say_the_same_by_itself(key: AgentKey, now: datetime) -> None:
    show(key, MEMORY, now=now)
    build.session(key, "s2")
    assert origins(key, MEMORY, session="s2") == ["human"]


def test_without_a_session_the_key_is_compared_for_a_day(key: AgentKey, now: datetime) -> None:
    show(key, MEMORY, now=now - timedelta(hours=25), session=None)
    assert origins(key, MEMORY, name="long ago") == ["human"]
    show(key, MEMORY, now=now - timedelta(hours=23), session=None)
    assert origins(key, MEMORY, name="today") == ["injected"]
    other = build.key(key.user, name="other").key
    assert origins(other, MEMORY, name="other key") == ["human"]


def test_what_charlie_was_shown_does_not_touch_alice(key: AgentKey, now: datetime) -> None:
    charlie = build.key(build.person("charlie")).key
    build.session(charlie, "c1")
    show(charlie, MEMORY, now=now, session="c1")
    show(charlie, MEMORY, now=now, session=None)
    assert origins(key, MEMORY) == ["human"]


def test_twenty_rounds_of_our_own_text_leave_nothing_of_it(key: AgentKey, now: datetime) -> None:
    for n in range(20):
        show(key, MEMORY, JAPANESE, now=now)
        block = fence(f"{MEMORY}\n{JAPANESE}", fence_marker())
        build.turn(key, f"Go on, step {n}.\n{block}", build.agent(f"{MEMORY}\n\n{JAPANESE}"), name=f"t{n}")
    texts = Message.objects.filter(role="user").values_list("text", flat=True)
    assert {text.strip() for text in texts} == {f"Go on, step {n}." for n in range(20)}
    assert set(Message.objects.filter(role="assistant").values_list("origin", flat=True)) == {"injected"}


def test_fingerprints_of_a_session_are_told_and_forgotten_with_the_record(
    key: AgentKey, now: datetime
) -> None:
    show(key, MEMORY, JAPANESE, now=now)
    session = AgentSession.objects.get(key="s1")
    seen: dict[str, Any] = {"sessions": [session], "agent_key": key, "texts": [MEMORY, JAPANESE], "now": now}
    assert served_among(**seen).fingerprints == {*prints(MEMORY), *prints(JAPANESE)}
    assert exposure_forget(record_type="memory", record_id="0") == 1
    assert served_among(**seen).fingerprints == set(prints(JAPANESE))
    row = Exposure.objects.get()
    assert (row.path, row.record_type, row.record_id, row.version) == ("recall", "memory", "1", 1)
    assert row.tokens == len(JAPANESE)


def test_an_exposure_belongs_to_somebody(now: datetime) -> None:
    with pytest.raises(ValueError, match="session or to an agent key"):
        exposure_record(session=None, agent_key=None, path="recall", items=[], now=now)


@pytest.mark.parametrize(
    ("known", "corrected"),
    [
        ("Production runs on Python 3.11.", "Production runs on Python 3.12."),
        ("The retry limit is 5.", "The retry limit is 3."),
        ("本番環境のPythonは3.11です。", "本番環境のPythonは3.12です。"),
        ("Commit messages are written in English, always.", "Commit messages are written in English, never."),
        ("レビューの前に統合テストを実行すること。", "レビューの前に統合テストを実行しないこと。"),
    ],
)
def test_a_correction_at_either_end_of_a_served_text_is_the_persons_own(
    key: AgentKey, now: datetime, known: str, corrected: str
) -> None:
    """The fingerprints leave out the letters at both ends, where versions and verdicts like to stand."""
    show(key, known, now=now)
    turn = build.turn(key, corrected, build.agent(known), build.agent(f"1. {known}"))
    said, quoted, listed = build.messages(turn)
    assert (said.origin, said.injected) == ("human", [])
    assert quoted.origin == "injected"
    assert any(listed.text[start:end].strip() in (known, f"1. {known}") for start, end in listed.injected)
