"""What truly happened at a card table, as an event of the rules."""

from typing import Any

from linesies.simulator.cards.world import Truth

TRUTH_ONLY = ("t", "t_start", "t_clear", "zone", "pile")


def card_event(truth: Truth) -> dict[str, Any]:
    """Write a truth as an event of `linesies rule`."""
    left_out = TRUTH_ONLY if truth["event"] == "placed" else TRUTH_ONLY[:-1]
    return {key: value for key, value in truth.items() if key not in left_out}
