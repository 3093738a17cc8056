"""Does what Hikae serves come back as something new? (issue "Self-feeding", lessons row 2)

    python benchmarks/selffeed.py [--rounds 20]

Over REST on the running product: a conversation is sent, its candidates are approved by the services in the same
database, then each round recalls, answers with a quotation of the memory and sends that as the next turn. Prints how
many candidates and sightings the rounds added; exits 1 when that is not none.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import product

SAID = {
    "en": "We use pnpm here, not npm, because the lockfiles keep clashing.",
    "ja": "本番環境への反映は、必ずステージングで確認してから行うこと。",
}
ASKED = {"en": "Do we install with pnpm or with npm?", "ja": "本番環境への反映はステージングで確認する？"}
SHAPES = [
    "{}",
    "As you told me before: “{}”",
    "Noted.\n\n> {}\n\nI will follow it.",
    "Understood. {} Now let us look at the next file.",
    "1. {}",
]
YES = ["yes, do that", "うん、それで", "OK, remember that.", "ありがとう"]
APPROVE = """
from django.contrib.auth.models import User
from django.utils import timezone
from memory.models import Candidate
from memory.services.gate import candidate_approve
for candidate in Candidate.objects.filter(status="pending"):
    candidate_approve(candidate_id=candidate.pk, version=candidate.version,
                      user=User.objects.get(username="owner"), now=timezone.now())
"""


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--rounds", type=int, default=20)
    options = arguments.parse_args()
    added = []
    with product.running() as hikae:
        for language in SAID:
            _teach(hikae, language)
        _approve(hikae)
        approved = _ledger(hikae)
        for language in SAID:
            before = _ledger(hikae)
            recalled = sum(_round(hikae, language, number) for number in range(options.rounds))
            assert hikae.wait_until_scanned(f"feed-{language}", seconds=300) is not None
            after = _ledger(hikae)
            added.append((language, recalled, after[0] - before[0], after[1] - before[1]))
    print(f"machine  {product.machine()}")
    print(f"memories approved from the conversation: {approved[0]}")
    print("language  rounds  recalled  new candidates  new sightings")
    for language, recalled, candidates, sightings in added:
        print(f"{language:>8}  {options.rounds:>6}  {recalled:>8}  {candidates:>14}  {sightings:>13}")
    raise SystemExit(any(c or s or r < options.rounds for _language, r, c, s in added))


def _teach(hikae: product.Hikae, language: str) -> None:
    session = f"teach-{language}-1"
    _call(hikae, "POST", "sessions/", {"key": session, "workspace": {"name": "shop"}})
    _turn(hikae, session, "t1", [("user", SAID[language]), ("assistant", "Understood.")])
    assert hikae.wait_until_scanned(f"teach-{language}", seconds=120) is not None


def _round(hikae: product.Hikae, language: str, number: int) -> int:
    session = f"feed-{language}-1"
    if number == 0:
        _call(hikae, "POST", "sessions/", {"key": session, "workspace": {"name": "shop"}})
    hits = _call(hikae, "POST", "recall/", {"q": ASKED[language], "session": session})["hits"]
    quoted = [SHAPES[number % len(SHAPES)].format(hit["content"]) for hit in hits]
    messages = [
        ("user", ASKED[language]),
        ("tool", json.dumps(hits, ensure_ascii=False)),
        *(("assistant", text) for text in quoted),
        ("user", YES[number % len(YES)]),
        *(("user", text) for text in quoted),
    ]
    _turn(hikae, session, f"t{number}", messages)
    return int(any(hit["content"] == SAID[language] for hit in hits))


def _turn(hikae: product.Hikae, session: str, key: str, messages: list[tuple[str, str]]) -> None:
    body = [{"role": role, "text": text} for role, text in messages]
    _call(hikae, "POST", "turns/", {"session": session, "key": key, "messages": body})


def _call(hikae: product.Hikae, method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
    import httpx2

    with httpx2.Client(base_url=hikae.address, headers=hikae.headers, timeout=30) as http:
        response = http.request(method, f"/api/v1/{path}", json=body)
    response.raise_for_status()
    answer: dict[str, Any] = response.json()
    return answer


def _approve(hikae: product.Hikae) -> None:
    """As a person does in the browser: by the same service, in a process beside the product."""
    environment = {**os.environ, "HIKAE_DATA": str(hikae.data)}
    subprocess.run(
        [sys.executable, "manage.py", "shell", "-c", APPROVE],
        cwd=product.ROOT,
        env=environment,
        check=True,
        stdout=subprocess.DEVNULL,
    )


def _ledger(hikae: product.Hikae) -> tuple[int, int]:
    row = hikae.query(
        "SELECT (SELECT count(*) FROM memory_candidate), (SELECT count(*) FROM memory_sighting)"
    )[0]
    return row[0], row[1]


if __name__ == "__main__":
    main()
