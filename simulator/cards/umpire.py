"""What truly happened at a card table, as an event of the rules."""

from collections.abc import Mapping
from typing import Any

TRUTH_ONLY = ("t", "t_start", "t_clear", "zone", "pile")


def card_event(truth: Mapping[str, Any]) -> dict[str, Any]:
    """Write a truth as an event of `linesies rule`."""
    left_out = TRUTH_ONLY if truth["event"] == "placed" else TRUTH_ONLY[:-1]
    return {key: value for key, value in truth.items() if key not in left_out}
