"""Tables of reusable know-how."""

from knowledge.models.note import Knowledge, NoteStatus, Summary
from knowledge.models.policy import DraftPolicy
from knowledge.models.proposal import Proposal
from knowledge.models.run import ConsolidationRun
from knowledge.models.use import KnowledgeUse
from knowledge.models.vector import KnowledgeVector

__all__ = [
    "ConsolidationRun",
    "DraftPolicy",
    "Knowledge",
    "KnowledgeUse",
    "KnowledgeVector",
    "NoteStatus",
    "Proposal",
    "Summary",
]
