"""Light that blinds: what a cap does where it saturates the cap or the ground is not seen, and is told as doubtful."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from linesies.vision.shots.cap_state import CapState
from linesies.vision.shots.moved import Movement
from linesies.vision.shots.scenery import Scenery
from linesies.vision.shots.small_view import SmallView
from linesies.vision.shots.track import Track
from linesies.vision.values import Call

LOOKS = 49  # along a way: on the longest, five centimetres apart
BESIDE_RADII = 3.0  # so near light that blinds a cap is seen first or last: at its rim it is faint


def in_glare(m: Movement, cap: CapState, scenery: Scenery, view: SmallView) -> Movement:
    """Doubt what is told of a cap whose way led through glare, and where it lies if it ended there."""
    if scenery.paint.light is None:
        return m
    is_lit = not is_blinded(cap, _along(m), scenery, view)
    call = m.call if m.has_left_view else call_in_glare(m.call, cap, scenery, view)
    return replace(m, is_lit=is_lit, call=call)


def call_in_glare(call: Call, cap: CapState, scenery: Scenery, view: SmallView) -> Call:
    """Doubt a call on a cap that lies where light blinds: a fit may have found anything there."""
    return replace(call, is_certain=False) if is_blinded(cap, np.array([call.xy_mm]), scenery, view) else call


def came_out_of_light(track: Track, cap: CapState, scenery: Scenery, view: SmallView) -> bool:
    """Tell whether a cap that lay nowhere was seen first beside light that blinds, and came from there."""
    if cap.place is not None or not scenery.is_blinded:
        return False
    back_mm = np.linspace(0, BESIDE_RADII * track.radius_mm, LOOKS)
    way_mm = track.first_way_mm
    before_mm = track.xy_mm[0] - back_mm[:, None] * way_mm / max(float(np.hypot(*way_mm)), 1e-9)
    return is_blinded(cap, before_mm, scenery, view)


def is_blinded(cap: CapState, xy_mm: NDArray[np.float64], scenery: Scenery, view: SmallView) -> bool:
    """Tell whether light saturates a cap, or the ground, at any of some points (N, 2) of the board."""
    return any(scenery.is_blinded_at(cap.column, xy_small) for xy_small in view.to_small(cap.cap, xy_mm))


def _along(m: Movement) -> NDArray[np.float64]:
    """Take points (N, 2) of the board all along a way; where it was not seen, it led straight on."""
    ends_mm = np.array([xy_mm for xy_mm in (m.from_mm, m.call.xy_mm) if xy_mm is not None])
    if m.track is None:
        return ends_mm
    return np.vstack([ends_mm, m.track.at(np.linspace(m.track.t_start_s, m.track.t_end_s, LOOKS))])
