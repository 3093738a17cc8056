"""When do two proposed texts say the same thing? Pure; see design section 4, "Dedupe"."""

from .calibrate import calibrate
from .compare import Verdict, compare
from .features import Features, features

__all__ = ["Features", "Verdict", "calibrate", "compare", "features"]
