"""Tables of reusable know-how."""

from knowledge.models.proposal import Proposal

__all__ = ["Proposal"]
