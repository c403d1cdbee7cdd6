"""What lies there at first and may be a listed cap, though that one was found elsewhere, or nowhere.

Litter never moves, and a cap does: a lookalike that leaves its place was the cap all along.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from linesies.vision.shots.cap_state import PHASES
from linesies.vision.shots.onset import PlaceHistory
from linesies.vision.shots.place import PLACE, Place, Presence
from linesies.vision.shots.small_view import SmallView
from linesies.vision.values import Resemblance


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lookalike:
    """A place in which a cap may lie instead, how it has looked lately, and since when it has looked bare."""

    history: PlaceHistory
    presence: Presence = Presence.THERE
    last_there_s: float
    bare_s: float | None = None

    @property
    def place(self) -> Place:
        """Where it lies."""
        return self.history.place

    @property
    def player(self) -> str:
        """Whose cap it may be."""
        return self.place.cap.player

    def looked_at(self, presence: Presence, history: PlaceHistory, t_s: float) -> "Lookalike":
        """Note how its place looks now."""
        bare_s = (t_s if self.bare_s is None else self.bare_s) if presence is Presence.BARE else None
        last_there_s = t_s if presence is Presence.THERE else self.last_there_s
        return replace(self, history=history, presence=presence, last_there_s=last_there_s, bare_s=bare_s)

    def has_left(self, t_s: float) -> bool:
        """Tell whether it has left its place, rather than that light or a hand made that look bare for a moment."""
        return self.bare_s is not None and t_s - self.bare_s >= PHASES.back_s


def lookalikes_of(
    resemblances: Iterable[Resemblance], places: Mapping[str, Place], view: SmallView, t_s: float
) -> tuple[Lookalike, ...]:
    """Take from what the judge saw in a first scene all that may be a cap, but where caps were found to lie."""
    taken, found = list(places.values()), []
    for resemblance in resemblances:
        place = view.place_of(resemblance)
        if place is not None and not any(_is_over(place, other) for other in taken):
            taken.append(place)
            found.append(Lookalike(history=PlaceHistory.of(place), last_there_s=t_s))
    return tuple(found)


def _is_over(place: Place, other: Place) -> bool:
    """Tell whether two places are one: no two caps lie so near."""
    apart = float(np.hypot(*(place.centre_small - other.centre_small)))
    return apart < PLACE.overlap * (place.radius_small + other.radius_small)
