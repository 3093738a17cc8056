"""The hook program by itself: whatever happens, it ends with 0, prints nothing that blocks, and loses nothing."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from integrations.simulate import FLAGS, PROGRAM, Client, Step
from tests.integrations.hooking import golden, talk

EVENTS = (
    "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "StopFailure",
    "PreCompact", "PostCompact", "SessionEnd",
)  # fmt: skip
ANSWERED = ("SessionStart", "UserPromptSubmit", "PreToolUse")
KEY = "hik_00000000_EXAMPLE"


@pytest.fixture
def client(tmp_path: Path) -> Client:
    return Client(tmp_path, "http://127.0.0.1:9", KEY)


@contextmanager
def serving(answer: Callable[[socket.socket, bytes], None]) -> Iterator[tuple[str, list[bytes]]]:
    """A server that does with each connection what ``answer`` says; gives its address and the requests it got."""
    listening = socket.create_server(("127.0.0.1", 0))
    seen: list[bytes] = []

    def take() -> None:
        while True:
            try:
                link, _peer = listening.accept()
            except OSError:
                return
            with link:
                try:
                    asked = received(link)
                    seen.append(asked)
                    answer(link, asked)
                except OSError:
                    continue

    thread = threading.Thread(target=take, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", seen
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join(10)


def received(link: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        some = link.recv(65_536)
        if not some:
            return data
        data += some
    head, _, body = data.partition(b"\r\n\r\n")
    length = next(
        int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")
    )
    while len(body) < length:
        body += link.recv(65_536)
    return head + b"\r\n\r\n" + body


def says(status: str, body: bytes) -> Callable[[socket.socket, bytes], None]:
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    )
    return lambda link, _asked: link.sendall(head + body)


def events_of(seen: list[bytes]) -> list[dict[str, Any]]:
    return [json.loads(asked.partition(b"\r\n\r\n")[2]) for asked in seen]


def drops(link: socket.socket) -> None:
    """An answer that never becomes whole, though something always comes."""
    for _ in range(15):
        time.sleep(0.2)
        link.sendall(b"H")


BLOCKING = b'{"decision": "block", "continue": false, "stopReason": "no", "hookSpecificOutput": {"x": 1}}'
ANSWERS: dict[str, Callable[[socket.socket, bytes], None]] = {
    "500": says("500 Internal Server Error", b"<h1>Server error</h1>"),
    "502 of a proxy": says("502 Bad Gateway", b""),
    "bad JSON": says("200 OK", b'{"hookSpecificOutput": '),
    "JSON that is no object": says("200 OK", b'["a"]'),
    "a page": says("200 OK", b"<html>Sign in to the network</html>"),
    "redirect": says("302 Found", b""),
    "no HTTP": lambda link, _asked: link.sendall(b"SSH-2.0-OpenSSH_9.6\r\n\r\n"),
    "cut short": lambda link, _asked: link.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{"),
    "a server before the hooks": says(
        "404 Not Found", b'{"error": {"code": "not_found", "message": "m", "details": {}}}'
    ),
    "hangs up": lambda link, _asked: None,
    "key refused": says(
        "401 Unauthorized", b'{"error": {"code": "key_revoked", "message": "m", "details": {}}}'
    ),
    "busy": says("503 Service Unavailable", b'{"error": {"code": "busy", "message": "m", "details": {}}}'),
    "never answers": lambda link, _asked: time.sleep(3),
    "drop by drop": lambda link, _asked: drops(link),
    "wants to block": says("200 OK", BLOCKING),
}


def full_disk() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def corrupt_spool(client: Client) -> None:
    for name in ("spool", "sessions"):
        (client.home / name).mkdir(parents=True)
    for number, junk in enumerate(
        [b"", b"{", b"[]", b'{"hikae": 1, "event": 2}', b"\xff\xfe", b"x" * 100_000]
    ):
        (client.home / "spool" / f"{number:020d}-junk.json").write_bytes(junk)
        (client.home / "sessions" / f"{number}.json").write_bytes(junk)
    (client.home / "trouble.json").write_bytes(b'{"lost": 7, "key": {"n": "x"}, ')


def spool_is_a_file(client: Client) -> None:
    client.home.mkdir(parents=True)
    (client.home / "spool").write_text("not a folder")


def clock_was_ahead(client: Client) -> None:
    """The machine's clock stood in the year 2100 for a while, and was set back."""
    (client.home / "spool").mkdir(parents=True)
    old = {"hikae": {"id": "f" * 32, "slice": []}, "event": golden("Stop.minimum")}
    (client.home / "spool" / f"{4_102_444_800 * 10**9:020d}-{'f' * 32}.json").write_text(json.dumps(old))
    (client.home / "pause.json").write_text('{"seconds": 10, "at": 4102444800}')
    (client.home / "flush.lock").write_bytes(b"")
    os.utime(client.home / "flush.lock", (4_102_444_800, 4_102_444_800))


