"""Find the memories that answer a question (design section 4, Recall)."""

from memory.recall.query import MAX_BUDGET, MAX_HITS, MAX_QUESTION, Hit, RecallQuery, RecallResult, Why
from memory.recall.search import recall
from memory.recall.trial import Trial, trial

__all__ = [
    "MAX_BUDGET",
    "MAX_HITS",
    "MAX_QUESTION",
    "Hit",
    "RecallQuery",
    "RecallResult",
    "Trial",
    "Why",
    "recall",
    "trial",
]
