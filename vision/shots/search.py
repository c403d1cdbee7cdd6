"""Looking for caps that could not be followed: onto paint of their own colour, in the dark, or from a hand.

The judge knows how a cap looks on any ground, but takes a while; so it is asked only when nothing moves, at growing
intervals, and believed when it finds a cap twice in one place.
"""

from dataclasses import dataclass

import numpy as np

from linesies.vision.values import Call

SAME_MM = 4.0
CONFIRM_S = 0.2  # between two sightings in one place
PATIENCE_S = 0.3  # for which the second is waited for
FIRST_S = 0.5  # after a cap was missed
HURRY_S = 0.125  # half of the pause before a second look, where a shot is about to be told
LONGEST_S = 8.0  # between two looks


@dataclass(frozen=True, slots=True, kw_only=True)
class _Glimpse:
    call: Call
    t_s: float


class Search:
    """Remembers when to look for which cap again, and where one was seen once."""

    def __init__(self) -> None:
        self._glimpses: dict[str, _Glimpse] = {}
        self._next_s: dict[str, float] = {}
        self._pause_s: dict[str, float] = {}

    def is_due(self, players: list[str], t_s: float) -> bool:
        """Tell whether it is time to look for one of these caps."""
        for player in [p for p in self._next_s if p not in players]:
            del self._next_s[player], self._pause_s[player]
            self._glimpses.pop(player, None)
        for player in players:
            if player not in self._next_s:
                self._next_s[player], self._pause_s[player] = t_s + FIRST_S, FIRST_S
        return any(t_s >= self._next_s[player] for player in players)

    def hurry(self, t_s: float) -> bool:
        """Look at once for all that have not been looked for yet, for the rest of a shot is about to be told.

        Tells whether there is one.
        """
        hurried = [p for p, pause_s in self._pause_s.items() if pause_s == FIRST_S and p not in self._glimpses]
        for player in hurried:
            self._next_s[player], self._pause_s[player] = min(self._next_s[player], t_s), HURRY_S
        return bool(hurried)

    def is_on_to(self, player: str, t_s: float) -> bool:
        """Tell whether a cap was seen once just now and is to be looked for once more."""
        return player in self._glimpses and t_s - self._glimpses[player].t_s < PATIENCE_S

    def see(self, calls: dict[str, Call], t_s: float) -> list[Call]:
        """Weigh what was found of the caps that are looked for; returns those that are there beyond doubt."""
        sure = []
        for player, next_s in self._next_s.items():
            if t_s < next_s:
                continue
            call, before = calls.get(player), self._glimpses.pop(player, None)
            if call is not None and before is not None and _apart_mm(call, before.call) < SAME_MM:
                sure.append(call)
            elif call is not None:
                self._glimpses[player] = _Glimpse(call=call, t_s=t_s)
                self._next_s[player] = t_s + CONFIRM_S
                continue
            self._pause_s[player] = min(2 * self._pause_s[player], LONGEST_S)
            self._next_s[player] = t_s + self._pause_s[player]
        return sure


def _apart_mm(one: Call, other: Call) -> float:
    return float(np.hypot(one.xy_mm[0] - other.xy_mm[0], one.xy_mm[1] - other.xy_mm[1]))
