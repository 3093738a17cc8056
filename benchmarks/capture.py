"""How long ``POST decisions/`` takes (issue "Decision memory": p95 at most 25 ms for a captured answer).

    .venv/bin/python benchmarks/capture.py

Starts throw-away servers and sends PostToolUse payloads through Django's test client: key, redaction, session,
question, wording, and the rows. The person has 10,000 choices. One and four questions a call, each a new answer.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import stack
from benchmarks.recommend import OBSERVATIONS, QUESTIONS, RUNS, backend_cpu, fill, labels, person

if TYPE_CHECKING:
    from django.test import Client

LIMIT_MS = 25


def answer(client: Client, number: int, how_many: int) -> None:
    texts = [QUESTIONS[(number * how_many + k) % len(QUESTIONS)] for k in range(how_many)]
    asked = [
        {
            "question": text,
            "header": "Tier",
            "multiSelect": False,
            "options": [{"label": label, "description": f"What {label} brings"} for label in labels(text)],
        }
        for text in texts
    ]
    answers = {text: labels(text)[1] for text in texts}
    payload: dict[str, Any] = {
        "session_id": "ask",
        "transcript_path": "/home/dev/.claude/projects/-home-dev-api/ask.jsonl",
        "cwd": "/home/dev/api",
        "permission_mode": "default",
        "hook_event_name": "PostToolUse",
        "tool_name": "AskUserQuestion",
        "tool_use_id": f"toolu_{how_many}_{number}",
        "tool_input": {"questions": asked, "answers": answers},
        "tool_response": {"questions": asked, "answers": answers, "annotations": {}},
    }
    done = client.post("/api/v1/decisions/", json.dumps(payload), content_type="application/json")
    if done.status_code != 201:
        raise SystemExit(f"answered {done.status_code}: {done.content[:300]!r}")


def main() -> int:
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    stack.start(ALLOWED_HOSTS="testserver")
    from django.db import connection
    from django.test.utils import CaptureQueriesContext
    from django.utils import timezone

    print(f"machine  {stack.machine()}; {RUNS} requests each, {OBSERVATIONS:,} choices before")
    user, client = person("capture")
    fill(user, QUESTIONS, now=timezone.now())
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE decisions_choice, decisions_tally")
    worst = 0.0
    for how_many in (1, 4):
        took, used = [], 0.0
        for number in range(RUNS + 5):
            if number == 5:
                database = backend_cpu()
            start, busy = time.perf_counter(), time.process_time()
            answer(client, number, how_many)
            if number >= 5:
                took.append((time.perf_counter() - start) * 1000)
                used += (time.process_time() - busy) * 1000
        database = (backend_cpu() - database) / RUNS
        with CaptureQueriesContext(connection) as queries:
            answer(client, RUNS + 5, how_many)
        p95 = statistics.quantiles(took, n=20)[-1]
        worst = max(worst, p95)
        print(
            f"{how_many} a call  median {statistics.median(took):6.1f} ms   p95 {p95:6.1f} ms   "
            f"CPU {used / RUNS:5.1f} + {database:4.1f} ms (database)   {len(queries)} queries"
        )
    return int(worst > LIMIT_MS)


if __name__ == "__main__":
    sys.exit(main())
