"""What went wrong, counted, so that it can be said once and honestly: never a text of a conversation, never the key."""

from __future__ import annotations

import os
import time

from hikae_hook import places

SAYS = {
    "lost": "events not kept, because the spool is full or cannot be written: {n}",
    "later": "parts of transcripts that wait for room in the spool: {n}",
    "damaged": "damaged files of the spool, put aside in ~/.hikae/damaged: {n}",
    "refused": "events that the server refused, put aside in ~/.hikae/refused: {n}",
    "unsafe_key": "the key file can be read by others; run: chmod 600 ~/.hikae/key",
    "no_key": "there is no key yet; make one in Hikae (Settings, Agent keys) and put it into ~/.hikae/key (mode 600)",
    "key": "the server does not accept the key (it was revoked, has expired, or is another server's)",
    "server": "this server does not know the plugin: update the server",
    "answer": "the server answers with something that is no answer of Hikae: check the address",
    "mistake": "mistakes of the plugin (please report them): {n}",
}
_TEMPORARY = ("unsafe_key", "no_key", "key", "server", "answer")


def note(kind: str, detail: str = "") -> None:
    """Count one. Where nothing can be written nothing is counted: there is nobody left to tell."""
    try:
        path = os.path.join(places.home(), "trouble.json")
        known = places.read_json(path)
        was = known.get(kind)
        found = was if isinstance(was, dict) else {}
        count, told = _number(found.get("n")), _number(found.get("told"))
        known[kind] = {"n": count + 1, "told": told, "at": int(time.time()), "last": detail[:80]}
        places.write_json(path, known)
    except OSError:
        pass


def clear(*kinds: str) -> None:
    """It works again."""
    path = os.path.join(places.home(), "trouble.json")
    known = places.read_json(path)
    if any(kind in known for kind in kinds):
        try:
            places.write_json(path, {kind: value for kind, value in known.items() if kind not in kinds})
        except OSError:
            pass


def news(mark: bool = True) -> list[str]:
    """A sentence for each kind with something that was not said yet; ``mark``: it is said now."""
    path = os.path.join(places.home(), "trouble.json")
    known = places.read_json(path)
    said = []
    for kind, sentence in SAYS.items():
        found = known.get(kind)
        if not isinstance(found, dict):
            continue
        fresh = _number(found.get("n")) - (_number(found.get("told")) if mark else 0)
        if fresh > 0:
            said.append(sentence.format(n=fresh))
            found["told"] = _number(found.get("n"))
    if said and mark:
        try:
            places.write_json(path, {kind: known[kind] for kind in known if kind not in _TEMPORARY})
        except OSError:
            pass
    return said


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
