"""Hold the answers of two machines side by side: which lines are equal, and how far apart the numbers of others are."""  # noqa: INP001 - a script

import json
import sys
from pathlib import Path
from typing import Any

MOST = 1.0  # millimetres or pixels


def apart(one: Any, other: Any) -> float:
    """Tell by how much two answers differ at most: 0 when they are equal, endless when they say different things."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return max((apart(one[key], other[key]) for key in one), default=0.0)
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return max((apart(a, b) for a, b in zip(one, other, strict=True)), default=0.0)
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other)
    return 0.0 if one == other else float("inf")


def main(ours: str, theirs: str) -> int:
    """Print a line for each answer; returns 1 where any differs by more than `MOST`."""
    lines = [Path(name).read_text(encoding="utf-8").splitlines() for name in (ours, theirs)]
    worst = 0.0
    for number, (one, other) in enumerate(zip(*lines, strict=True), start=1):
        difference = 0.0 if one == other else apart(json.loads(one), json.loads(other))
        worst = max(worst, difference)
        sys.stdout.write(
            f"answer {number}: {'the same bytes' if one == other else f'apart by {difference:g} at most'}\n"
        )
    return int(worst > MOST)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
