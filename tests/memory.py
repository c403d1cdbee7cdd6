"""What processes cost: their proportional share of memory, pages held in common counted once over all of them."""

import re
from contextlib import suppress
from pathlib import Path

from tests.test_demo import children_of


def pss_mb(process_id):
    """The process's proportional share in MB of 1024 kB (Linux); 0 once it is gone."""
    with suppress(OSError):
        told = Path(f"/proc/{process_id}/smaps_rollup").read_text()
        return int(re.search(r"^Pss:\s+(\d+) kB", told, re.MULTILINE)[1]) / 1024
    return 0.0


def family_mb(process_id):
    """The same of a process and all below it, by process."""
    return {number: pss_mb(number) for number in (process_id, *children_of(process_id))}
