"""Find the memories that answer a question (design section 4, Recall)."""

from memory.recall.query import MAX_BUDGET, MAX_HITS, MAX_QUESTION, Hit, RecallQuery, RecallResult, Why
from memory.recall.search import recall

__all__ = ["MAX_BUDGET", "MAX_HITS", "MAX_QUESTION", "Hit", "RecallQuery", "RecallResult", "Why", "recall"]
