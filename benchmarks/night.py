"""How a night grows: `python -m benchmarks.night [--sizes 2500,5000,10000,20000] [--model none]`.

Approved memories of one workspace in English and Japanese: some sixty services with some forty kinds of facts about
each, one in fifteen said twice in other words, one in thirty corrected later. Each size is a first night over
everything (all stages, no language model), then fifty new memories and a second night, then a third with nothing new.

Peak memory is that of the process that runs the night, which starts with the texts in the database and the vectors
filled. The agreement: 120 s and 1 GiB at 20,000 on two cores, growth no faster than n·log n, nothing new proposes
nothing. Exit 1 where one is missed.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import stack

SECONDS, MEBIBYTES = 120.0, 1024
NOW = datetime(2026, 3, 1, 3, tzinfo=UTC)
# What doubling may cost beyond n·log n: noise of a busy machine.
TOLERANCE = 1.25


def _words(text: str) -> list[str]:
    return text.split()


SERVICES = _words(
    """
    billing checkout search catalog inventory shipping returns payments invoicing ledger pricing promotions coupons
    loyalty accounts login sessions profiles permissions audit notifications mailer webhooks scheduler importer
    exporter reports dashboards metrics tracing logging gateway proxy cdn uploads thumbnails video chat comments
    moderation recommendations ranking crawler indexer translations glossary documents signatures contracts payroll
    timesheets bookings calendar maps routing fleet sensors firmware telemetry alerts oncall
    """
)
ENGLISH = (
    (
        "The {s} service listens on port {n}.",
        "Port {n} is where the {s} service listens.",
        "The {s} service listens on port {m} now, not on {n}.",
    ),
    (
        "Logs of the {s} service are kept for {d} days.",
        "The {s} service keeps its logs for {d} days.",
        "Logs of the {s} service are kept for {e} days instead of {d}.",
    ),
    (
        "The {s} service times out after {d} seconds.",
        "After {d} seconds the {s} service times out.",
        "The timeout of the {s} service was raised to {e} seconds.",
    ),
    (
        "{p} reviews changes of the {s} service.",
        "Changes of the {s} service are reviewed by {p}.",
        "{q} reviews changes of the {s} service now; {p} left the team.",
    ),
    (
        "The {s} service stores its data in {db}.",
        "Data of the {s} service is stored in {db}.",
        "The {s} service has moved from {db} to {dc}.",
    ),
    (
        "Deploys of the {s} service happen on {w}.",
        "The {s} service is deployed on {w}.",
        "Deploys of the {s} service happen on {v} instead of {w}.",
    ),
    (
        "Retry failed calls of the {s} service {k} times.",
        "Failed calls of the {s} service are retried {k} times.",
        "Failed calls of the {s} service are retried only {j} times now.",
    ),
    (
        "Tests of the {s} service need {db}.",
        "{db} is needed for the tests of the {s} service.",
        "Tests of the {s} service no longer need {db}.",
    ),
    (
        "The {s} service needs {d} GB of memory.",
        "{d} GB of memory are needed by the {s} service.",
        "The {s} service needs {e} GB of memory since the move.",
    ),
    (
        "Never restart the {s} service on {w}.",
        "Do not restart the {s} service on {w}.",
        "Restarting the {s} service on {w} is fine now.",
    ),
    (
        "The {s} service caches answers for {d} minutes.",
        "Answers of the {s} service are cached for {d} minutes.",
        "Answers of the {s} service are cached for {e} minutes now.",
    ),
    (
        "Alerts of the {s} service go to {p}.",
        "{p} gets the alerts of the {s} service.",
        "Alerts of the {s} service go to {q} now, not to {p}.",
    ),
)
JAPANESE = (
    (
        "{s}サービスはポート{n}で待ち受ける。",
        "{s}サービスのポートは{n}。",
        "{s}サービスのポートは{n}から{m}に変わった。",
    ),
    (
        "{s}サービスのログは{d}日間保存する。",
        "{s}サービスではログを{d}日間保存する。",
        "{s}サービスのログの保存は{d}日から{e}日に延びた。",
    ),
    (
        "{s}サービスの変更は{jp}さんがレビューする。",
        "{jp}さんが{s}サービスの変更をレビューする。",
        "{s}サービスの変更は今は{jq}さんがレビューする。",
    ),
    (
        "{s}サービスのデータは{db}に保存する。",
        "{s}サービスはデータを{db}に保存する。",
        "{s}サービスのデータは{db}から{dc}に移行した。",
    ),
    (
        "{s}サービスのデプロイは{jw}に行う。",
        "{s}サービスは{jw}にデプロイする。",
        "{s}サービスのデプロイは{jw}ではなく{jv}に行う。",
    ),
    (
        "{s}サービスの失敗した呼び出しは{k}回再送する。",
        "{s}サービスでは失敗した呼び出しを{k}回再送する。",
        "{s}サービスの再送は{k}回から{j}回に減らした。",
    ),
    (
        "{s}サービスは{d}分間キャッシュする。",
        "{s}サービスのキャッシュは{d}分間。",
        "{s}サービスのキャッシュは{d}分から{e}分に延長した。",
    ),
    (
        "{s}サービスのアラートは{jp}さんに送る。",
        "{jp}さんに{s}サービスのアラートを送る。",
        "{s}サービスのアラートは{jp}さんから{jq}さんに送り先が変わった。",
    ),
)
AREAS = _words(
    "Tokyo Osaka Berlin Paris Dublin Oslo Lima Quito Cairo Delhi Hanoi Perth Seoul Taipei Milan Porto Sofia"
)
PEOPLE = _words("Mika Daniel Priya Omar Hannah Lena Kofi Ines Jonas Yara Tomas Aiko Felix Nadia Ravi")
JP = _words("佐藤 鈴木 高橋 田中 伊藤 渡辺 山本 中村 小林 加藤")
DAYS = _words("Monday Tuesday Wednesday Thursday Friday")
JDAYS = _words("月曜 火曜 水曜 木曜 金曜")
DBS = _words("PostgreSQL MySQL SQLite MongoDB Cassandra DynamoDB")


def texts(size: int) -> Iterator[tuple[str, str, datetime]]:
    """(kind, text, when it was said): `size` of them, the same for every run."""
    draw = random.Random(11)  # the curve must be about one corpus
    base = list(product(AREAS, SERVICES, [*ENGLISH, *JAPANESE]))
    draw.shuffle(base)
    made, said = 0, NOW - timedelta(days=60)
    for area, service, forms in base:
        name = f"{area} {service}" if forms in ENGLISH else f"{area}の{service}"
        first, second = draw.sample(PEOPLE, 2)
        one, other = draw.sample(range(5), 2)
        jp, jq = draw.sample(JP, 2)
        db, dc = draw.sample(DBS, 2)
        low, high = sorted(draw.sample(range(2, 95), 2))
        few, many = sorted(draw.sample(range(2, 9), 2))
        values = {
            "s": name, "n": draw.randint(1024, 9999), "m": draw.randint(10_000, 20_000), "d": low, "e": high, "k": many,
            "j": few, "p": first, "q": second, "jp": jp, "jq": jq, "db": db, "dc": dc, "w": DAYS[one], "v": DAYS[other],
            "jw": JDAYS[one], "jv": JDAYS[other],
        }  # fmt: skip
        said += timedelta(minutes=3)
        forms_said = [forms[0]]
        if draw.random() < 1 / 15:
            forms_said.append(forms[1])
        elif draw.random() < 1 / 30:
            forms_said.append(forms[2])
        for number, form in enumerate(forms_said):
            if made == size:
                return
            made += 1
            yield "fact", form.format(**values), said + timedelta(days=10 * number)
    raise ValueError(f"the corpus has {made} texts")


def one(size: int, *, verbose: bool) -> dict[str, float]:
    """In a process of its own: load, then measure three nights."""
    from django.contrib.auth.models import User
    from django.db import connection

    from core.actor import Actor
    from core.models import Namespace
    from core.services.namespaces import namespace_create
    from knowledge.services.night.lease import night_open
    from knowledge.services.night.run import night_run
    from knowledge.services.night.stages import STAGES
    from memory.services.loading import memories_load

    user, _ = User.objects.get_or_create(username="bench")
    home = namespace_create(
        owner=user, type=Namespace.WORKSPACE, name=f"n{size}", actor=Actor.system(), now=NOW
    )
    rows = [
        json.dumps(
            {
                "external_id": f"m{i}",
                "namespace": str(home),
                "kind": kind,
                "content": text,
                "at": at.isoformat(),
            },
            ensure_ascii=False,
        )
        for i, (kind, text, at) in enumerate(texts(size + 50))
    ]

    def load(lines: list[str]) -> None:
        report = memories_load(user=user, lines=lines, actor=Actor.operator("bench"), now=NOW)
        if report.problems:
            raise RuntimeError(f"not loaded: {report.problems[:3]}")
        _fill()
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")

    def night(day: int) -> tuple[float, int]:
        start = time.monotonic()
        run = night_open(namespace=home, now=NOW + timedelta(days=day))
        state = night_run(run_id=run.pk, now=NOW + timedelta(days=day), stages=STAGES)
        run.refresh_from_db()
        if state != "done":
            raise RuntimeError(f"the night ended {state}: {run.error}")
        if verbose:
            lines = [f"{each['name']} {each['seconds']:.1f} s, {each['skipped']}" for each in run.stages]
            print("  " + "; ".join(lines), file=sys.stderr)
        return time.monotonic() - start, run.proposed

    load(rows[:size])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    first, proposed = night(1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    load(rows[size:])
    second, later = night(2)
    third, nothing = night(3)
    return {
        "size": size, "first": first, "proposed": proposed, "second": second, "later": later, "third": third,
        "nothing": nothing, "before": before, "peak": peak,
    }  # fmt: skip


def _fill() -> None:
    """Vectors come from another process, so that the model's memory is not the night's."""
    code = (
        "import django\ndjango.setup()\n"
        "from memory.services.vectors import fill_due\n"
        "while fill_due(limit=2000): pass"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", default="2500,5000,10000,20000")
    parser.add_argument("--model", default="use", help="EMBED_MODEL of the vectors: use, e5 or none")
    parser.add_argument("--stages", action="store_true", help="seconds and skips of each stage, on stderr")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        import django

        django.setup()
        print(json.dumps(one(options.one, verbose=options.stages)))
        return 0
    stack.start(EMBED_MODEL=options.model)
    print(f"{stack.machine()}, vectors: {options.model}")
    print(
        "memories  first night  per n·log n  proposed   +50 new  proposed  nothing new  proposed  memory, peak"
    )
    passed, rates = True, []
    for size in map(int, options.sizes.split(",")):
        done = subprocess.run(
            [sys.executable, __file__, "--one", str(size), *(["--stages"] if options.stages else [])],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        got = json.loads(done.stdout.splitlines()[-1])
        rates.append(got["first"] / (size * math.log(size)) * 1e6)
        nights = f"{got['first']:>9.1f} s  {rates[-1]:>8.1f} µs  {got['proposed']:>8}"
        later = f"{got['second']:>6.2f} s  {got['later']:>8}  {got['third']:>9.2f} s  {got['nothing']:>8}"
        print(f"{size:>8}  {nights}  {later}  {got['before']:>4.0f} → {got['peak']:.0f} MiB", flush=True)
        passed = passed and got["first"] <= SECONDS and got["peak"] <= MEBIBYTES and not got["nothing"]
    passed = passed and rates[-1] <= rates[0] * TOLERANCE
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
