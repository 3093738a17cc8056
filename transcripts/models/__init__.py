"""Tables of what happened."""

from transcripts.models.compaction import Compaction
from transcripts.models.exposure import Exposure
from transcripts.models.message import Message, MessageRole, Origin
from transcripts.models.replay import Replay
from transcripts.models.scan import Scan, ScanState
from transcripts.models.session import AgentSession
from transcripts.models.turn import Turn, TurnPin

__all__ = [
    "AgentSession",
    "Compaction",
    "Exposure",
    "Message",
    "MessageRole",
    "Origin",
    "Replay",
    "Scan",
    "ScanState",
    "Turn",
    "TurnPin",
]
