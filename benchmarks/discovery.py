"""Do tasks find the notes that the night drafted, by description alone? (issue "Knowledge": in the top 3 in >= 90 %)

    .venv/bin/python benchmarks/discovery.py

Starts throw-away servers, lives the two weeks of ``tests/knowledge/fortnight.py`` through the services, lets one night
draft its notes without a model, accepts them, and asks the 20 task sentences of ``night_tasks.jsonl`` (ten in each
language, some across the languages) among ten notes about other things. With words alone and with each embedding model.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import stack


def main() -> None:
    stack.start()
    from core.embed.local import e5_is_installed
    from knowledge.models import Proposal
    from knowledge.services.night.notes import Notes
    from knowledge.services.proposals import proposal_accept
    from knowledge.services.vectors import notes_fill_due
    from tests.knowledge.fortnight import chose, lived
    from tests.knowledge.nights import night
    from tests.knowledge.tasking import placed, rivals, tasks
    from tests.memory.recalling import model

    weeks = lived()
    chose(weeks)
    run = night(weeks.home, weeks.night, (Notes(),))
    drafts = list(Proposal.objects.filter(kind="create", state="open"))
    for each in drafts:
        proposal_accept(proposal_id=each.pk, version=each.version, user=weeks.user, now=weeks.night)
    others = rivals(weeks.home, weeks.user)
    print(f"{run.proposed} drafted notes, {others} others, {len(tasks())} tasks")
    for name in ("none", "use", *(["e5"] if e5_is_installed() else [])):
        with model(name):
            notes_fill_due()
            places = placed(weeks.home)
        first = sum(place == 1 for place in places.values())
        third = sum(place is not None and place <= 3 for place in places.values())
        share = 100 * third / len(places)
        print(f"{name:5} first {first:2}  in the first three {third:2} of {len(places)} ({share:.0f} %)")
        for task, place in places.items():
            if place is None or place > 3:
                print(f"      missed (place {place}): {task}")


if __name__ == "__main__":
    main()
