"""Tables of the review pages."""

from review.models.act import Act
from review.models.person import DigestRun, PersonSettings, SavedFilter

__all__ = ["Act", "DigestRun", "PersonSettings", "SavedFilter"]
