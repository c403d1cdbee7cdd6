"""One cap that does not lie where it lay: what is known of its way, and what is thought to have moved it."""

from dataclasses import dataclass, replace
from enum import Enum
from math import dist, inf

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.shots.onset import PlaceHistory
from linesies.vision.shots.track import TRACK, Track
from linesies.vision.values import Call


@dataclass(frozen=True)
class MovedTuning(Tuning):
    """Whether a cap may lie where it seems to."""

    over_radii: float = tuned(
        0.6,
        title="of two caps' radii: nearer, one of two that have just come to rest is a part of the other",
        unit="1",
        low=0.2,
        high=1,
        source=by_hand_in("753e3a8"),
    )


MOVED = MovedTuning()


class MovementCause(Enum):
    """What is thought to have moved a cap."""

    FLOWN = "it went by itself: it was shot, or pushed by one that was"
    LEFT_VIEW = "it went by itself, out of the picture"
    VANISHED = "it went by itself, into light that blinds: where it came to rest nobody sees"
    UNSEEN = "it lies where no hand has been since it left: it went by itself, though nobody saw it go"
    CARRIED = "it lies elsewhere, and nobody saw it go by itself: a hand may have put it there"
    TOUCHED = "it lies nearly where it lay, and something lay over it for a while: a hand may have shifted it"
    STIRRED = "it lies nearly where it lay, and no hand was over it: another cap has pushed it"
    NUDGED = "it may not have moved at all"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Movement:
    """One cap that does not lie where it lay: its call, what moved it, and its way as far as it was seen.

    `track` is None for a cap that moved too little to be followed; `from_mm` is None for one that was not on
    the board before. `history` is that of its old place; `is_clear` says that it moved beyond doubt, `is_measured` that
    the judge found it there, `is_timed` that its place showed when it set off. `past_mm` are the places in which it
    lay before `from_mm`, the latest first. `is_lit` says that light blinded nobody to any of its way, `is_guess` that
    it looks like another listed cap and may be that one.
    """

    call: Call
    from_mm: tuple[float, float] | None
    track: Track | None
    cause: MovementCause
    history: PlaceHistory | None = None
    is_timed: bool = False
    is_clear: bool = True
    is_measured: bool = True
    past_mm: tuple[tuple[float, float], ...] = ()
    is_lit: bool = True
    is_guess: bool = False

    @property
    def is_sure(self) -> bool:
        """Tell whether it was seen on all its way, and whose it is."""
        return self.is_lit and not self.is_guess and self.cause is not MovementCause.UNSEEN

    @property
    def is_flown(self) -> bool:
        """Tell whether it went by itself."""
        return self.is_seen_flying or self.cause is MovementCause.UNSEEN

    @property
    def is_seen_flying(self) -> bool:
        """Tell whether it was seen going by itself, so that its way says when."""
        return self.cause in (MovementCause.FLOWN, MovementCause.LEFT_VIEW, MovementCause.VANISHED)

    @property
    def is_handled(self) -> bool:
        """Tell whether a hand may have moved it."""
        return self.cause in (MovementCause.CARRIED, MovementCause.TOUCHED)

    @property
    def has_left_view(self) -> bool:
        """Tell whether it is out of sight: out of the picture, or in light that blinds."""
        return self.cause in (MovementCause.LEFT_VIEW, MovementCause.VANISHED)

    @property
    def is_slight(self) -> bool:
        """Tell whether it may not have moved at all."""
        return self.cause is MovementCause.NUDGED

    @property
    def player(self) -> str:
        """Whose cap it is."""
        return str(self.call.player)

    @property
    def followed(self) -> Track:
        """Its way, to be asked for only where it was followed."""
        assert self.track is not None, f"{self.player}'s cap moved too little to be followed"
        return self.track

    def is_over(self, other: "Movement") -> bool:
        """Tell whether it would lie on another cap."""
        reach_mm = MOVED.over_radii * (self.call.diameter_mm + other.call.diameter_mm) / 2
        return dist(self.call.xy_mm, other.call.xy_mm) < reach_mm

    @property
    def way_mm(self) -> float:
        """How far it lies from where it lay."""
        return inf if self.from_mm is None else dist(self.from_mm, self.call.xy_mm)

    def timed(self) -> "Movement":
        """Put right when it set off, where its place shows that."""
        if self.history is None or self.track is None or not self.is_flown:
            return self
        t_s = self.history.set_off_s(missed_s=self.track.t_start_s)
        if t_s is None or not self.track.t_start_s - TRACK.late_s < t_s < self.track.t_end_s:
            return self
        return replace(self, track=self.track.set_off_at(t_s), is_timed=True)
