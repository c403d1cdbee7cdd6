"""When to tell: once no cap is waited for any more that belongs to the shot."""

from dataclasses import dataclass, replace

from linesies.vision.shots.doubles import guessed, guesses
from linesies.vision.shots.flights import has_glided
from linesies.vision.shots.latest_frames import LatestFrames
from linesies.vision.shots.moved import Movement
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.tell import tell
from linesies.vision.shots.told import FrameDone
from linesies.vision.values import Event, Expectation, Shot


@dataclass(frozen=True, slots=True, kw_only=True)
class AllTold(FrameDone):
    """All that is known has been told; of caps that nobody had seen on the board before, only what they were seen do.

    `guesses` are those whose caps may now be another's.
    """

    guesses: frozenset[str]


def tell_when_all_known(state: SceneState, expected: Expectation, latest: LatestFrames) -> AllTold | FrameDone:
    """Tell what is known, unless a cap of the same shot is still waited for."""
    return FrameDone() if state.is_waiting else tell_known(state, expected, latest)


def tell_known(state: SceneState, expected: Expectation, latest: LatestFrames) -> AllTold | FrameDone:
    """Tell what is known of the caps that moved."""
    if not state.shots:
        return FrameDone()
    news = {player for player, cap in state.caps.items() if cap.is_news}
    events: list[Event] = []
    caps = [cap.cap for cap in state.caps.values()]
    doubted = frozenset(player for player, cap in state.caps.items() if cap.is_guess)
    for shot in state.shots:
        doubted = guesses(doubted, shot.moved, caps, expected)
        moved = [guessed(m) if m.player in doubted else m for m in shot.moved if m.player in news or _is_seen_moving(m)]
        news |= {m.player for m in shot.moved}
        told = tell(moved, frame_s=latest.frame_s, t_end_s=shot.t_end_s, expected=expected)
        events += [
            _of_unsure_shooter(event, expected) if state.may_have_hidden(shot.moved) else event for event in told
        ]
    return AllTold(events=tuple(events), guesses=doubted)


def _is_seen_moving(m: Movement) -> bool:
    """Tell whether a cap was seen going by itself: flicked by the hand that laid it, it never lay there to be seen."""
    return m.track is not None and has_glided(m.track)


def _of_unsure_shooter(event: Event, expected: Expectation) -> Event:
    """Doubt who shot, unless he was to: another's cap that nobody sees may have struck his."""
    if isinstance(event, Shot) and event.player != expected.shooter:
        return replace(event, is_shooter_certain=False)
    return event
