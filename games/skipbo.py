"""Skip-Bo: building piles from one to twelve, with a die."""

from linesies.games.game import Cards, Game, Rectangle
from linesies.rules.skipbo.game import SKIPBO as RULES

PILE_MM = (84.0, 116.0)
APART_MM = 12.0


def _row(*names: str) -> dict[str, Rectangle]:
    """Lay places of a pile's size side by side in the mat's middle."""
    wide, tall = PILE_MM
    left = -3 * wide - 30
    xs = [left + i * (wide + APART_MM) for i in range(len(names))]
    return {name: (x, -tall / 2, x + wide, tall / 2) for name, x in zip(names, xs, strict=True)}


SKIPBO = Game(
    rules=RULES,
    seen=Cards(
        seat_mm=(420.0, 115.0),
        middle_mm=(570.0, 150.0),
        most=6,
        between=_row("draw", "pile1", "pile2", "pile3", "pile4", "die"),
    ),
    own_events=frozenset({"turn_up", "draw", "roll", "play", "discard", "opponent_draws", "end_turn", "notice"}),
    decisive={"stock_finished": 8},
)
