"""A reviewer clears 100 candidates with the keyboard alone, at human pace, in Chromium on the whole product.

    .venv/bin/python benchmarks/review_keys.py [--rows 100] [--thinking 1.0] [--language ja]

Starts the product as a person would (``bin/up``) on a fresh folder, lets candidates wait in both languages and all six
kinds, and presses keys: approve, reject, later; a second press where the page asks for one. Prints the time for all of
it; by the browser's clock, from approve to the next row in focus (issue "The review page": p95 at most 150 ms); and to
the answer that the act is stored, for which nobody waits. Exits with 1 when the bar is missed, when the whole takes
five minutes or more, or when an act met another row.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from playwright.sync_api import Playwright, sync_playwright

from benchmarks import product
from benchmarks.queue_page import REVIEW, fill
from benchmarks.reviewer import OUTCOMES, Reviewer, p95

KEYS = "aaraaasara"
LIMIT_MS, LIMIT_SECONDS = 150, 300


def _django(hikae: product.Hikae) -> None:
    """This process beside the product: same database, same secret, so that a session made here is valid there."""
    from config.embedded import locate

    urls = locate.urls(hikae.data)
    os.environ.update(HIKAE_DATA=str(hikae.data), DATABASE_URL=urls.database)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Playwright's loop runs in this thread
    import django

    django.setup()


def _prepare(rows: int) -> str:
    """Candidates for the owner; returns a session's key."""
    from django.contrib.auth.models import User
    from django.test import Client
    from django.utils import timezone

    from core.services.namespaces import persona_default

    owner, now = User.objects.get(is_superuser=True), timezone.now()
    fill(persona_default(user=owner, now=now), 0, rows, now=now)
    client = Client()
    client.force_login(owner)
    return client.cookies["sessionid"].value


def _strays(decided: dict[str, str]) -> int:
    """How many acts are not what the database holds for the row that was in hand."""
    from memory.models import Candidate

    found = {str(row.pk): row for row in Candidate.objects.filter(pk__in=list(decided))}
    return sum(
        found[pk].status != OUTCOMES[key] or (key == "s") is not bool(found[pk].set_aside_until)
        for pk, key in decided.items()
    )


def _review(
    playwright: Playwright, hikae: product.Hikae, session: str, asked: argparse.Namespace
) -> Reviewer:
    browser = playwright.chromium.launch(
        executable_path=asked.chromium, args=["--no-sandbox", "--disable-gpu"]
    )
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, locale={"en": "en-GB", "ja": "ja-JP"}[asked.language]
    )
    context.add_cookies([{"name": "sessionid", "value": session, "url": hikae.address}])
    page = context.new_page()
    page.goto(hikae.address + REVIEW)
    reviewer = Reviewer(page, asked.thinking)
    reviewer.begin()
    reviewer.clear(KEYS, most=asked.rows)
    return reviewer


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--thinking", type=float, default=1.0, help="seconds before each press")
    parser.add_argument("--language", choices=["en", "ja"], default="en")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    asked = parser.parse_args()
    with product.running() as hikae:
        _django(hikae)
        session = _prepare(asked.rows)
        with sync_playwright() as playwright:
            start = time.monotonic()
            reviewer = _review(playwright, hikae, session, asked)
            seconds, took, stored = time.monotonic() - start, reviewer.took(), reviewer.stored()
            strays = _strays(reviewer.decided)
    print(f"machine: {product.machine()}, load {os.getloadavg()[0]:.1f}\n")
    print(
        "| candidates | language | presses | thinking | whole | next row: median | p95 | slowest | "
        "stored: median | p95 | acts on another row |"
    )
    print("| --- " * 11 + "|")
    print(
        f"| {len(reviewer.decided)} | {asked.language} | {reviewer.presses} | {asked.thinking:g} s | {seconds:.0f} s | "
        f"{statistics.median(took):.0f} ms | {p95(took):.0f} ms (bar {LIMIT_MS}) | {max(took):.0f} ms | "
        f"{statistics.median(stored):.0f} ms | {p95(stored):.0f} ms | {strays} |"
    )
    missed = strays or p95(took) > LIMIT_MS or seconds >= LIMIT_SECONDS or len(reviewer.decided) != asked.rows
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
