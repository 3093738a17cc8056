"""Embeddings from any OpenAI-compatible endpoint (`POST {base_url}/embeddings`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from core.embed.port import EmbedUnavailable, unit
from core.outbound import check_url, openai_client

if TYPE_CHECKING:
    from openai import OpenAI

BATCH = 64  # texts in one request: below the limits of every server we know
MAX_CHARS = (
    8_000  # about the 8,191 tokens that hosted models take, in the worst case of one token a character
)


class OpenAICompatEmbedder:
    """`dims` may be given; else the first answer decides, and every later one must agree."""

    def __init__(
        self, *, base_url: str, model: str, api_key: str | None, timeout: float, dims: int | None = None
    ) -> None:
        """ValueError when the address is not http(s). `timeout` in seconds for each request."""
        self._base_url = check_url(base_url)
        self._model = model
        self._api_key = api_key
        self._timeout = timeout
        self._dims = dims

    @property
    def space(self) -> str:
        """Asks the endpoint once if the dimensions are not known yet; may raise EmbedUnavailable."""
        return f"{self._model}/{self.dims}"

    @property
    def dims(self) -> int:
        """See `space`."""
        if self._dims is None:
            self.embed(["dimensions"])
        assert self._dims is not None
        return self._dims

    @cached_property
    def _client(self) -> OpenAI:
        return openai_client(base_url=self._base_url, api_key=self._api_key, timeout=self._timeout)

    def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
        """See `Embedder.embed`; `query` makes no difference here. No retries: callers have their own."""
        vectors: list[list[float]] = []
        for at in range(0, len(texts), BATCH):
            # An empty input is an error to hosted models; a lone dot has a vector and means as little.
            batch = [text[:MAX_CHARS].strip() or "." for text in texts[at : at + BATCH]]
            vectors += self._request(batch)
        return vectors

    def _request(self, batch: list[str]) -> list[list[float]]:
        import openai

        try:
            answer = self._client.embeddings.create(model=self._model, input=batch, encoding_format="float")
            rows = sorted(answer.data, key=lambda row: row.index)
            raw = [[float(x) for x in row.embedding] for row in rows]
        except openai.OpenAIError as error:
            raise EmbedUnavailable(f"the embedding endpoint failed: {error}") from error
        except (ValueError, TypeError, AttributeError) as error:  # a 200 with a body of another shape
            raise EmbedUnavailable("the embedding endpoint answered with something else") from error
        if len(raw) != len(batch):
            raise EmbedUnavailable(f"asked for {len(batch)} embeddings, got {len(raw)}")
        expected = self._dims or len(raw[0])
        vectors = [unit(vector, dims=expected) for vector in raw]
        self._dims = expected
        return vectors
