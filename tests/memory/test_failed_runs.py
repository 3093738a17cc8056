"""A scan that breaks leaves its run in the ledger: what broke, in English, and nothing of the text."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import translation
from django.utils.translation import gettext

from core.errors import Invalid
from memory.extractors.base import Window
from memory.models import Candidate, Extraction
from memory.services import extraction, extractors
from tests import build
from tests.memory.pipeline import last_run, scan_all
from transcripts.models import Turn

pytestmark = pytest.mark.django_db
TEXT = "We use pnpm here, not npm."


@pytest.fixture
def turn(now: datetime) -> Turn:
    key = build.key(build.person()).key
    build.session(key, now=now)
    return build.turn(key, TEXT, now=now)


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*, window: Window, **_kwargs: object) -> extractors.Run:
        said = window.utterances[0].text
        raise Invalid(f"{gettext('The text is empty.')}\nDETAIL: {said}")

    monkeypatch.setattr(extractors, "run", refuse)


@pytest.mark.usefixtures("broken")
def test_it_says_what_broke_without_the_text_in_the_language_of_nobody_in_particular(
    turn: Turn, now: datetime
) -> None:
    with translation.override("ja"):
        scan_all(now)
        assert translation.get_language() == "ja"
    run = last_run()
    assert (run.outcome, run.turn_id, run.session_id) == ("failed", turn.pk, turn.session_id)
    assert run.error == "Invalid: The text is empty."
    assert (run.messages, run.proposed, run.extractor) == (0, 0, "")
    turn.refresh_from_db()
    assert (turn.scan_state, turn.error) == ("waiting", run.error)
    assert not Candidate.objects.exists()


@pytest.mark.usefixtures("broken")
def test_each_failed_attempt_is_a_run_until_it_is_dead(turn: Turn, now: datetime) -> None:
    for _day in range(7):
        scan_all(now)
        now += timedelta(days=1)
    turn.refresh_from_db()
    assert turn.scan_state == "dead"
    assert Extraction.objects.filter(turn=turn, outcome="failed").count() == turn.attempts == 5


def test_after_a_failure_a_good_run_is_done(
    turn: Turn, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(extractors, "run", lambda **_kwargs: 1 / 0)
        scan_all(now)
    scan_all(now + timedelta(minutes=5))
    outcomes = list(Extraction.objects.order_by("pk").values_list("outcome", "error"))
    assert outcomes == [("failed", "ZeroDivisionError: division by zero"), ("done", "")]


def test_who_lost_the_lease_writes_no_run(turn: Turn, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    def overtaken(**_kwargs: object) -> extractors.Run:
        Turn.objects.filter(pk=turn.pk).update(lease_token=None)
        turn.session.__class__.objects.filter(pk=turn.session_id).update(scan_lease_token=None)
        raise RuntimeError("too late")

    monkeypatch.setattr(extractors, "run", overtaken)
    assert extraction.scan_next(now=now)
    assert not Extraction.objects.exists()
