"""Tables of the review pages."""

from review.models.act import Act

__all__ = ["Act"]
