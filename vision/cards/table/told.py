"""What is told of a card table: cards laid, turned over, played, discarded, taken; in the words of the rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["placed", "flip", "play", "discard", "roll", "taken"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEvent:
    """One thing that hands did, with the seconds of first motion and of rest.

    `keys` are those of the game's event beside `event` (player, owner, card, pile, from, n, die, face; zone and count
    of cards taken); a name that could not be read and a player who is not known are None. They stay as JSON, to be read
    and not written: only a game knows which of its events have which keys, games from outside too, so its rules hold
    them against what they declare when the event comes to them, and refuse by name what does not fit.

    `confidence` is that of the card's name, `corners_mm` where that card lies, clockwise as seen. `doubt` says why
    nothing at all may have happened: the card may only have been touched; None where that is certain.
    """

    kind: Kind
    zone: str
    keys: Mapping[str, Any] = field(default_factory=dict)
    t_start_s: float
    t_end_s: float
    confidence: float = 1.0
    corners_mm: tuple[tuple[float, float], ...] | None = None
    doubt: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Write it as an event of `linesies rule`, with its zone and times."""
        times = {"t_start": round(self.t_start_s, 4), "t_end": round(self.t_end_s, 4)}
        return {"event": self.kind, **self.keys, "zone": self.zone, **times}
