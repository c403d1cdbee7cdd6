"""What lies there at first and may be a listed cap, though that one was found elsewhere, or nowhere.

Litter never moves, and a cap does: a lookalike that leaves its place was the cap all along.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from linesies.vision.picture.background import BACKGROUND
from linesies.vision.shots.cap_state import PHASES, CapState
from linesies.vision.shots.onset import PlaceHistory
from linesies.vision.shots.place import PLACE, Place, Presence
from linesies.vision.shots.small_view import SmallView
from linesies.vision.values import Resemblance


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lookalike:
    """A place in which a cap may lie instead, how it has looked lately, since when so, and when last as at first.

    `was_named` is so of where the cap was thought to lie, until another place was left in which it may have lain.
    """

    history: PlaceHistory
    was_named: bool = False
    presence: Presence = Presence.THERE
    since_s: float
    last_there_s: float

    @classmethod
    def of(cls, cap: CapState, t_s: float) -> "Lookalike | None":
        """Take the place in which a cap was thought to lie until now; None where it lay nowhere, or has left it."""
        if cap.history is None or cap.has_left:
            return None
        return cls(
            history=cap.history,
            was_named=True,
            presence=Presence.COVERED if cap.is_missed else Presence.THERE,
            since_s=t_s,
            last_there_s=t_s if cap.last_there_s is None else cap.last_there_s,
        )

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
        since_s = self.since_s if presence is self.presence else t_s
        last_there_s = t_s if presence is Presence.THERE else self.last_there_s
        return replace(self, history=history, presence=presence, since_s=since_s, last_there_s=last_there_s)

    def has_left(self, t_s: float) -> bool:
        """Tell whether it has left its place, rather than that light or a hand made that look bare for a moment."""
        return self.presence is Presence.BARE and t_s - self.since_s >= PHASES.gone_s

    def looks_otherwise_for_good(self, t_s: float) -> bool:
        """Tell whether its place has looked otherwise for longer than a hand lies there: a leaf has turned."""
        return t_s - self.last_there_s >= BACKGROUND.lie_s


def lookalikes_of(
    resemblances: Iterable[Resemblance], places: Mapping[str, Place], view: SmallView, t_s: float
) -> tuple[Lookalike, ...]:
    """Take from what the judge saw in a first scene all that may be a cap, but where caps were found to lie."""
    taken, found = list(places.values()), []
    for resemblance in resemblances:
        place = view.place_of(resemblance)
        if place is not None and not any(_is_over(place, other) for other in taken):
            taken.append(place)
            found.append(Lookalike(history=PlaceHistory.of(place), since_s=t_s, last_there_s=t_s))
    return tuple(found)


def _is_over(place: Place, other: Place) -> bool:
    """Tell whether two places are one: no two caps lie so near."""
    apart = float(np.hypot(*(place.centre_small - other.centre_small)))
    return apart < PLACE.overlap * (place.radius_small + other.radius_small)
