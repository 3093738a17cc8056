"""What a person keeps choosing becomes an honest recommendation. Pure (design section 5).

No function reads a clock, a database or the language of the process. Import what you need from here.
"""

from .advise import advise, strength_of
from .backtest import backtest, suggest_rate
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
from .order import order_questions
from .polar import polarity
from .predict import predict
from .sensitive import is_sensitive, sensitive_words
from .table import Table, bundles, joined, table_of
from .templates import likeness, template_of
from .types import CATEGORIES, DEFAULTS, OTHER

__all__ = [
    "CATEGORIES",
    "DEFAULTS",
    "OTHER",
    "Table",
    "advise",
    "backtest",
    "bundles",
    "categorise",
    "has_marker",
    "is_sensitive",
    "joined",
    "keys_of",
    "labels_clash",
    "likeness",
    "marked_default",
    "match_answer",
    "normalise_label",
    "option_key",
    "order_questions",
    "polarity",
    "predict",
    "sensitive_words",
    "strength_of",
    "suggest_rate",
    "table_of",
    "template_of",
]
