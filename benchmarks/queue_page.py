"""How long the server takes for a page of the queue, and how many queries it asks (issue "The review page", numbers).

    .venv/bin/python benchmarks/queue_page.py [--profile]

Starts throw-away servers and sends whole requests through Django's test client: middleware, session, queries and
rendering, without the network. Machine, median and 95th percentile are printed for 1, 50 and 10,000 pending
candidates, for the first page and for page 200 (reached by its own links, as a person would). ``--profile`` adds where
the time of the first page goes.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import statistics
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import stack

if TYPE_CHECKING:
    from django.test import Client

    from core.models import Namespace

RUNS = 100
LIMIT_MS = 120
REVIEW = "/settings/memory/"
TEXTS = (
    "Package manager is pnpm, not npm, in module {n}.",
    "モジュール {n} では npm ではなく pnpm を使う。lockfile の衝突が続いたため。",
    "Module {n} deploys on Tuesdays, because the release manager is in the office then and can roll back.",
)


def fill(namespace: Namespace, have: int, count: int, *, now: datetime) -> None:
    """Rows as the gate writes them; made in bulk, because this measures reading."""
    from django.db import connection

    from core.text import normal_hash
    from memory.models import KINDS, Candidate

    rows = []
    for number in range(have, count):
        text, seen = TEXTS[number % 3].format(n=number), now - timedelta(days=29) + timedelta(minutes=number)
        rows.append(
            Candidate(
                namespace=namespace,
                kind=KINDS[number % len(KINDS)],
                content=text,
                original=text,
                language="ja" if number % 3 == 1 else "en",
                confidence=(number % 10) / 10,
                source="turn",
                trust="tool" if number % 7 == 0 else "human",
                flags=["imperative"] if number % 7 == 0 else [],
                normal_hash=normal_hash(text),
                first_seen_at=seen,
                last_seen_at=seen,
                touched_at=seen,
            )
        )
    Candidate.objects.bulk_create(rows, batch_size=1000)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE memory_candidate")


def measure(client: Client, address: str) -> tuple[float, float, int]:
    """Median and 95th percentile in milliseconds, and the number of queries."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    took = []
    for run in range(RUNS + 3):
        start = time.perf_counter()
        status = client.get(address).status_code
        if status != 200:
            raise SystemExit(f"{address} answered {status}")
        if run >= 3:  # the first ones compile templates
            took.append((time.perf_counter() - start) * 1000)
    with CaptureQueriesContext(connection) as queries:
        client.get(address)
    return statistics.median(took), statistics.quantiles(took, n=20)[-1], len(queries)


def report(what: str, measured: tuple[float, float, int]) -> None:
    median, p95, queries = measured
    print(f"{what:28} median {median:6.1f} ms   p95 {p95:6.1f} ms   {queries} queries")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--profile", action="store_true")
    asked = parser.parse_args()
    stack.start(ALLOWED_HOSTS="testserver")
    from django.contrib.auth.models import User
    from django.test import Client
    from django.utils import timezone

    from core.services.namespaces import persona_default

    print(f"machine  {stack.machine()}; {RUNS} requests each")
    alice = User.objects.create_user("alice")
    home = persona_default(user=alice, now=timezone.now())
    client = Client(headers={"accept-language": "en"})
    client.force_login(alice)
    have, counted = 0, set()
    for rows in (1, 50, 10_000):
        fill(home, have, rows, now=timezone.now())
        have = rows
        measured = measure(client, REVIEW)
        counted.add(measured[2])
        report(f"{rows:,} pending, page 1", measured)
    slowest = measured[1]
    after = ""
    pages = client.get(REVIEW)
    for _page in range(199):
        after = str(pages.context["next"]) if pages.context else next_of(pages.content.decode())
        pages = client.get(f"{REVIEW}?{urlencode({'after': after})}")
    measured = measure(client, f"{REVIEW}?{urlencode({'after': after})}")
    report(f"{have:,} pending, page 200", measured)
    if asked.profile:
        profile = cProfile.Profile()
        profile.runcall(lambda: [client.get(REVIEW) for _run in range(20)])
        pstats.Stats(profile).sort_stats("tottime").print_stats(30)
    return int(slowest > LIMIT_MS or len(counted) > 1)


def next_of(page: str) -> str:
    """The cursor of the "Next page" link: without the test runner a client keeps no template context."""
    import html
    import re
    from urllib.parse import parse_qs

    found = re.search(r'<a rel="next" href="\?([^"]+)"', page)
    return parse_qs(html.unescape(found.group(1)))["after"][0] if found else ""


if __name__ == "__main__":
    sys.exit(main())
