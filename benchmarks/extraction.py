"""Run labelled conversations through the product's own pipeline and write what ``score.py`` reads.

    python benchmarks/extraction.py --data FILE --extractor rules|llm --out PREDICTIONS [--mode turn|compaction]

Each record is stored as one closed turn (``turn``) or as an open conversation that is then compacted
(``compaction``; the default for records of more than 12 messages), scanned by the real service on real PostgreSQL,
and read back from the queue. ``evidence`` is the human span of each candidate. Every record has a person of its own,
so that none sees another's memories. ``--extractor llm`` needs LLM_BASE_URL and LLM_MODEL in the environment.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import stack

LONG = 12


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--data", required=True, type=Path)
    arguments.add_argument("--extractor", choices=["rules", "llm"], default="rules")
    arguments.add_argument("--out", required=True, type=Path)
    arguments.add_argument("--mode", choices=["turn", "compaction", "auto"], default="auto")
    options = arguments.parse_args()
    stack.start(EXTRACTOR=options.extractor)

    records = [
        json.loads(line) for line in options.data.read_text(encoding="utf-8").splitlines() if line.strip()
    ]
    seconds: list[float] = []
    proposed = 0
    with options.out.open("w", encoding="utf-8") as out:
        for record in records:
            long = len(record["messages"]) > LONG
            mode = options.mode if options.mode != "auto" else "compaction" if long else "turn"
            started = time.perf_counter()
            candidates = list(_run(record, mode))
            seconds.append(time.perf_counter() - started)
            proposed += len(candidates)
            line = {"id": record["id"], "candidates": candidates}
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
    print(f"machine    {stack.machine()}")
    print(f"extractor  {options.extractor}")
    print(f"records    {len(records)}, candidates {proposed}")
    print(f"pipeline   median {statistics.median(seconds) * 1000:.0f} ms a record (store, scan, read back)")


def _run(record: dict[str, Any], mode: str) -> Iterator[dict[str, str]]:
    from django.contrib.auth.models import User
    from django.utils import timezone

    from memory.models import Candidate
    from memory.services.extraction import scan_next

    user = User.objects.create_user(record["id"])
    now = timezone.now()
    _store(record, mode, user, now)
    while scan_next(now=timezone.now()):
        pass
    rows = Candidate.objects.filter(namespace__owner=user, status="pending").order_by("pk")
    for candidate in rows.select_related("namespace").prefetch_related("evidence"):
        human = [e.quote for e in candidate.evidence.all() if e.role != "adopted"]
        yield {
            "kind": candidate.kind,
            "namespace": str(candidate.namespace),
            "content": candidate.content,
            "evidence": human[0] if human else "",
        }


def _store(record: dict[str, Any], mode: str, user: Any, now: Any) -> None:
    """Store the messages with the origins of the record, as a reader of a client's file would."""
    from django.db import transaction

    from core.actor import Actor
    from core.services.namespaces import namespace_create, persona_default
    from transcripts.inputs import MessageIn, TurnIn, Voice
    from transcripts.models import AgentSession, Compaction, Message
    from transcripts.services.held import hold
    from transcripts.services.prepare import prepare
    from transcripts.services.turns import store

    name = record["persona"]
    persona = (
        persona_default(user=user, now=now)
        if name == "default"
        else namespace_create(owner=user, type="persona", name=name, actor=Actor.person(user), now=now)
    )
    workspace = namespace_create(
        owner=user, type="workspace", name=record["workspace"], actor=Actor.person(user), now=now
    )
    session = AgentSession.objects.create(
        user=user, key=record["id"], persona=persona, workspace=workspace, started_at=now
    )
    messages = [MessageIn(m["role"], m["text"], origin=m["origin"]) for m in record["messages"]]
    turn = TurnIn(session.key, "turn", messages, closed=mode == "turn")
    voice = Voice.of_person(user)
    with transaction.atomic():
        store(
            voice=voice,
            held=hold(voice=voice, keys=[session.key], now=now),
            turns=[turn],
            prepared=[prepare(messages, voice)],
            now=now,
        )
        if mode == "compaction":
            last = Message.objects.filter(session=session).latest("pk")
            Compaction.objects.create(
                session=session, key="c1", trigger="auto", through_id=last.pk, received_at=now, due_at=now
            )


if __name__ == "__main__":
    main()