STATES = {"spool corrupt": corrupt_spool, "spool is a file": spool_is_a_file, "clock jump": clock_was_ahead}


def allowed(printed: bytes, name: str) -> None:
    """Empty, or one JSON object with nothing in it that could stop or wake an agent."""
    if not printed:
        return
    assert name in ANSWERED
    answer = json.loads(printed)
    assert set(answer) <= {"hookSpecificOutput", "systemMessage"}


def run(client: Client, name: str, **more: Any) -> subprocess.CompletedProcess[bytes]:
    folder = client.root / "projects" / "shop"
    folder.mkdir(parents=True, exist_ok=True)
    return subprocess.run(
        [sys.executable, *FLAGS, str(PROGRAM), "event"],
        input=json.dumps({**golden(f"{name}.full"), "cwd": str(folder)}).encode(),
        capture_output=True,
        env=client.surroundings(folder),
        timeout=20,  # a hang; how long it takes is measured in benchmarks/hooks.py
        check=False,
        **more,
    )


class TestFailures:
    @pytest.mark.parametrize("name", EVENTS)
    @pytest.mark.parametrize("how", ANSWERS)
    def test_of_the_server(self, client: Client, name: str, how: str) -> None:
        with serving(ANSWERS[how]) as (url, _seen):
            client.url = url
            done = run(client, name)
        assert (done.returncode, done.stderr) == (0, b"")
        allowed(done.stdout, name)
        assert len(client.spooled()) == (0 if how == "wants to block" else 1)

    @pytest.mark.parametrize("name", EVENTS)
    @pytest.mark.parametrize(
        "url",
        [
            "http://127.0.0.1:9",  # refused
            "http://hikae.invalid:8000",  # no such name
            "http://192.0.2.1:8000",  # a black hole (RFC 5737)
            "https://127.0.0.1:9", "ftp://127.0.0.1", "http://", "nonsense", "http://user:pw@127.0.0.1:9", "http://[::1]:9",
        ],
    )  # fmt: skip
    def test_of_the_way_there(self, client: Client, name: str, url: str) -> None:
        client.url = url
        done = run(client, name)
        assert (done.returncode, done.stderr) == (0, b"")
        allowed(done.stdout, name)
        assert len(client.spooled()) == 1

    @pytest.mark.parametrize("name", EVENTS)
    @pytest.mark.parametrize("state", STATES)
    def test_of_what_lies_on_the_disk(self, client: Client, name: str, state: str) -> None:
        STATES[state](client)
        with serving(says("200 OK", b"{}")) as (url, seen):
            client.url = url
            done = run(client, name)
        assert (done.returncode, done.stderr) == (0, b"")
        allowed(done.stdout, name)
        sent = [each["event"]["hook_event_name"] for each in events_of(seen)]
        assert name in sent  # no event is lost for it

    @pytest.mark.parametrize("name", EVENTS)
    @pytest.mark.parametrize("is_up", [True, False])
    def test_of_a_full_disk(self, client: Client, name: str, is_up: bool) -> None:
        with serving(says("200 OK", b"{}")) as (url, seen):
            client.url = url if is_up else "http://127.0.0.1:9"
            done = run(client, name, preexec_fn=full_disk)
        assert (done.returncode, done.stderr) == (0, b"")
        allowed(done.stdout, name)
        assert len(seen) == is_up  # what cannot be written is handed over all the same

    @pytest.mark.parametrize(
        "raw",
        [b"", b"{", b"[]", b"null", b'{"hook_event_name": "Stop"}', b'{"hook_event_name": 1, "session_id": "s"}',
         b"\xff\xfe\x00", b"[" * 100_000, b'{"hook_event_name": "Stop", "session_id": "' + b"s" * 5_000 + b'"}'],
    )  # fmt: skip
    def test_of_what_the_client_sends(self, client: Client, raw: bytes) -> None:
        played = client.run(raw, name="?", folder=client.root)
        assert (played.code, played.answer) == (0, None)
        assert client.spooled() == []

    def test_of_a_client_that_never_closes_its_pipe(self, client: Client) -> None:
        process = subprocess.Popen(
            [sys.executable, *FLAGS, str(PROGRAM), "event"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env=client.surroundings(client.root),
        )  # fmt: skip
        try:
            assert process.wait(timeout=20) == 0
        finally:
            process.kill()
            process.communicate()

    def test_of_another_tools_question(self, client: Client) -> None:
        event = golden("PreToolUse.full") | {"tool_name": "mcp__other__ask"}
        client.fire(Step(event))
        assert client.spooled() == []


class TestSpool:
    def test_after_an_outage_it_is_handed_over_in_order_and_once(self, client: Client) -> None:
        lines = talk(("p1", "Use pnpm.", "Yes."), ("p2", "Use uv.", "Yes."))
        for number, (prompt, said) in enumerate([("p1", "Use pnpm."), ("p2", "Use uv.")]):
            client.fire(Step({**golden("UserPromptSubmit.full"), "prompt": said, "prompt_id": prompt}))
            stop = {
                **golden("Stop.full"),
                "prompt_id": prompt,
                "session_id": golden("Stop.full")["session_id"],
            }
            client.fire(Step(stop, lines[2 * number : 2 * number + 2]))
        assert len(client.spooled()) == 4
        time.sleep(2.1)  # what is younger its own program sends
        with serving(says("200 OK", b"{}")) as (url, seen):
            client.url = url
            client.flush()
            client.flush()
        sent = events_of(seen)
        assert [each["hikae"]["seq"] for each in sent] == [1, 2, 3, 4]
        assert all(each["hikae"]["late"] for each in sent)
        assert [len(each["hikae"]["slice"]) for each in sent] == [0, 2, 0, 2]
        assert sent[3]["hikae"]["turn"] == "p1"
        assert client.spooled() == []

    def test_one_that_the_server_refuses_does_not_hold_up_the_others(self, client: Client) -> None:
        for number in range(3):
            client.fire(Step(golden("Stop.full") | {"prompt_id": f"p{number}"}))
        time.sleep(2.1)

        def answer(link: socket.socket, asked: bytes) -> None:
            bad = b'"p1"' in asked
            refusal = b'{"error": {"code": "invalid", "message": "m", "details": {}}}'
            says("422 Unprocessable", refusal)(link, asked) if bad else says("200 OK", b"{}")(link, asked)

        with serving(answer) as (url, seen):
            client.url = url
            client.flush()
        assert len(seen) == 3
        assert client.spooled() == []
        assert len(list((client.home / "refused").iterdir())) == 1
        with serving(says("200 OK", b"{}")) as (url, _seen):
            client.url = url
            first = client.fire(Step(golden("SessionStart.full"))).answer
            second = client.fire(Step(golden("SessionStart.full"))).answer
        assert first is not None
        assert "server refused" in first["systemMessage"]
        assert second is None  # said once

    def test_a_full_spool_leaves_words_in_the_transcript_and_says_when_it_loses_events(
        self, client: Client
    ) -> None:
        client.fire(Step(golden("SessionStart.full") | {"source": "startup"}))
        big = client.home / "spool" / f"{1:020d}-{'0' * 32}.json"
        with big.open("wb") as file:
            file.truncate(65_000_000)
        lines = talk(("p1", "Use pnpm.", "Yes."))
        client.fire(Step(golden("Stop.full"), lines))
        kept = json.loads(client.spooled()[-1].read_text())
        assert kept["hikae"]["slice"] == []
        with big.open("wb") as file:
            file.truncate(80_000_000)
        client.fire(Step(golden("Stop.full")))
        assert len(client.spooled()) == 3
        big.unlink()
        client.fire(Step(golden("Stop.full")))
        assert (
            len(json.loads(client.spooled()[-1].read_text())["hikae"]["slice"]) == 2
        )  # nothing of it was lost
        with serving(says("200 OK", b"{}")) as (url, _seen):
            client.url = url
            told = client.fire(Step(golden("SessionStart.full"))).answer
        assert told is not None
        assert "cannot be written: 1" in told["systemMessage"]

    def test_a_server_that_hangs_costs_one_event_its_second_and_the_next_ones_nothing(
        self, client: Client
    ) -> None:
        with serving(ANSWERS["never answers"]) as (url, seen):
            client.url = url
            for _ in range(3):
                client.fire(Step(golden("UserPromptSubmit.full")))
        assert len(seen) == 1
        assert len(client.spooled()) == 3


SECRET = "ghp_" + "EXAMPLEa1B2c3D4e5F6g7H8i9J0k1L2m3N4"


class TestSecrets:
    def test_they_reach_neither_the_spool_nor_the_wire_nor_a_log(self, client: Client) -> None:
        said = f"The token is {SECRET} ok"
        lines = talk(("p1", said, f"I use {SECRET} then."))
        question = golden("PostToolUse.full")
        question["tool_response"] = {**question["tool_response"], "response": said}
        with serving(ANSWERS["500"]) as (url, seen):
            client.url = url
            client.fire(Step(golden("UserPromptSubmit.full") | {"prompt": said}))
            client.fire(Step(golden("Stop.full") | {"last_assistant_message": said}, lines))
            client.fire(Step(question))
        assert len(seen) == 3
        written = b"".join(path.read_bytes() for path in client.home.rglob("*") if path.is_file())
        for place in (*seen, written):
            assert SECRET.encode() not in place
        assert b"[redacted:" in written
        assert KEY.encode() not in written

    def test_an_answer_is_still_filed_under_its_question(self, client: Client) -> None:
        text = f"Use {SECRET} now?"
        event = golden("PostToolUse.full")
        asked = [{**event["tool_input"]["questions"][0], "question": text}]
        event["tool_input"] = {"questions": asked}
        event["tool_response"] = {"questions": asked, "answers": {text: "SQLite"}}
        client.fire(Step(event))
        sent = json.loads(client.spooled()[0].read_text())["event"]["tool_response"]
        assert list(sent["answers"]) == [sent["questions"][0]["question"]]

    @pytest.mark.parametrize("mode", [0o644, 0o640, 0o604])
    def test_a_key_file_that_others_can_read_is_not_used(self, client: Client, mode: int) -> None:
        client.environment = {"HIKAE_KEY": ""}
        client.home.mkdir(parents=True)
        path = client.home / "key"
        path.write_text(KEY)
        path.chmod(mode)
        with serving(says("200 OK", b"{}")) as (url, seen):
            client.url = url
            told = client.fire(Step(golden("SessionStart.full"))).answer
            assert seen == []
            assert told is not None
            assert "chmod 600" in told["systemMessage"]
            path.chmod(0o600)
            client.fire(Step(golden("SessionStart.full")))
        assert f"Authorization: Bearer {KEY}".encode() in seen[0]

    def test_what_is_kept_is_for_its_owner_alone(self, client: Client) -> None:
        client.fire(Step(golden("Stop.full")))
        kept = [path for path in client.home.rglob("*") if "pycache" not in str(path)]
        assert kept
        assert {path.stat().st_mode & 0o077 for path in (client.home, *kept)} == {0}


class TestTranscript:
    def test_thinking_pictures_files_and_summaries_stay_on_the_machine(self, client: Client) -> None:
        heavy: dict[str, Any] = json.loads(talk(("p1", "Look.", "x"))[1])
        heavy["message"]["content"] = [
            {"type": "thinking", "thinking": "SECRETTHOUGHT"},
            {"type": "text", "text": "Seen."},
            {"type": "tool_use", "id": "t1", "name": "Write", "input": {"content": "F" * 5_000}},
        ]
        result = {
            "type": "user", "uuid": "u2", "parentUuid": heavy["uuid"], "sessionId": heavy["sessionId"],
            "message": {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "t1", "content": [
                    {"type": "text", "text": "T" * 50_000}, {"type": "image", "source": {"data": "PICTURE"}}]}]},
            "toolUseResult": {"originalFile": "WHOLEFILE"},
        }  # fmt: skip
        summary = {
            "type": "user", "uuid": "u3", "parentUuid": "u2", "isCompactSummary": True,
            "message": {"role": "user", "content": "THESUMMARY"},
        }  # fmt: skip
        half = '{"type": "user", "uuid": "u4", "mess'
        lines = [*talk(("p1", "Look.", "x"))[:1], *(json.dumps(each) for each in (heavy, result, summary))]
        event = golden("Stop.full") | {"session_id": heavy["sessionId"]}
        path = client.transcript(event["session_id"])
        path.parent.mkdir(parents=True)
        path.write_text("\n".join(lines) + "\n" + half)
        client.fire(Step(event))
        sent = client.spooled()[0].read_text()
        for left in ("SECRETTHOUGHT", "PICTURE", "WHOLEFILE", "THESUMMARY", "F" * 1_000, "T" * 8_000):
            assert left not in sent
        assert "Seen." in sent
        assert len(sent) < 12_000
        with path.open("a") as file:
            file.write('age": {"role": "user", "content": "Go on."}}\n')
        client.fire(Step(event))
        assert [
            json.loads(each)["uuid"] for each in json.loads(client.spooled()[1].read_text())["hikae"]["slice"]
        ] == ["u4"]

    def test_a_long_transcript_comes_in_parts_and_whole(self, client: Client) -> None:
        lines = talk(*[(f"p{n}", f"Question {n}. " + "words " * 100, "answer " * 200) for n in range(800)])
        first = golden("Stop.full")
        client.fire(Step(first, lines))
        while True:
            client.fire(Step(first))
            if not json.loads(client.spooled()[-1].read_text())["hikae"]["slice"]:
                break
        records = [json.loads(path.read_text())["hikae"] for path in client.spooled()]
        assert len(records) > 2
        sent = [json.loads(line)["uuid"] for record in records for line in record["slice"]]
        assert sent == [json.loads(line)["uuid"] for line in lines]
        assert records[1]["from_byte"] > 0

    def test_a_resumed_session_that_was_never_seen_begins_where_it_stands(self, client: Client) -> None:
        lines = talk(("p1", "Old words.", "Yes."), ("p2", "New words.", "Yes."))
        client.fire(Step(golden("SessionStart.full") | {"source": "resume"}, lines[:2]))
        client.fire(Step(golden("Stop.full"), lines[2:]))
        sent = client.spooled()[-1].read_text()
        assert "New words." in sent
        assert "Old words." not in "".join(path.read_text() for path in client.spooled())

    @pytest.mark.parametrize("path", ["/etc/passwd", "other.jsonl", 7, None, ""])
    def test_no_other_file_is_read_whatever_the_event_names(self, client: Client, path: Any) -> None:
        if path == "other.jsonl":
            path = str(client.root / "other.jsonl")
            Path(path).write_text(talk(("p1", "Not this.", "x"))[0] + "\n")
        raw = json.dumps(golden("Stop.full") | {"transcript_path": path}).encode()
        client.run(raw, name="Stop", folder=client.root)
        assert json.loads(client.spooled()[0].read_text())["hikae"]["slice"] == []
