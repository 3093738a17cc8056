"""What a person keeps choosing becomes an honest recommendation. Pure (design section 5).

No function reads a clock, a database or the language of the process. Import what you need from here.
"""

from .categories import categorise
from .labels import (
    has_marker,
    keys_of,
    labels_clash,
    marked_default,
    match_answer,
    normalise_label,
    option_key,
)
from .polar import polarity
from .sensitive import is_sensitive, sensitive_words
from .templates import likeness, template_of
from .types import CATEGORIES, DEFAULTS, OTHER

__all__ = [
    "CATEGORIES",
    "DEFAULTS",
    "OTHER",
    "categorise",
    "has_marker",
    "is_sensitive",
    "keys_of",
    "labels_clash",
    "likeness",
    "marked_default",
    "match_answer",
    "normalise_label",
    "option_key",
    "polarity",
    "sensitive_words",
    "template_of",
]
