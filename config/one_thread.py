"""Linear algebra on one thread, said before anything imports numpy: which this package's first line does.

The built-in embedding models' matrices are small, and with several threads each call waits for all of them by
spinning: on two busy cores one thread was fifteen times faster. A number that the operator has set stays.
"""

from __future__ import annotations

import os

for _library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")
