"""Shots that perhaps nobody took: told only if people leave the caps where they went.

Who kicks or moves a cap by mistake puts it back, and then nothing has happened that anybody need be asked about.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import dist, inf

from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.shots.cap_state import CapState
from linesies.vision.shots.handling import HANDLING
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.values import Event, Expectation, Placed, Shot


@dataclass(frozen=True)
class DoubtedTuning(Tuning):
    """For how long a doubted shot is held back."""

    patience_s: float = tuned(
        2.5,
        title="after all have come to rest",
        unit="s",
        low=0.5,
        high=20,
        source="simulated people put a kicked cap back after 2.0 s; real ones were not measured",
    )


DOUBTED = DoubtedTuning()


class Doubted:
    """Remembers the shots that perhaps nobody took, and what was put down since, until it is seen what people do."""

    def __init__(self) -> None:
        self._held: tuple[Event, ...] = ()

    def pass_on(self, events: tuple[Event, ...], state: SceneState, expected: Expectation) -> tuple[Event, ...]:
        """Hold back what is doubtful of these events, and tell what was held back long enough, in order.

        Nothing is held back where nobody's shot is awaited: then nobody is asked either.
        """
        if not (self._held or events):
            return ()
        held = [e for e in self._held if not (_is_doubtful(e) and _is_put_back(e, state.caps))]
        for event in events:
            earlier = [e for e in held if _is_touched_again(e, event)]
            held = [*(e for e in held if e not in earlier), _joined(earlier, event)]
        is_over = expected.shooter is None or _has_waited(held, state)
        told = len(held) if is_over else _untold_from(held)
        self._held = tuple(held[told:])
        return tuple(held[:told])

    def give_up(self) -> tuple[Event, ...]:
        """Tell what is held back: nobody is waited for any longer."""
        held, self._held = self._held, ()
        return held


def _is_doubtful(event: Event) -> bool:
    """Tell whether perhaps nobody shot, rather than another of the players whose caps moved."""
    if not isinstance(event, Shot):
        return False
    return not event.is_aimed or (not event.is_shooter_certain and len(event.calls) == 1)


def _has_waited(held: list[Event], state: SceneState) -> bool:
    """Tell whether people have had their time, and no cap is in a hand or on its way.

    Of a cap that has no part in it and is not seen to have left its place, something covers that place: a bag that was
    put down there may stay for long.
    """
    shots = [event for event in held if isinstance(event, Shot)]
    theirs = {player for shot in shots for player in (shot.player, *shot.ways)}
    is_handled = any(cap.has_left or cap.player in theirs for cap in state.missed)
    return bool(shots) and not is_handled and state.t_s > shots[0].t_end_s + DOUBTED.patience_s


def _untold_from(held: list[Event]) -> int:
    """Tell how many of them need not wait: all up to the last that is beyond doubt, and what was put down after it."""
    sure = [i for i, event in enumerate(held) if not (_is_doubtful(event) or isinstance(event, Placed))]
    told = sure[-1] + 1 if sure else 0
    return next((i for i, event in enumerate(held) if i >= told and _is_doubtful(event)), len(held))


def _is_touched_again(earlier: Event, event: Event) -> bool:
    """Tell whether a doubtful shot moved but the cap that was moved again: people are asked of it once."""
    is_alone = all(isinstance(e, Shot) and _is_doubtful(e) and len(e.calls) == 1 for e in (earlier, event))
    return is_alone and isinstance(earlier, Shot) and isinstance(event, Shot) and earlier.player == event.player


def _joined(earlier: list[Event], event: Event) -> Event:
    """Take a cap's doubtful moves for one, from where it lay before the first."""
    first = earlier[0] if earlier else None
    if not isinstance(first, Shot) or not isinstance(event, Shot):
        return event
    return replace(event, from_mm=first.from_mm, t_start_s=first.t_start_s, ways={})


def _is_put_back(event: Event, caps: Mapping[str, CapState]) -> bool:
    """Tell whether all caps that went somewhere in a shot lie again where they lay before."""
    if not isinstance(event, Shot):
        return False
    ways_mm = list(_away_mm(event, caps))  # none of a cap that lay nowhere before, which is put back nowhere
    return bool(ways_mm) and all(away_mm < HANDLING.put_back_mm for away_mm in ways_mm)


def _away_mm(shot: Shot, caps: Mapping[str, CapState]) -> Iterator[float]:
    """Measure how far each of the caps lies from where it lay; one that is missed lies nowhere."""
    lay_mm = {player: (way[0][1], way[0][2]) for player, way in shot.ways.items()}
    if shot.from_mm is not None:
        lay_mm[shot.player] = shot.from_mm
    for player, lay in lay_mm.items():
        place = None if caps[player].is_missed else caps[player].place
        yield inf if place is None else dist(place.xy_mm, lay)
