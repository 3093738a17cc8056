"""When do two proposed texts say the same thing? Pure; see design section 4, "Dedupe"."""

from .blocking import block_keys, keyed_hashes, lookup_keys, resembles
from .calibrate import calibrate
from .compare import Verdict, compare
from .features import Features, features

__all__ = [
    "Features",
    "Verdict",
    "block_keys",
    "calibrate",
    "compare",
    "features",
    "keyed_hashes",
    "lookup_keys",
    "resembles",
]
