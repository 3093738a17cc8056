"""Do tasks find their note by its description alone? (issue "Knowledge": in the top 3 in >= 90 %)

    python -m benchmarks.discovery [--misses]

Two shelves, each asked two sets of task sentences in both languages, with words alone and with each embedding model:

- ``drafted``: throw-away servers live the two weeks of ``tests/knowledge/fortnight.py``, one night without a model
  drafts its notes, which are accepted and stand among ten notes about other things.
- ``written``: sixteen notes as people wrote them.

``tasks`` were written with the shelf; ``stranger`` later, short and colloquial, in other words than the descriptions.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import stack

SETS = {
    "drafted": {"tasks": "night_tasks.jsonl", "stranger": "stranger_night_tasks.jsonl"},
    "written": {"tasks": "tasks.jsonl", "stranger": "stranger_tasks.jsonl"},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--misses", action="store_true", help="print every task that finds its note too late")
    misses = parser.parse_args().misses
    stack.start()
    from core.embed.local import e5_is_installed
    from core.models import Namespace
    from knowledge.models import Proposal
    from knowledge.services.night.notes import Notes
    from knowledge.services.proposals import proposal_accept
    from knowledge.services.vectors import notes_fill_due
    from tests import build
    from tests.knowledge.fortnight import chose, lived
    from tests.knowledge.make import knowledge
    from tests.knowledge.nights import night
    from tests.knowledge.tasking import placed, rivals, rows
    from tests.memory.recalling import model

    weeks = lived()
    chose(weeks)
    run = night(weeks.home, weeks.night, (Notes(),))
    for each in list(Proposal.objects.filter(kind="create", state="open")):
        proposal_accept(proposal_id=each.pk, version=each.version, user=weeks.user, now=weeks.night)
    others = rivals(weeks.home, weeks.user)
    writer = build.person("writer")
    shelf = build.workspace(writer, "written")
    for row in rows("notes.jsonl"):
        knowledge(shelf, writer, row["slug"], title=row["title"], description=row["description"])
    shelves: dict[str, Namespace] = {"drafted": weeks.home, "written": shelf}
    print(f"drafted: {run.proposed} notes and {others} others; written: 16 notes; {stack.machine()}")
    for name in ("none", "use", *(["e5"] if e5_is_installed() else [])):
        with model(name):
            notes_fill_due()
            for label, home in shelves.items():
                for kind, file in SETS[label].items():
                    asked = rows(file)
                    places = placed(home, asked)
                    for lang in ("en", "ja"):
                        tasks = [each["task"] for each in asked if each["task"].isascii() == (lang == "en")]
                        first = sum(places[task] == 1 for task in tasks)
                        third = sum((places[task] or 99) <= 3 for task in tasks)
                        print(
                            f"{name:5} {label:8} {kind:9} {lang} first {first:2}, in the first three {third:2}"
                            f" of {len(tasks)} ({100 * third / len(tasks):.0f} %)"
                        )
                        for task in tasks if misses else ():
                            if (places[task] or 99) > 3:
                                print(f"      missed (place {places[task]}): {task}")


if __name__ == "__main__":
    main()
