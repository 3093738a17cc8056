"""Taking something back happens under the gates of the session, so that no sighting slips in between."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from core.locks import only_one
from memory.models import Candidate
from memory.services import withdrawals
from tests import build
from tests.memory.pipeline import Talk

PNPM = "We use pnpm here, not npm, because the lockfiles keep clashing."


def free_elsewhere(name: str) -> bool:
    """Whether somebody else could take this lock now."""

    def ask() -> bool:
        try:
            with only_one(name) as ours:
                return ours
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(ask).result()


@pytest.mark.django_db(transaction=True)
def test_a_scan_that_only_takes_back_holds_the_gates(monkeypatch: pytest.MonkeyPatch) -> None:
    talk = Talk(build.key(build.person()).key)
    talk.say(PNPM)
    gates = [f"gate:{talk.session.persona_id}", f"gate:{talk.session.workspace_id}"]
    assert [free_elsewhere(name) for name in gates] == [True, True]
    free: list[bool] = []
    do = withdrawals.withdraw

    def watched(**kwargs: object) -> int:
        free.extend(free_elsewhere(name) for name in gates)
        return do(**kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(withdrawals, "withdraw", watched)
    talk.say("Forget what I said about pnpm.")
    assert free == [False, False]
    assert Candidate.objects.get(content=PNPM).status == "archived"
