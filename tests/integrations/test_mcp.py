"""MCP at ``/mcp``: official clients of both revisions, with the rights of an agent key (design section 7)."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from mcp import Client
from mcp.shared.exceptions import MCPError

from core.models import AgentKey, Namespace
from core.services.keys import NewKey, agent_key_revoke
from core.services.namespaces import namespace_pause
from decisions.models import Recommendation
from memory.models import Candidate, Memory, MemoryReport
from tests import build
from tests.integrations.mcp import PREVIOUS, REVISIONS, call, refused, said, structured, talk
from tests.knowledge.make import knowledge, summary
from tests.memory.recalling import remember
from transcripts.models import AgentSession, Exposure, Message
from transcripts.readers.fences import cut_fences
from transcripts.services.markers import fence_marker

TOOLS = [
    "recall",
    "remember",
    "get_memory",
    "list_namespaces",
    "expand_knowledge",
    "find_knowledge",
    "recommend_decision",
    "report_memory",
]
ASK: list[dict[str, Any]] = [
    {"question": "Which tier?", "options": [{"label": "Tier S"}, {"label": "Tier M"}]}
]
FACT = "Production runs on Python 3.12."


class Scene:
    """Alice with a workspace, a key, a note, a summary and one approved memory."""

    def __init__(self) -> None:
        self.alice: User = build.person()
        self.home: Namespace = build.workspace(self.alice)
        self.made: NewKey = build.key(self.alice)
        self.memory: Memory = remember(self.home, FACT)
        knowledge(self.home, self.alice)
        summary(self.home, self.alice, "We ship on Tuesdays.")

    @property
    def secret(self) -> str:
        return self.made.secret


@pytest.fixture
def scene(site: str) -> Scene:
    return Scene()


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_client_of_either_revision_lists_and_calls_every_tool(
    site: str, scene: Scene, revision: str
) -> None:
    async def say(client: Client) -> dict[str, Any]:
        listed = await client.list_tools()
        given: dict[str, dict[str, Any]] = {
            "recall": {"q": "Which Python?", "namespace": ["workspace:api"]},
            "remember": {"kind": "decision", "content": "We deploy with containers."},
            "get_memory": {"memory_id": str(scene.memory.pk)},
            "list_namespaces": {},
            "expand_knowledge": {"text": "See #deploy-checklist and #nothing-here."},
            "find_knowledge": {"q": "release steps", "namespace": ["workspace:api"]},
            "recommend_decision": {"questions": ASK},
            "report_memory": {"memory_id": str(scene.memory.pk), "reason": "It is 3.13 now."},
        }
        assert [tool.name for tool in listed.tools] == TOOLS == list(given)
        assert all(tool.output_schema for tool in listed.tools)
        return {name: structured(await client.call_tool(name, given[name])) for name in given}

    got = talk(site, scene.secret, say, revision=revision, query="?workspace=api")
    assert [hit["content"] for hit in got["recall"]["hits"]] == [FACT]
    assert got["remember"]["status"] == "pending"
    assert "A person decides" in got["remember"]["notice"]
    assert got["get_memory"]["content"] == FACT
    assert {each["name"] for each in got["list_namespaces"]["namespaces"]} >= {"workspace:api"}
    assert got["list_namespaces"]["workspace"] == "workspace:api"
    assert got["find_knowledge"]["notes"][0]["slug"] == "deploy-checklist"
    assert got["recommend_decision"]["questions"][0]["state"] == "static"
    assert Candidate.objects.get(pk=got["remember"]["id"]).status == "pending"
    assert MemoryReport.objects.get(pk=got["report_memory"]["id"]).reason == "It is 3.13 now."
    assert Recommendation.objects.count() == 1
    assert got["expand_knowledge"]["missing"] == ["nothing-here"]
    assert [each["slug"] for each in got["expand_knowledge"]["resolved"]] == ["deploy-checklist"]


@pytest.mark.parametrize("revision", REVISIONS)
def test_resources_and_prompts_serve_either_revision(site: str, scene: Scene, revision: str) -> None:
    async def say(client: Client) -> dict[str, str]:
        templates = await client.list_resource_templates()
        assert [each.uri_template for each in templates.resource_templates] == [
            "memory://summary/{namespace}",
            "memory://{memory_id}",
            "knowledge://{slug}",
        ]
        prompts = await client.list_prompts()
        assert [each.name for each in prompts.prompts] == ["recall", "remember"]
        read = {}
        for uri in (
            "memory://summary/workspace%3Aapi",
            f"memory://{scene.memory.pk}",
            "knowledge://deploy-checklist",
        ):
            content = (await client.read_resource(uri)).contents[0]
            read[uri.split("/")[2]] = getattr(content, "text", "")
        asked = await client.get_prompt("recall", {"question": "Which Python runs in production?"})
        read["prompt"] = getattr(asked.messages[0].content, "text", "")
        wanted = await client.get_prompt("remember", {"what": "We never force-push."})
        read["wanted"] = getattr(wanted.messages[0].content, "text", "")
        return read

    read = talk(site, scene.secret, say, revision=revision, query="?workspace=api")
    assert "We ship on Tuesdays." in read["summary"]
    assert FACT in read[str(scene.memory.pk)]
    assert "Run the tests." in read["deploy-checklist"]
    assert FACT in read["prompt"]
    assert read["wanted"].endswith("We never force-push.")


def test_what_a_model_reads_is_fenced_and_its_exposure_is_recorded(site: str, scene: Scene) -> None:
    result = talk(
        site,
        scene.secret,
        lambda client: client.call_tool("recall", {"q": "Which Python?", "namespace": ["workspace:api"]}),
    )
    cut = cut_fences(said(result), marker=fence_marker())
    assert cut.text_without.strip() == ""
    assert cut.forged == 0
    shown = Exposure.objects.get(path="recall", record_id=str(scene.memory.pk))
    assert shown.agent_key_id == scene.made.key.pk


def test_the_budget_bounds_what_is_told(site: str, scene: Scene) -> None:
    remember(scene.home, "Production runs on Python, and the staging cluster follows one week later.")
    got = call(site, scene.secret, "recall", q="Python in production", namespace=["workspace:api"], budget=10)
    assert len(got["hits"]) == 1
    assert got["omitted"] == 1


def test_a_connection_in_a_workspace_opens_one_session_a_day_there(site: str, scene: Scene) -> None:
    async def say(client: Client) -> list[str]:
        found = [structured(await client.call_tool("recall", {"q": "Which Python?"})) for _time in range(2)]
        return [hit["content"] for each in found for hit in each["hits"]]

    for kind in ({"query": "?workspace=api"}, {"headers": {"Hikae-Workspace": "api"}}):
        assert talk(site, scene.secret, say, **kind) == [FACT, FACT]
    session = AgentSession.objects.get(client="mcp")
    assert session.workspace == scene.home
    assert session.user == scene.alice


def test_a_session_that_the_client_names_is_used_as_it_is(site: str, scene: Scene) -> None:
    build.session(scene.made.key, "mine")
    got = call(site, scene.secret, "expand_knowledge", text="See #deploy-checklist.", session="mine")
    assert Message.objects.get(pk=got["message_id"]).turn.session.key == "mine"
    assert not AgentSession.objects.filter(client="mcp").exists()
    call(site, scene.secret, "expand_knowledge", text="See #deploy-checklist.", session="new")
    assert AgentSession.objects.get(client="mcp").key == "new"


def test_only_candidates_come_of_remembering(site: str, scene: Scene) -> None:
    before = Memory.objects.count()
    got = call(site, scene.secret, "remember", kind="fact", content="The cache is Valkey.", key="k1")
    again = call(site, scene.secret, "remember", kind="fact", content="The cache is Valkey.", key="k1")
    assert got["id"] == again["id"]
    assert Memory.objects.count() == before


def test_no_tool_approves_or_deletes(site: str, scene: Scene) -> None:
    async def say(client: Client) -> str:
        listed = await client.list_tools()
        return json.dumps([tool.model_dump(mode="json") for tool in listed.tools])

    listed = talk(site, scene.secret, say)
    assert len(json.loads(listed)) <= 8
    assert listed == talk(site, scene.secret, say)
    for word in ("delete_", "approve_", "reject_", "archive", "auto-approve"):
        assert word not in listed


@pytest.mark.parametrize(
    ("scopes", "tool", "arguments"),
    [
        (["ingest", "decide"], "recall", {"q": "Which Python?"}),
        (["ingest", "decide"], "find_knowledge", {}),
        (["ingest", "decide"], "expand_knowledge", {"text": "#deploy-checklist"}),
        (["ingest", "decide"], "get_memory", {"memory_id": "0190"}),
        (["ingest", "decide"], "report_memory", {"memory_id": "0190", "reason": "wrong"}),
        (["recall", "decide"], "remember", {"kind": "fact", "content": FACT}),
        (["ingest", "recall"], "recommend_decision", {"questions": ASK}),
    ],
)
def test_a_key_without_the_scope_is_refused(
    site: str, scene: Scene, scopes: list[str], tool: str, arguments: dict[str, Any]
) -> None:
    weak = build.key(scene.alice, name="weak", scopes=scopes)
    assert "missing_scope" in refused(site, weak.secret, tool, **arguments)
    assert not AgentSession.objects.filter(agent_key=weak.key).exists()


def test_a_stranger_reaches_nothing_of_it(site: str, scene: Scene) -> None:
    bob = build.person("bob")
    secret = build.key(bob).secret
    for reference in ("workspace:api", "workspace:alice/api"):
        assert "namespace_not_found" in refused(
            site, secret, "recall", q="Which Python?", namespace=[reference]
        )
        assert "namespace_not_found" in refused(
            site, secret, "remember", kind="fact", content=FACT, namespace=reference
        )
    memory_id = str(scene.memory.pk)
    assert "not_found" in refused(site, secret, "get_memory", memory_id=memory_id)
    assert "not_found" in refused(site, secret, "report_memory", memory_id=memory_id, reason="wrong")
    assert call(site, secret, "find_knowledge")["notes"] == []
    assert call(site, secret, "expand_knowledge", text="#deploy-checklist")["resolved"] == []
    assert call(site, secret, "recall", q="Which Python?")["hits"] == []

    async def read(client: Client) -> None:
        for uri in ("memory://summary/workspace%3Aalice%2Fapi", f"memory://{memory_id}", "knowledge://x"):
            with pytest.raises(MCPError, match="not_found"):
                await client.read_resource(uri)

    talk(site, secret, read)


def test_a_key_with_a_list_stays_within_it(site: str, scene: Scene) -> None:
    other = build.workspace(scene.alice, "web")
    narrow = build.key(scene.alice, name="narrow", reach=AgentKey.REACH_LIST, namespaces=[other])
    assert "namespace_not_found" in refused(
        site, narrow.secret, "recall", q="Which Python?", namespace=["workspace:api"]
    )
    assert "out_of_reach" in refused(site, narrow.secret, "recall", q="Which Python?")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"kind": "opinion", "content": FACT}, "kind"),
        ({"kind": "fact", "content": "  "}, "content"),
        ({"kind": "fact", "content": "a\0b"}, "invalid_text"),
        ({"kind": "fact", "content": FACT, "confidence": 2}, "confidence"),
        ({"kind": "fact"}, "content"),
    ],
)
def test_nonsense_is_refused_by_name(site: str, scene: Scene, arguments: dict[str, Any], word: str) -> None:
    before = Candidate.objects.count()
    assert word in refused(site, scene.secret, "remember", **arguments)
    assert Candidate.objects.count() == before


def test_a_place_that_no_database_could_hold_is_refused_like_a_text(site: str, scene: Scene) -> None:
    assert "invalid_text" in refused(site, scene.secret, "recall", q="Which Python?", session="a\0b")
    answer = talk(
        site, scene.secret, lambda client: client.call_tool("recall", {"q": FACT}), query="?workspace=a%00b"
    )
    assert answer.is_error
    assert "invalid_text" in said(answer)


def test_a_paused_workspace_says_so(site: str, scene: Scene) -> None:
    namespace_pause(namespace=scene.home, user=scene.alice, paused=True, now=timezone.now())
    got = call(site, scene.secret, "recall", q="Which Python?", namespace=["workspace:api"])
    assert got["hits"] == []
    assert got["paused"] == ["workspace:api"]
    assert "paused" in refused(site, scene.secret, "get_memory", memory_id=str(scene.memory.pk))


def test_what_a_tool_is_for_reads_as_written_without_the_indentation_of_the_source(
    site: str, scene: Scene
) -> None:
    listed = talk(site, scene.secret, lambda client: client.list_tools())
    for tool in listed.tools:
        assert tool.description
        assert tool.description == tool.description.strip()
        assert "\n " not in tool.description


def test_a_long_list_of_namespaces_ends_and_says_how_many_there_are(site: str, scene: Scene) -> None:
    for number in range(105):
        build.workspace(scene.alice, f"w{number:03}")
    got = call(site, scene.secret, "list_namespaces")
    names = [each["name"] for each in got["namespaces"]]
    assert len(names) == 100
    assert got["omitted"] == Namespace.objects.reachable_by(scene.made.key).count() - 100
    assert names == [each["name"] for each in call(site, scene.secret, "list_namespaces")["namespaces"]]


def _post(site: str, **headers: str) -> httpx2.Response:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    sent = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": PREVIOUS}
    with httpx2.Client(timeout=30) as client:
        given = {name: value.encode("latin-1") for name, value in {**sent, **headers}.items()}
        return client.post(f"{site}/mcp", json=body, headers=[(k.encode(), v) for k, v in given.items()])


def test_without_a_valid_key_the_answer_names_what_is_needed(site: str, scene: Scene) -> None:
    agent_key_revoke(key=scene.made.key, by=scene.alice, now=timezone.now())
    for authorization, code in (
        (None, "not_authenticated"),
        ("Bearer hik_00000000_EXAMPLE", "key_unknown"),
        ("Bearer ünknown", "key_unknown"),
        (f"Bearer {scene.secret}", "key_revoked"),
    ):
        given = {} if authorization is None else {"Authorization": authorization}
        answer = _post(site, **given)
        assert answer.status_code == 401
        assert answer.json()["error"]["code"] == code
        assert (
            f'resource_metadata="{site}/.well-known/oauth-protected-resource/mcp"'
            in answer.headers["www-authenticate"]
        )


def test_who_brings_no_key_is_told_the_scopes_and_blamed_for_nothing(site: str, scene: Scene) -> None:
    bare = _post(site).headers["www-authenticate"]
    assert 'scope="ingest recall decide"' in bare
    assert "error=" not in bare
    wrong = _post(site, Authorization="Bearer hik_00000000_EXAMPLE").headers["www-authenticate"]
    assert 'error="invalid_token"' in wrong


def test_no_stream_is_held_open_and_no_session_ended(site: str, scene: Scene) -> None:
    key = {"Authorization": f"Bearer {scene.secret}"}
    with httpx2.Client(timeout=10) as client:
        for method in ("GET", "DELETE", "PUT", "OPTIONS"):
            answer = client.request(method, f"{site}/mcp", headers=key)
            assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
        assert client.get(f"{site}/mcp").status_code == 401
        metadata = client.post(f"{site}/.well-known/oauth-protected-resource/mcp")
        assert (metadata.status_code, metadata.headers["allow"]) == (405, "GET, HEAD")


def test_the_resource_metadata_is_public_and_names_this_address(site: str, scene: Scene) -> None:
    with httpx2.Client() as client:
        found = client.get(f"{site}/.well-known/oauth-protected-resource/mcp").json()
    assert found["resource"] == f"{site}/mcp"
    assert found["scopes_supported"] == ["ingest", "recall", "decide"]
    assert found["bearer_methods_supported"] == ["header"]


def test_pages_of_other_sites_and_other_names_are_turned_away(site: str, scene: Scene) -> None:
    key = {"Authorization": f"Bearer {scene.secret}"}
    assert _post(site, **key).status_code == 200
    assert _post(site, **key, Origin=site).status_code == 200
    assert _post(site, **key, Origin="https://evil.example").status_code == 403
    assert _post(site, **key, Origin="null").status_code == 403
    assert _post(site, **key, Host="evil.example").status_code == 400


def test_pages_and_rest_answer_beside_it(site: str, scene: Scene) -> None:
    with httpx2.Client() as client:
        assert client.get(f"{site}/healthz").status_code == 200
        me = client.get(f"{site}/api/v1/me/", headers={"Authorization": f"Bearer {scene.secret}"})
        assert me.json()["user"] == "alice"
        assert client.get(f"{site}/mcp/").status_code == 404
