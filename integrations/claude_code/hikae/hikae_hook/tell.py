"""What a person or the agent asks the program itself: `status`, `recall`, `import`; and `headers` for the MCP entry."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from hikae_hook import VERSION, net, places, trouble

SECONDS = 8.0


def tell(command: str, words: list[str]) -> None:
    """Prints; ends with 0 when it could do what was asked, else with 1 and a sentence that says why."""
    does = {"status": _status, "recall": _recall, "import": _import, "headers": _headers}.get(command)
    if does is None:
        sys.exit("hook.py event | flush | status | recall TEXT | import | headers")
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)  # a Windows console may not speak UTF-8 by itself
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")
    does(words)


def _status(words: list[str]) -> None:
    from hikae_hook import spool, where

    place = where.place_of(os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd())
    print(f"Hikae plugin {VERSION} · {places.url()}")
    print(
        "workspace: {}".format(
            place.workspace["name"] if place.workspace else "none (this is no project folder)"
        )
    )
    try:
        me = _ask("GET", "/api/v1/me/")
    except Trouble as problem:
        print(f"server: {problem}")
    else:
        print(
            "server: answers; key “{}” of {}, may {}".format(me["key"], me["user"], ", ".join(me["scopes"]))
        )
        if not me.get("speaks_for_person"):
            print(
                "note: this key does not speak for its person, so nothing you type becomes a proposal by itself"
            )
    count, total = spool.size()
    print("spool: {}".format(f"{count} events wait ({total:,} bytes)" if count else "nothing waits"))
    for sentence in trouble.news(mark=False):
        print(f"note: {sentence}")
    if places.url().startswith("http://") and net.parts(places.url())[1] not in (
        "127.0.0.1",
        "localhost",
        "::1",
    ):
        print("note: this address is neither local nor https, so the key travels in the open")


def _recall(words: list[str]) -> None:
    from hikae_hook.clean import text

    question = " ".join(words).strip()
    if not question:
        sys.exit("Say what you want to know: recall TEXT")
    try:
        answer = _ask("POST", "/api/v1/recall/", {"q": text(question), "k": 8})
    except Trouble as problem:
        sys.exit(f"Hikae: {problem}")
    if not answer["hits"]:
        print("Nothing that was approved fits this.")
    for hit in answer["hits"]:
        print("- {content}\n  [{kind}, {namespace}, {valid_from:.10}, memory {id}]".format(**hit))


def _import(words: list[str]) -> None:
    """Only names what is there: an import is a person's act, in the browser, with a plan shown first."""
    root = os.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(os.path.expanduser("~"), ".claude")
    here = os.path.realpath(words[0] if words else os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd())
    folder = os.path.join(root, "projects", "".join(c if c.isascii() and c.isalnum() else "-" for c in here))
    talks = _files(folder, ".jsonl")
    notes = _files(os.path.join(folder, "memory"), ".md")
    notes += [path for name in ("CLAUDE.md", "AGENTS.md") if os.path.isfile(path := os.path.join(here, name))]
    notes += _files(here, ".aider.chat.history.md")
    _list("Conversations of this project", talks, "/settings/memory/sessions/import/")
    _list("Memories, rules and histories in files", notes, "/settings/memory/settings/data/bring/")
    if not talks and not notes:
        print("There is nothing here that Hikae could import.")
        print(
            f"Memories of other tools, from wherever they are: {places.url()}/settings/memory/settings/data/bring/"
        )


def _list(what: str, paths: list[str], page: str) -> None:
    """Each kind has its page: conversations are read again, what was written down already is taken as it is."""
    if not paths:
        return
    print(f"{what}:")
    for path in paths:
        print(f"{os.path.getsize(path):>12,} bytes  {path}")
    print(f"Import them in the browser, where you see a plan before anything is stored: {places.url()}{page}")


def _headers(words: list[str]) -> None:
    """For the MCP entry: the client asks for them, so that no file of the project holds the key."""
    try:
        key = places.key()
    except places.Unsafe as problem:
        sys.exit(f"Hikae: others can read {problem}; run chmod 600 on it")
    print(json.dumps({"Authorization": f"Bearer {key}"} if key else {}))


class Trouble(Exception):
    """A sentence for people."""


def _ask(method: str, path: str, body: Any = None) -> dict[str, Any]:
    try:
        key = places.key()
    except places.Unsafe as problem:
        raise Trouble(f"others can read {problem}; run chmod 600 on it") from problem
    if not key:
        raise Trouble(trouble.SAYS["no_key"])
    try:
        reply = net.request(method, places.url() + path, key, body, SECONDS)
    except net.Failed as error:
        raise Trouble(f"no answer from {places.url()} ({error})") from error
    if reply.status == 200 and isinstance(reply.body, dict):
        return reply.body
    said = reply.body.get("error") if isinstance(reply.body, dict) else None
    message = said.get("message") if isinstance(said, dict) else None
    raise Trouble(message or f"status {reply.status}")


def _files(folder: str, end: str) -> list[str]:
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(end))
    except OSError:
        return []
    return [path for name in names if os.path.isfile(path := os.path.join(folder, name))]
