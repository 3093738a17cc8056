"""What agents of the story were given of notes and memories, so that their pages have something to tell."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path

from core.models import AgentKey
from knowledge.services.context import context_serve
from knowledge.services.expand import expand
from knowledge.services.reading import knowledge_read
from memory.recall.serve import Ask, recall_for_key
from review.demo.choice_story import asked
from review.demo.story import Story, zone

FILE = Path(__file__).with_name("reuse.json")
A_MOMENT = timedelta(seconds=1)


def use_steps(key: AgentKey, told: Story, day: date) -> Iterator[tuple[datetime, partial[None]]]:
    """Each session is given its start; some call a note, read one, or recall.

    In the conversations of the story all of it comes after the last word: what is served before a sentence might be
    what the sentence repeats, and then the story's own extraction would rightly take it for an echo.
    """
    times: dict[str, datetime] = {}
    for each in asked(day, zone()):
        times.setdefault(each.session, each.at + A_MOMENT)
    for talk in told.conversations:
        times[talk.key] = talk.exchanges[-1].at + timedelta(seconds=90)
    for session, at in times.items():
        yield at, partial(_start, key, session, at)
    for use in json.loads(FILE.read_text(encoding="utf-8"))["uses"]:
        at = times[use["session"]] + A_MOMENT
        yield at, partial(_use, key, use, at)


def _start(key: AgentKey, session: str, at: datetime) -> None:
    context_serve(agent_key=key, session=session, now=at)


def _use(key: AgentKey, use: Mapping[str, str], at: datetime) -> None:
    session = use["session"]
    if "call" in use:
        expand(agent_key=key, session=session, text=use["call"], now=at)
    elif "read" in use:
        knowledge_read(agent_key=key, slug=use["read"], references=(), session=session, now=at)
    else:
        recall_for_key(agent_key=key, ask=Ask(use["ask"], session=session), now=at)
