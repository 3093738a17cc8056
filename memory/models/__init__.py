"""Tables of the gate."""

from memory.models.candidate import Candidate, CandidateStatus, Source, TrustTier
from memory.models.evidence import Evidence, Sighting
from memory.models.extraction import Extraction, Request, TokenMeter, WorkerHeartbeat
from memory.models.index import CommonTerm, MemoryIndex, MemoryTerm, MemoryVector
from memory.models.kind import KINDS, Kind
from memory.models.memory import Memory, MemoryStatus
from memory.models.policy import PromptChange, PromptOverride, ReviewPolicy
from memory.models.report import MemoryReport
from memory.models.tombstone import Tombstone

__all__ = [
    "KINDS",
    "Candidate",
    "CandidateStatus",
    "CommonTerm",
    "Evidence",
    "Extraction",
    "Kind",
    "Memory",
    "MemoryIndex",
    "MemoryReport",
    "MemoryStatus",
    "MemoryTerm",
    "MemoryVector",
    "PromptChange",
    "PromptOverride",
    "Request",
    "ReviewPolicy",
    "Sighting",
    "Source",
    "TokenMeter",
    "Tombstone",
    "TrustTier",
    "WorkerHeartbeat",
]
