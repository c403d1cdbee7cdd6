"""Looking for a cap that could not be followed: onto paint of its own colour, in the dark, or from a hand.

The judge knows how a cap looks on any ground, but takes a while; so it is asked only when nothing moves, at growing
intervals, and believed when it finds a cap twice in one place.
"""

from dataclasses import dataclass, replace
from math import dist

from linesies.calibration.tuning import ON_FILMS, Tuning, tuned
from linesies.vision.values import Call


@dataclass(frozen=True)
class SearchTuning(Tuning):
    """How often a lost cap is looked for, and when it is believed to be found."""

    first_s: float = tuned(
        0.5, title="from when it is missed to the first look", unit="s", low=0.1, high=5, source=ON_FILMS
    )
    longest_s: float = tuned(8.0, title="longest pause between two looks", unit="s", low=1, high=60, source=ON_FILMS)
    confirm_s: float = tuned(
        0.2, title="from one sighting to the look that is to confirm it", unit="s", low=0.05, high=2, source=ON_FILMS
    )
    patience_s: float = tuned(
        0.3, title="for which that second sighting is waited for", unit="s", low=0.05, high=3, source=ON_FILMS
    )
    hurry_s: float = tuned(
        0.125,
        title="half the pause to a second look, where a shot is to be told",
        unit="s",
        low=0.02,
        high=2,
        source=ON_FILMS,
    )
    same_mm: float = tuned(4.0, title="two sightings within this are one", unit="mm", low=0.5, high=20, source=ON_FILMS)


SEARCH = SearchTuning()


@dataclass(frozen=True, slots=True, kw_only=True)
class Glimpse:
    """Where a cap was found once, and when."""

    call: Call
    t_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """When to look for a cap next, how long to pause after that, and where it was seen once."""

    next_s: float
    pause_s: float
    glimpse: Glimpse | None = None

    @classmethod
    def begun(cls, t_s: float) -> "Search":
        """Begin to look for a cap a while after a time."""
        return cls(next_s=t_s + SEARCH.first_s, pause_s=SEARCH.first_s)

    def is_due(self, t_s: float) -> bool:
        """Tell whether it is time to look."""
        return t_s >= self.next_s

    def hurried(self, t_s: float) -> "Search":
        """Look at once, unless that was done already: the rest of a shot is about to be told."""
        if self.pause_s != SEARCH.first_s or self.glimpse is not None:
            return self
        return replace(self, next_s=min(self.next_s, t_s), pause_s=SEARCH.hurry_s)

    def has_glimpsed(self, t_s: float) -> bool:
        """Tell whether the cap was seen once just now and is to be looked for once more."""
        return self.glimpse is not None and t_s - self.glimpse.t_s < SEARCH.patience_s

    def after(self, call: Call | None, t_s: float) -> tuple["Search", Call | None]:
        """Weigh what the judge found of the cap, where it is due; gives the call too once it is beyond doubt."""
        if not self.is_due(t_s):
            return self, None
        before = self.glimpse
        is_sure = call is not None and before is not None and _apart_mm(call, before.call) < SEARCH.same_mm
        if call is not None and not is_sure:
            return replace(self, glimpse=Glimpse(call=call, t_s=t_s), next_s=t_s + SEARCH.confirm_s), None
        pause_s = min(2 * self.pause_s, SEARCH.longest_s)
        return Search(next_s=t_s + pause_s, pause_s=pause_s), call if is_sure else None


def _apart_mm(one: Call, other: Call) -> float:
    return dist(one.xy_mm, other.xy_mm)
