"""How long ``POST decisions/recommend/`` takes when much is known (issue "Decision memory": p95 at most 15 ms).

    .venv/bin/python benchmarks/recommend.py [--profile]

Starts throw-away servers, gives one person 10,000 counted observations, and sends whole requests through Django's test
client: key, checks, queries, learning, and the row that keeps what was said. Two people: one spread over 100 recurring
questions, one who answered a single question 10,000 times. One and four questions a call.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import os
import pstats
import random
import statistics
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import stack

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client

RUNS = 200
LIMIT_MS = 15
OBSERVATIONS = 10_000
TIERS = ("Tier S", "Tier M", "Tier L")
THINGS = ["cache", "queue", "index", "schema", "router", "parser", "worker", "ledger", "mirror", "beacon"]
PLACES = ["cellar", "attic", "harbour", "meadow", "tunnel", "bridge", "garden", "market", "castle", "forest"]
QUESTIONS = [f"Which tier for the {thing} of the {place}?" for thing in THINGS for place in PLACES]


def labels(question: str) -> list[str]:
    return [f"{tier} {question.removeprefix('Which tier for the ').rstrip('?')}" for tier in TIERS]


def fill(user: User, questions: list[str], *, now: datetime) -> None:
    """Points as capture makes them; choices in bulk, because this measures reading."""
    from django.db import transaction

    from decisions.learning.types import OptionIn, Question
    from decisions.models import Choice, Wording
    from decisions.services.points import wordings_for
    from transcripts.models import AgentSession

    session = AgentSession.objects.get(user=user, key="ask")
    wordings: dict[str, Wording] = {}
    for text in questions:
        question = Question(text, tuple(OptionIn(label) for label in labels(text)), category="tier")
        with transaction.atomic():
            wordings[text] = wordings_for(
                user_id=user.pk, workspace_id=session.workspace_id, questions=[question], now=now
            )[0]
    draw = random.Random(7)
    rows = []
    for number in range(OBSERVATIONS):
        wording = wordings[questions[number % len(questions)]]
        rows.append(
            Choice(
                user=user,
                point=wording.point,
                wording=wording,
                session=session if number % 50 == 0 else None,
                outcome="observed",
                source="hook",
                dedupe=f"bench-{number}",
                digest="",
                question=wording.question,
                offered=[
                    {"key": label.lower(), "label": label, "description": ""}
                    for label in labels(wording.question)
                ],
                chosen=[draw.choices(labels(wording.question), (3, 6, 1))[0].lower()],
                context={"phase": draw.choice(("plan", "run", "sync")), "branch": f"feature/{number % 40}"},
                at=now - timedelta(days=89 * draw.random()),
                received_at=now,
            )
        )
    Choice.objects.bulk_create(rows, batch_size=1000)


def ask(client: Client, questions: list[str]) -> None:
    asked = [
        {"question": text, "options": [{"label": label} for label in labels(text)], "category": "tier"}
        for text in questions
    ]
    body: dict[str, Any] = {"session": "ask", "questions": asked, "context": {"phase": "plan"}}
    answer = client.post("/api/v1/decisions/recommend/", json.dumps(body), content_type="application/json")
    if answer.status_code != 200:
        raise SystemExit(f"answered {answer.status_code}: {answer.content[:300]!r}")


def backend_cpu() -> float:
    """Milliseconds of CPU that this connection's PostgreSQL process has used; 0 where /proc does not tell."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [pid] = cursor.fetchone()
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def measure(client: Client, questions: list[str], how_many: int) -> tuple[float, float, float, float, int]:
    """Median and 95th percentile in milliseconds, CPU a call of this process and of the database, number of queries."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    took, used, before = [], 0.0, backend_cpu()
    for run in range(RUNS + 5):
        some = [questions[(run * how_many + k) % len(questions)] for k in range(how_many)]
        start, busy = time.perf_counter(), time.process_time()
        ask(client, some)
        if run >= 5:
            took.append((time.perf_counter() - start) * 1000)
            used += (time.process_time() - busy) * 1000
    database = (backend_cpu() - before) / (RUNS + 5)
    with CaptureQueriesContext(connection) as queries:
        ask(client, questions[:how_many])
    return statistics.median(took), statistics.quantiles(took, n=20)[-1], used / RUNS, database, len(queries)


def person(name: str) -> tuple[User, Client]:
    from django.contrib.auth.models import User
    from django.test import Client
    from django.utils import timezone

    from core.actor import Actor
    from core.services.keys import agent_key_create
    from core.services.namespaces import persona_default
    from transcripts.inputs import WorkspaceIn
    from transcripts.services.sessions import session_open

    user = User.objects.create_user(name)
    persona_default(user=user, now=timezone.now())
    made = agent_key_create(user=user, name="bench", actor=Actor.person(user), now=timezone.now())
    session_open(agent_key=made.key, key="ask", workspace=WorkspaceIn("api"), now=timezone.now())
    return user, Client(headers={"authorization": f"Bearer {made.secret}"})


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--profile", action="store_true")
    asked = parser.parse_args()
    stack.start(ALLOWED_HOSTS="testserver")
    from django.db import connection
    from django.utils import timezone

    print(f"machine  {stack.machine()}; {RUNS} requests each, {OBSERVATIONS:,} observations of the person")
    worst = 0.0
    for name, questions in (("100 questions", QUESTIONS), ("one question", QUESTIONS[:1])):
        user, client = person(name.replace(" ", "-"))
        fill(user, questions, now=timezone.now())
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE decisions_choice, decisions_tally")
        for how_many in (1, 4) if len(questions) > 1 else (1,):
            median, p95, used, database, queries = measure(client, questions, how_many)
            worst = max(worst, p95)
            print(
                f"{name:14} {how_many} a call  median {median:6.1f} ms   p95 {p95:6.1f} ms   "
                f"CPU {used:5.1f} + {database:4.1f} ms (database)   {queries} queries"
            )
        if asked.profile:
            profile = cProfile.Profile()
            profile.enable()
            for _run in range(50):
                ask(client, questions[:4])
            profile.disable()
            pstats.Stats(profile).sort_stats("cumtime").print_stats(90)
    return int(worst > LIMIT_MS)


if __name__ == "__main__":
    sys.exit(main())
