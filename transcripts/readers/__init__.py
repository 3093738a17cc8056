"""Pure readers from clients' transcript formats to sessions and turns. Start at `base.read`."""

from transcripts.readers.base import read

__all__ = ["read"]
