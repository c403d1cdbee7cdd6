"""The caps whose ways are known to have ended."""

from dataclasses import dataclass

from linesies.vision.shots.arrival import Arrival
from linesies.vision.shots.moved import Movement
from linesies.vision.shots.scene_state import SceneState


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ends:
    """All caps whose ways are known to have ended: those at rest, and those that are out of sight."""

    arrivals: tuple[Arrival, ...]
    gone: tuple[Movement, ...]

    @property
    def is_empty(self) -> bool:
        """Tell whether no way has ended."""
        return not (self.arrivals or self.gone)

    def moved(self, state: SceneState) -> list[Movement]:
        """List the caps that are out of sight, and all that are to be told of."""
        return [*self.gone, *(m for shot in state.shots for m in shot.moved)]

    def players(self, state: SceneState) -> set[str]:
        """Name all these, and those at rest."""
        return {arrival.player for arrival in self.arrivals} | {m.player for m in self.moved(state)}

    def set_off_s(self, state: SceneState) -> list[float]:
        """Tell when they set off, as far as that was seen."""
        missed_s = [(state.caps[arrival.player].missed_s, arrival.since_s) for arrival in self.arrivals]
        starts_s = [since_s if left_s is None else left_s for left_s, since_s in missed_s]  # None: it lay nowhere
        return starts_s + [m.track.t_start_s for m in self.moved(state) if m.is_seen_flying and m.track is not None]


class InSight(Ends):
    """Those of them that ended in sight, or over the picture's border."""
