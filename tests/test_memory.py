"""Memory that a camera's frames take is kept from frame to frame, whatever sensor they come from."""

import subprocess
import sys

import pytest

from linesies.benchmarks.mounting import MODES

FRAMES = 60
FAULTS = """
import resource, sys
import numpy as np
from linesies.device.memory import hold_little
hold_little()
rows, width = int(sys.argv[1]) * 3 // 2, int(sys.argv[2])
def look():
    np.zeros((rows, width), np.uint8).fill(1)
for _ in range(3):
    look()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(int(sys.argv[3])):
    look()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.parametrize("size_px", sorted({mode.size_px for mode in MODES}))
def test_no_page_is_fetched_anew_for_a_frame(size_px):
    width, height = size_px
    command = [sys.executable, "-c", FAULTS, str(height), str(width), str(FRAMES)]
    faults = int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert faults < FRAMES  # of hundreds of pages each
