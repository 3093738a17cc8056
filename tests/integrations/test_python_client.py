"""The one-file Python client against the real server, and without one."""

from __future__ import annotations

import ast
import socket
import threading
from pathlib import Path

import pytest
from django.utils import timezone

from core.models import AgentKey
from integrations.python.hikae_client import Hikae, HikaeError, assistant, tool, user
from memory.models import Candidate
from tests import build
from tests.contract.routes import ROUTES
from tests.integrations.test_mcp import FACT, Scene
from transcripts.models import AgentSession, Message

SOURCE = Path(__file__).resolve().parents[2] / "integrations" / "python" / "hikae_client.py"


@pytest.fixture
def hikae(site: str, scene: Scene) -> Hikae:
    return Hikae(site, key=scene.secret)


@pytest.fixture
def scene(site: str) -> Scene:
    return Scene()


def test_a_whole_session(hikae: Hikae, scene: Scene) -> None:
    assert hikae.me()["user"] == "alice"
    opened = hikae.session("p1", workspace="api", tz="Asia/Tokyo")
    assert opened["workspace"] == "workspace:api"
    talk = [user("From now on use pnpm, not npm."), assistant("Understood."), tool("$ pnpm install")]
    assert hikae.turn("p1", "t1", talk)["turns"][0]["status"] == "created"
    assert hikae.turn("p1", "t1", talk)["turns"][0]["status"] == "replayed"
    again = {"session": "p1", "key": "t2", "messages": [user("Thanks.")]}
    assert hikae.turns([again])["turns"][0]["status"] == "created"
    origins = Message.objects.filter(session__key="p1").order_by("pk").values_list("origin", flat=True)
    assert list(origins) == ["human", "agent", "tool", "human"]
    hikae.compaction("p1", key="c1")
    hikae.end("p1")
    assert AgentSession.objects.get(key="p1").ended_at is not None


def test_what_was_approved_is_recalled_and_can_be_reported(hikae: Hikae, scene: Scene) -> None:
    hits = hikae.recall("Which Python?", namespace="workspace:api", budget=500)["hits"]
    assert [hit["content"] for hit in hits] == [FACT]
    assert hikae.recall("Which Python?", namespace=["workspace:api", "persona:default"])["hits"]
    assert hikae.memory(hits[0]["id"])["content"] == FACT
    assert hikae.report(hits[0]["id"], "It is 3.13 now.", text="Production runs on Python 3.13.")["id"]


def test_what_is_remembered_waits_for_a_person(hikae: Hikae, scene: Scene) -> None:
    answer = hikae.remember("decision", "We deploy with containers.", namespace="workspace:api", key="k1")
    assert answer["status"] == "pending"
    assert (
        hikae.remember("decision", "We deploy with containers.", namespace="workspace:api", key="k1")["id"]
        == (answer["id"])
    )
    assert hikae.candidate(answer["id"])["status"] == "pending"
    assert Candidate.objects.get(pk=answer["id"]).status == "pending"


def test_notes_and_context(hikae: Hikae, scene: Scene) -> None:
    hikae.session("p1", workspace="api")
    assert "We ship on Tuesdays." in str(hikae.context("p1")["sections"])
    assert [note["slug"] for note in hikae.knowledge("release", session="p1")] == ["deploy-checklist"]
    assert "Run the tests." in hikae.note("deploy-checklist", session="p1")["body"]
    assert hikae.expand("p1", "See #deploy-checklist.")["resolved"][0]["slug"] == "deploy-checklist"


def test_choices(hikae: Hikae, scene: Scene) -> None:
    hikae.session("p1", workspace="api")
    record = {
        "session": "p1",
        "decision_id": "d1",
        "timestamp": timezone.now().isoformat(),
        "question": "Which tier?",
        "user_choice": "Tier M",
        "all_options": ["Tier S", "Tier M"],
    }
    assert hikae.decision(record)["choices"][0]["outcome"] == "observed"
    questions = [{"question": "Which tier?", "options": [{"label": "Tier S"}, {"label": "Tier M"}]}]
    assert hikae.recommend("p1", questions, lang="en")["questions"][0]["n"] == 1
    assert hikae.preferences("tier") is not None


