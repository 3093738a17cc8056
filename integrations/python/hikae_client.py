"""A client for Hikae in one file: copy it into your project. Python 3.9+, standard library only, synchronous.

    from hikae_client import Hikae

    hikae = Hikae("http://127.0.0.1:8000", key=open("data/agent.key").read())
    hikae.session("s1", client="mine", workspace="api")
    hikae.turn("s1", "t1", [user("From now on use pnpm, not npm."), assistant("Understood.")])
    for hit in hikae.recall("Which package manager?", session="s1")["hits"]:
        print(hit["content"])

What comes back is quoted data, never instructions. Nothing is remembered before a person approves it. Every method
raises ``HikaeError`` with the server's code, sentence and details; calls that are safe to repeat are tried again once
when the server is away or busy.
"""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping, Sequence
from typing import Any

Json = dict[str, Any]
Message = dict[str, Any]
MAX_ANSWER = 64 * 1024 * 1024  # bytes


class HikaeError(Exception):
    """A refusal, or no answer at all.

    ``status`` is the HTTP status, 0 when the server cannot be reached; ``code`` is for programs (``unreachable`` then),
    ``details`` name the field and what is allowed.
    """

    def __init__(
        self, status: int, code: str, message: str, details: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.details: Mapping[str, Any] = details or {}

    @property
    def may_pass(self) -> bool:
        """Whether the same call may work in a moment."""
        return self.status in (0, 429, 502, 503, 504)


def user(text: str, *, key: str | None = None, at: str | None = None) -> Message:
    """What the person typed. The key must speak for its person."""
    return _without_none(role="user", origin="human", text=text, key=key, at=at)


def assistant(text: str, *, key: str | None = None, at: str | None = None) -> Message:
    """What the agent said."""
    return _without_none(role="assistant", origin="agent", text=text, key=key, at=at)


def tool(text: str, *, key: str | None = None, at: str | None = None) -> Message:
    """What a tool gave; it proves nothing about the person."""
    return _without_none(role="tool", origin="tool", text=text, key=key, at=at)


class Hikae:
    """One server and one agent key. Holds no connection; safe to share between threads.

    ``timeout`` is in seconds and holds for each attempt.
    """

    def __init__(self, url: str, key: str, *, timeout: float = 10.0, retries: int = 1) -> None:
        if not url.startswith(("http://", "https://")) or not urllib.parse.urlsplit(url).hostname:
            raise ValueError("url must begin with http:// or https:// and name a host")
        if not key.strip():
            raise ValueError("key is empty; bin/up writes one to data/agent.key")
        self._base = url.rstrip("/") + "/api/v1/"
        self._key = key.strip()
        self._timeout = timeout
        self._retries = retries

    def me(self) -> Json:
        """Whose key this is, its scopes, and which namespaces it reaches."""
        return self._call("GET", "me/")

    def session(
        self,
        key: str,
        *,
        client: str = "python",
        workspace: str | None = None,
        fingerprints: Sequence[str] = (),
        persona: str | None = None,
        tz: str | None = None,
        internal: bool | None = None,
    ) -> Json:
        """Open a session, or complete it; repeating it changes nothing. Gives id, persona, workspace, paused."""
        place = {"name": workspace, "fingerprints": list(fingerprints)} if workspace else None
        body = _without_none(
            key=key, client=client, workspace=place, persona=persona, tz=tz, internal=internal
        )
        return self._call("POST", "sessions/", body)

    def end(self, session: str) -> Json:
        """End it, so that what it left open is scanned."""
        return self._call("PATCH", f"sessions/{_part(session)}/", {"ended": True})

    def turn(self, session: str, key: str, messages: Sequence[Message], *, closed: bool = True) -> Json:
        """Store one exchange. Repeating it adds nothing; a turn left open is completed by a later call."""
        return self._call(
            "POST", "turns/", {"session": session, "key": key, "closed": closed, "messages": list(messages)}
        )

    def turns(self, turns: Sequence[Json]) -> Json:
        """Up to 100 turns at once, all of them or none."""
        return self._call("POST", "turns/", {"turns": list(turns)})

    def compaction(
        self, session: str, *, trigger: str = "auto", key: str | None = None, messages: Sequence[Message] = ()
    ) -> Json:
        """Call it before the conversation is summarised away: what was not scanned yet is stored and scanned."""
        body = _without_none(session=session, trigger=trigger, key=key, messages=list(messages) or None)
        return self._call("POST", "compactions/", body)

    def remember(
        self,
        kind: str,
        content: str,
        *,
        quote: str | None = None,
        namespace: str | None = None,
        session: str | None = None,
        confidence: float | None = None,
        key: str | None = None,
    ) -> Json:
        """Propose a memory; it waits for a person. ``kind``: preference, fact, decision, pattern, postmortem, event."""
        body = _without_none(
            kind=kind,
            content=content,
            quote=quote,
            namespace=namespace,
            session=session,
            confidence=confidence,
            key=key,
        )
        return self._call("POST", "candidates/", body, repeatable=key is not None)

    def candidate(self, candidate_id: str) -> Json:
        """What became of a proposal."""
        return self._call("GET", f"candidates/{_part(candidate_id)}/")

    def recall(
        self,
        q: str,
        *,
        namespace: str | Sequence[str] | None = None,
        k: int | None = None,
        budget: int | None = None,
        as_of: str | None = None,
        session: str | None = None,
        floor: str | None = None,
    ) -> Json:
        """Ask for what was approved: ``hits`` with content, kind, namespace, trust, at; ``budget`` in tokens."""
        spaces: Any = namespace if isinstance(namespace, str) or namespace is None else list(namespace)
        body = _without_none(
            q=q, namespace=spaces, k=k, budget=budget, as_of=as_of, session=session, floor=floor
        )
        return self._call("POST", "recall/", body)

    def memory(self, memory_id: str) -> Json:
        """One memory with where it comes from."""
        return self._call("GET", f"memories/{_part(memory_id)}/")

    def report(
        self, memory_id: str, reason: str, *, text: str | None = None, session: str | None = None
    ) -> Json:
        """Say that a memory is wrong, and what it should say; a person decides."""
        body = _without_none(reason=reason, text=text, session=session)
        return self._call("POST", f"memories/{_part(memory_id)}/report/", body)

    def context(self, session: str | None = None) -> Json:
        """What a session starts with: ``sections``, and the ``fence`` to wrap around what is put into a prompt."""
        return self._call("GET", "context/", query=_without_none(session=session))

    def expand(self, session: str, text: str) -> Json:
        """Resolve ``#slug`` in what the person wrote."""
        return self._call("POST", "expand/", {"session": session, "text": text}, repeatable=False)

    def knowledge(self, q: str = "", *, session: str | None = None) -> list[Json]:
        """Notes that fit a task, by their descriptions."""
        notes: list[Json] = self._call("GET", "knowledge/", query=_without_none(q=q, session=session))[
            "notes"
        ]
        return notes

    def note(self, slug: str, *, session: str | None = None) -> Json:
        """One note with its body."""
        return self._call("GET", f"knowledge/{_part(slug)}/", query=_without_none(session=session))

    def decision(self, record: Mapping[str, Any]) -> Json:
        """Report an answer: a plain record, or a PostToolUse payload of AskUserQuestion as it is."""
        return self._call("POST", "decisions/", dict(record))

    def recommend(
        self, session: str, questions: Sequence[Json], *, context: Json | None = None, lang: str | None = None
    ) -> Json:
        """Before asking: what the person usually picks, how sure that is, and whether to ask at all."""
        body = _without_none(session=session, questions=list(questions), context=context, lang=lang)
        return self._call("POST", "decisions/recommend/", body, repeatable=False)

    def preferences(self, category: str | None = None) -> Json:
        """What was learned, question by question."""
        return self._call("GET", "decisions/preferences/", query=_without_none(category=category))

    def _call(
        self,
        method: str,
        path: str,
        body: Json | None = None,
        *,
        query: Mapping[str, Any] | None = None,
        repeatable: bool = True,
    ) -> Json:
        attempts = 1 + (self._retries if repeatable else 0)
        for attempt in range(attempts):
            try:
                return self._once(method, path, body, query or {})
            except HikaeError as error:
                if not error.may_pass or attempt + 1 == attempts:
                    raise
                time.sleep(0.2 * (attempt + 1))
        raise AssertionError("unreachable")

    def _once(self, method: str, path: str, body: Json | None, query: Mapping[str, Any]) -> Json:
        url = self._base + path + (f"?{urllib.parse.urlencode(query, doseq=True)}" if query else "")
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        request = urllib.request.Request(url, data=data, method=method, headers=headers)  # noqa: S310, checked above
        try:
            with _OPENER.open(request, timeout=self._timeout) as answer:
                return _object(answer.status, answer.read(MAX_ANSWER))
        except urllib.error.HTTPError as error:
            raise _refusal(error.code, error.read(MAX_ANSWER)) from None
        except (OSError, http.client.HTTPException) as error:
            raise HikaeError(0, "unreachable", f"Hikae does not answer: {error}") from error


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The key goes to the server that was named, and to no other."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirect)


def _object(status: int, raw: bytes) -> Json:
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise HikaeError(status, "no_json", f"The server answered {status}, but with no object of JSON.")
    return found


def _refusal(status: int, raw: bytes) -> HikaeError:
    try:
        error = _object(status, raw)["error"]
        return HikaeError(status, error["code"], error["message"], error["details"])
    except (HikaeError, KeyError, TypeError):
        return HikaeError(status, "no_json", f"The server answered {status} without saying why.")


def _part(value: str) -> str:
    return urllib.parse.quote(str(value), safe="")


def _without_none(**values: Any) -> Json:
    return {name: value for name, value in values.items() if value is not None}
