"""What is on the disk: what a power cut takes back no more."""

import os
from pathlib import Path


def keep(there: Path) -> None:
    """Have what is in a file, or which names are in a folder, be on the disk."""
    opened = os.open(there, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
