"""The public scenes and clips, too big to lie in the repository: skipped aloud where absent, a failure in CI."""

import os
from pathlib import Path

import pytest

SKULLY = Path(__file__).parents[2] / "shared" / "data" / "skully"


def need_public_data() -> None:
    """Skip the test at hand where the data is not beside the checkout; fail it where CI should have it."""
    if SKULLY.is_dir():
        return
    if os.environ.get("CI"):
        pytest.fail(f"{SKULLY} is missing, and CI must have it")
    pytest.skip(f"{SKULLY} is not here")
