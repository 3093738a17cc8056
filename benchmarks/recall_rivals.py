"""What others reached on the same LoCoMo conversations (even index; evidence retrieval, nobody judges)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rival:
    """Recall@10 on the files that the benchmark reads; None where it was not measured."""

    name: str
    observations: float | None
    turns: float | None


RIVALS = (
    Rival("Postgres full text, AND", 0.072, 0.097),
    Rival("Postgres full text, OR, ts_rank", 0.562, 0.512),
    Rival("pg_trgm", 0.521, 0.177),
    Rival("bm25s (in memory)", 0.565, 0.596),
    Rival("BM25 in plain SQL", 0.567, 0.605),
    Rival("exact dense, MiniLM-L6", 0.592, 0.487),
    Rival("SQL BM25 + pgvector, equal-weight RRF", 0.598, 0.581),
    Rival("mem0 2.2.1 (no model, Qdrant)", 0.592, None),
    Rival("mcp-memory-service 12.4.0 hybrid", 0.607, None),
    Rival("LangGraph Postgres store / Chroma", 0.592, None),
    Rival("Hindsight 0.8.0 (no model, no reranker)", 0.580, None),
    Rival("basic-memory 0.24.1 (text only)", 0.476, None),
    Rival("claude-mem 13.25.3 (phrase search)", 0.000, None),
)
# Japanese: the whole question set (600 questions over 1,145 paragraphs); R@1, R@5, R@10, MRR.
RIVALS_JA = (
    ("BM25 in SQL over character bigrams", 0.885, 0.945, 0.960, 0.912),
    ("multilingual e5-small 4-bit", 0.807, 0.927, 0.950, 0.858),
    ("both fused", 0.877, 0.953, 0.965, 0.911),
    ("pg_trgm word_similarity", 0.685, 0.878, 0.913, 0.763),
    ("tsvector of words", 0.245, 0.260, 0.260, 0.252),
)


if __name__ == "__main__":  # a part of other benchmarks: says what it is
    print(__doc__)
