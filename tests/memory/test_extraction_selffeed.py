"""What Hikae served must not feed itself: twenty rounds add nothing (design section 3, lessons row 2)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from core.models import AgentKey
from memory.models import Candidate, Memory
from memory.services.gate import candidate_approve
from memory.services.remember import RememberIn, candidate_remember
from tests import build
from tests.memory.pipeline import Talk, every_statement_is_proposed, last_run, ledger, proposals
from transcripts.inputs import Shown
from transcripts.models import AgentSession
from transcripts.readers.fences import fence
from transcripts.services.exposures import exposure_record
from transcripts.services.markers import fence_marker

pytestmark = pytest.mark.django_db

ENGLISH = "We use pnpm here, not npm, because the lockfiles keep clashing."
JAPANESE = "このプロジェクトではnpmではなくpnpmを使います。ロックファイルが衝突するためです。"
QUOTES = {
    "word for word": "{}",
    "in quotation marks": "As you told me before: “{}”",
    "as a quoted block": "Noted.\n\n> {}\n\nI will follow it.",
    "with words around it": "Understood. {} Now let us look at the next file.",
    "in a list": "What I know:\n- {}\n- nothing else",
}


def approved(talk: Talk, user: User, said: str) -> Memory:
    """A memory that came from a conversation and that a person approved."""
    talk.say(said, build.agent("Understood."))
    candidate = Candidate.objects.get(content=said)
    return candidate_approve(candidate_id=candidate.pk, version=candidate.version, user=user, now=talk.at)


def serve(memory: Memory, talk: Talk, *, session: AgentSession | None) -> None:
    exposure_record(
        session=session,
        agent_key=talk.key,
        path="recall",
        items=[Shown("memory", str(memory.pk), memory.version, memory.content)],
        now=talk.at,
    )


@pytest.mark.parametrize("said", [ENGLISH, JAPANESE], ids=["en", "ja"])
def test_twenty_rounds_of_recall_and_quoting_add_nothing(alice: User, key: AgentKey, said: str) -> None:
    memory = approved(Talk(key, "first"), alice, said)
    before = ledger()
    talk = Talk(key, "second")
    for number in range(20):
        serve(memory, talk, session=talk.session)
        quote = list(QUOTES.values())[number % len(QUOTES)].format(memory.content)
        talk.say(
            build.agent(quote), "OK, go on.", build.tool(f"recall: {memory.content}"), build.agent(quote)
        )
    assert ledger() == before
    memory.refresh_from_db()
    assert memory.status == "active"


@pytest.mark.parametrize("yes", ["yes, do that", "うん、それで", "OK, remember that"])
def test_adopting_a_recited_memory_is_no_new_evidence(alice: User, key: AgentKey, yes: str) -> None:
    memory = approved(Talk(key, "first"), alice, ENGLISH)
    before = ledger()
    talk = Talk(key, "second")
    serve(memory, talk, session=talk.session)
    talk.say("How do we install packages?", build.agent(f"{memory.content} Shall I go on like that?"))
    talk.say(yes)
    assert ledger() == before


@pytest.mark.parametrize("shape", QUOTES.values(), ids=QUOTES)
def test_a_person_who_repeats_what_was_served_proves_nothing_new(
    alice: User, key: AgentKey, shape: str
) -> None:
    memory = approved(Talk(key, "first"), alice, ENGLISH)
    before = ledger()
    talk = Talk(key, "second")
    serve(memory, talk, session=talk.session)
    talk.say(shape.format(memory.content))
    assert ledger() == before


def test_served_without_a_session_it_is_known_for_a_day_in_every_session_of_the_key(
    alice: User, key: AgentKey
) -> None:
    memory = approved(Talk(key, "first"), alice, ENGLISH)
    before = ledger()
    talk = Talk(key, "second")
    serve(memory, talk, session=None)
    talk.say(memory.content)
    assert ledger() == before
    later = Talk(key, "third", at=talk.at + timedelta(hours=25))
    later.say(memory.content)
    assert ledger() == (before[0], before[1] + 1)


def test_the_same_words_in_a_session_that_was_shown_nothing_are_a_sighting(
    alice: User, key: AgentKey
) -> None:
    approved(Talk(key, "first"), alice, ENGLISH)
    Talk(key, "second").say(ENGLISH)
    [candidate] = proposals()
    assert (candidate.status, candidate.times_seen) == ("approved", 2)


def test_a_correction_of_a_served_memory_is_heard(alice: User, key: AgentKey) -> None:
    with every_statement_is_proposed():
        memory = approved(Talk(key, "first"), alice, "Production runs on Python 3.11.")
        talk = Talk(key, "second")
        serve(memory, talk, session=talk.session)
        talk.say("Production runs on Python 3.11.")
        talk.say("Production runs on Python 3.12.")
    assert len(proposals()) == 2
    newest = proposals()[-1]
    assert (newest.content, newest.conflicts_with) == ("Production runs on Python 3.12.", memory)


def test_a_fenced_block_that_a_client_sends_back_is_cut_out(alice: User, key: AgentKey) -> None:
    memory = approved(Talk(key, "first"), alice, ENGLISH)
    before = ledger()
    talk = Talk(key, "second")
    for _round in range(3):
        turn = talk.say(f"{fence(memory.content, fence_marker())}\nWhat is left to do today?")
        assert memory.content not in build.messages(turn)[0].text
    assert ledger() == before


def test_remembering_what_was_served_is_suppressed_and_says_so(alice: User, key: AgentKey) -> None:
    memory = approved(Talk(key, "first"), alice, ENGLISH)
    before = ledger()
    talk = Talk(key, "second")
    serve(memory, talk, session=talk.session)
    outcome = candidate_remember(
        agent_key=key, remember=RememberIn("decision", ENGLISH, session="second"), now=talk.at
    )
    assert (outcome.result, outcome.candidate) == ("suppressed", None)
    assert outcome.detail
    assert ledger() == before


def test_a_proposal_built_from_served_text_is_dropped_with_a_count(alice: User, key: AgentKey) -> None:
    """Served between the storing and the scan: the pipeline looks again, not only the intake."""
    memory = approved(Talk(key, "first"), alice, ENGLISH)
    before = ledger()
    talk = Talk(key, "second")
    build.turn(key, ENGLISH, session="second", name="late", now=talk.at)
    serve(memory, talk, session=talk.session)
    talk.say("And now?")
    assert ledger() == before
    assert any(run.dropped == {"served": 1} for run in type(last_run()).objects.all())
