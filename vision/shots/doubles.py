"""Caps that look alike and met on their ways: which of them came to rest where is a guess, and is told as one."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from linesies.vision.caps.cap import Cap, doubles
from linesies.vision.shots.contacts import CONTACT
from linesies.vision.shots.moved import Movement
from linesies.vision.shots.track import Track

STEP_S = 0.005  # between two looks at how far apart two ways are


def guessed(moved: Iterable[Movement], caps: Iterable[Cap]) -> list[Movement]:
    """Doubt the calls on caps that look alike, as they are listed, and that met: nobody saw which went on as which."""
    found = list(moved)
    tracks = {m.player: m.track for m in found if m.track is not None}
    met = {
        player
        for pair in doubles([cap for cap in caps if cap.player in tracks])
        if _have_met(*(tracks[player] for player in pair))
        for player in pair
    }
    return [replace(m, call=replace(m.call, is_certain=False)) if m.player in met else m for m in found]


def _have_met(one: Track, other: Track) -> bool:
    """Tell whether two caps came as near to each other, while either was on its way, as caps that touch seem to."""
    start_s, end_s = min(one.t_start_s, other.t_start_s), max(one.t_end_s, other.t_end_s)
    times_s = np.arange(start_s, end_s + STEP_S, STEP_S)
    apart_mm = np.hypot(*(one.at(times_s) - other.at(times_s)).T) - one.radius_mm - other.radius_mm
    return bool(apart_mm.min() < CONTACT.near_mm)
