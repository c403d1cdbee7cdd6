"""How far a time that people are promised may be overrun by a test on a machine that is slow or busy."""

import os

SLACK = float(os.environ.get("LINESIES_SLACK", "12"))  # LINESIES_SLACK=1 on a quiet machine holds the promise itself
