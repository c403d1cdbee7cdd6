"""When to tell: once no cap is waited for any more that belongs to the shot."""

from dataclasses import dataclass

from linesies.vision.shots.doubles import guessed
from linesies.vision.shots.latest_frames import LatestFrames
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.tell import tell
from linesies.vision.shots.told import FrameDone
from linesies.vision.values import Event, Expectation


@dataclass(frozen=True, slots=True, kw_only=True)
class Told(FrameDone):
    """All that is known has been told; of caps that nobody had seen on the board before, nothing."""


def tell_when_all_known(state: SceneState, expected: Expectation, latest: LatestFrames) -> Told | FrameDone:
    """Tell what is known, unless a cap of the same shot is still waited for."""
    return FrameDone() if state.is_waiting else tell_known(state, expected, latest)


def tell_known(state: SceneState, expected: Expectation, latest: LatestFrames) -> Told | FrameDone:
    """Tell what is known of the caps that moved."""
    if not state.shots:
        return FrameDone()
    news = {player for player, cap in state.caps.items() if cap.is_news}
    events: list[Event] = []
    caps = [cap.cap for cap in state.caps.values()]
    for shot in state.shots:
        moved = guessed([m for m in shot.moved if m.player in news], caps)
        news |= {m.player for m in shot.moved}
        events += tell(moved, frame_s=latest.frame_s, t_end_s=shot.t_end_s, expected=expected)
    return Told(events=tuple(events))