def test_refusals_say_what_is_wrong(site: str, hikae: Hikae, scene: Scene) -> None:
    with pytest.raises(HikaeError) as refused:
        hikae.remember("opinion", "Tabs are better.")
    assert (refused.value.status, refused.value.code) == (422, "unknown_kind")
    assert refused.value.details["field"] == "kind"
    with pytest.raises(HikaeError, match="key_unknown"):
        Hikae(site, key="hik_00000000_EXAMPLE").me()
    weak = build.key(scene.alice, name="weak", scopes=["ingest"], reach=AgentKey.REACH_ALL)
    with pytest.raises(HikaeError, match="missing_scope"):
        Hikae(site, key=weak.secret).recall("Which Python?")
    with pytest.raises(HikaeError, match="not_found"):
        hikae.memory("../me")


def test_a_stranger_gets_nothing(site: str, scene: Scene) -> None:
    bob = Hikae(site, key=build.key(build.person("bob")).secret)
    with pytest.raises(HikaeError, match="namespace_not_found"):
        bob.recall("Which Python?", namespace="workspace:alice/api")
    assert bob.recall("Which Python?")["hits"] == []


def test_every_route_has_its_method() -> None:
    source = SOURCE.read_text(encoding="utf-8")
    parts = {
        route.path.partition("/")[0]
        for route in ROUTES
        if route.path.split("/")[0] not in ("hooks", "health")
    }
    assert [part for part in sorted(parts) if f'"{part}/' not in source and f"{part}/{{" not in source] == []


def test_it_runs_on_python_3_9_and_imports_nothing_else() -> None:
    tree = ast.parse(SOURCE.read_text(encoding="utf-8"), feature_version=(3, 9))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    network = {"http.client", "urllib.error", "urllib.parse", "urllib.request"}
    assert names == {"__future__", "collections.abc", "json", "time", "typing", *network}


def test_without_a_server_it_says_so_and_tries_once_more() -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    tries: list[int] = []

    def hang_up() -> None:
        for number in range(2):
            talk, _address = listening.accept()
            tries.append(number)
            talk.close()

    thread = threading.Thread(target=hang_up, daemon=True)
    thread.start()
    client = Hikae(f"http://127.0.0.1:{listening.getsockname()[1]}", key="hik_EXAMPLE", timeout=5)
    with pytest.raises(HikaeError) as refused:
        client.me()
    thread.join(5)
    listening.close()
    assert (refused.value.code, refused.value.may_pass) == ("unreachable", True)
    assert tries == [0, 1]


def test_the_key_follows_no_redirect_and_needs_an_address() -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    seen: list[bytes] = []

    def send_away() -> None:
        talk, _address = listening.accept()
        seen.append(talk.recv(4096))
        talk.sendall(b"HTTP/1.0 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
        talk.close()

    thread = threading.Thread(target=send_away, daemon=True)
    thread.start()
    with pytest.raises(HikaeError) as refused:
        Hikae(f"http://127.0.0.1:{listening.getsockname()[1]}", key="hik_EXAMPLE", timeout=5).me()
    thread.join(5)
    listening.close()
    assert refused.value.status == 302
    assert len(seen) == 1
    for url, key in (("127.0.0.1:8000", "k"), ("file:///etc/passwd", "k"), ("http://127.0.0.1", " ")):
        with pytest.raises(ValueError):
            Hikae(url, key=key)


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (b"", "unreachable"),
        (b"garbage\r\n\r\n", "unreachable"),
        (b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 500 + b"\r\n{}", "unreachable"),
        (b'HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{"cut":', "no_json"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]", "no_json"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n" + b"[" * 9_000, "no_json"),
        (b"HTTP/1.1 500 No\r\nContent-Length: 5\r\n\r\n\xff\xfe{}[", "no_json"),
    ],
    ids=["nothing", "garbage", "headers", "cut", "list", "deep", "bytes"],
)
def test_whatever_answers_is_an_answer_or_an_error_of_ours(answer: bytes, code: str) -> None:
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        link, _peer = listening.accept()
        with link:
            link.recv(65_536)
            link.sendall(answer)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    port = listening.getsockname()[1]
    with listening, pytest.raises(HikaeError) as refused:
        Hikae(f"http://127.0.0.1:{port}", "hik_00000000_EXAMPLE", retries=0).me()
    thread.join(5)
    assert refused.value.code == code
