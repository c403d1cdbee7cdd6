"""Caps that have long left their places and lie nowhere: people have taken them from the board."""

from dataclasses import dataclass

from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.shots.arrivals import Whereabouts, assign
from linesies.vision.shots.ends import Ends
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.still_blobs import Stills


@dataclass(frozen=True)
class TakingUpTuning(Tuning):
    """For how long a cap that people take up is waited for."""

    bare_s: float = tuned(
        5.0,
        title="for which its place must be bare to count as taken from the board",
        unit="s",
        low=1,
        high=60,
        source=BY_HAND,
    )


TAKING_UP = TakingUpTuning()


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenUp:
    """The caps that people have taken from the board."""

    players: tuple[str, ...]


def take_up(state: SceneState, ends: Ends, where: Whereabouts, stills: Stills) -> TakenUp | None:
    """Find the caps that have long left their places and lie nowhere: people have taken them from the board."""
    bare = [cap for cap in state.missed if cap.bare_s is not None and cap.bare_s <= state.t_s - TAKING_UP.bare_s]
    if not ends.is_empty or not (bare and state.is_calm):
        return None
    coming = assign(stills.now, state.missed, state)
    players = [
        cap.player
        for cap in bare
        if cap.player not in coming and cap.player not in where.on_their_way and not cap.has_glimpsed(state.t_s)
    ]
    return TakenUp(players=tuple(players)) if players else None
