"""How long it takes to take a namespace along and to bring it back, byte for byte.

    .venv/bin/python benchmarks/archive.py [--memories 10000] [--candidates 1000]

Memories are loaded as an operator does, each is then edited (two history rows), every tenth superseded; candidates with
evidence and tombstones come beside them. Exports, wipes, imports and exports again; both archives must be equal.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import stack

WORDS = ["deploy", "cache", "queue", "billing", "search", "staging", "rollback", "token", "worker", "index"]
WORDS += ["認証", "承認", "決済", "障害", "公開", "検索"]


def text(number: int) -> str:
    picked = [WORDS[(number * step + step) % len(WORDS)] for step in (1, 3, 5, 7)]
    team = number % 97
    return (
        f"Rule {number}: the {picked[0]} of team {team} needs {picked[1]} before {picked[2]} ({picked[3]})."
    )


def fill(memories: int, candidates: int) -> tuple[object, object]:
    from django.contrib.auth.models import User
    from django.utils import timezone

    from core.actor import Actor
    from core.services.namespaces import namespace_create, persona_default
    from memory.inputs import Proposed
    from memory.models import Memory
    from memory.services.candidates import candidate_propose
    from memory.services.gate import candidate_reject
    from memory.services.loading import memories_load

    now = timezone.now()
    owner = User.objects.create_user("owner")
    persona_default(user=owner, now=now)
    home = namespace_create(owner=owner, type="workspace", name="api", actor=Actor.person(owner), now=now)
    lines = (
        json.dumps({"external_id": f"m{n}", "namespace": "workspace:api", "kind": "fact", "content": text(n)})
        for n in range(memories)
    )
    report = memories_load(user=owner, lines=lines, actor=Actor.operator("benchmark"), now=now)
    assert report.created == memories, report.problems[:3]
    rows = Memory.objects.filter(namespace=home)
    rows.update(version=2, aliases=["rule"])  # the triggers write a history row each
    newest = rows.latest("pk")
    rows.filter(external_id__endswith="7").exclude(pk=newest.pk).update(
        status="superseded", superseded_by=newest, valid_to=now, version=3
    )
    for number in range(candidates):
        made = candidate_propose(
            proposal=Proposed(
                namespace=home,
                kind="decision",
                content=f"Decision {number}: {text(memories + number)}",
                source="remember",
                trust="agent",
            ),
            now=now,
        ).candidate
        if made is not None and number % 3 == 0:
            candidate_reject(candidate_id=made.pk, version=1, user=owner, now=now)
    return owner, home


def wipe(home: object) -> None:
    from knowledge.services.rehousing import knowledge_erase
    from memory.services.erasing import namespace_erase

    knowledge_erase(namespace=home)  # type: ignore[arg-type]
    namespace_erase(namespace=home)  # type: ignore[arg-type]
    home.delete()  # type: ignore[attr-defined]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--candidates", type=int, default=1_000)
    given = parser.parse_args()
    stack.start()
    from django.utils import timezone

    from core.actor import Actor
    from core.models import Namespace
    from integrations.services.archive_export import archive_export
    from integrations.services.archive_restore import archive_restore

    owner, home = fill(given.memories, given.candidates)
    print(f"{stack.machine()}, load {os.getloadavg()[0]:.1f}")

    def export(space: object) -> tuple[bytes, float, dict[str, int]]:
        target, begun = io.BytesIO(), time.perf_counter()
        made = archive_export(
            namespace_id=space.pk,  # type: ignore[attr-defined]
            user=owner,  # type: ignore[arg-type]
            target=target,
            actor=Actor.operator("benchmark"),
            now=timezone.now(),
        )
        return target.getvalue(), time.perf_counter() - begun, made.counts

    first, out, counts = export(home)
    wipe(home)
    begun = time.perf_counter()
    archive_restore(
        user=owner,  # type: ignore[arg-type]
        source=io.BytesIO(first),
        actor=Actor.operator("benchmark"),
        now=timezone.now(),
    )
    back = time.perf_counter() - begun
    second, again, _counts = export(Namespace.objects.get(name="api"))
    held = {name: count for name, count in counts.items() if count}
    print(f"records: {held}, archive {len(first) / 1e6:.1f} MB")
    print(
        f"export {out:.1f} s, import {back:.1f} s, export again {again:.1f} s: {out + back + again:.1f} s together"
    )
    print(f"byte-equal: {first == second}")
    raise SystemExit(0 if first == second else 1)


if __name__ == "__main__":
    main()
