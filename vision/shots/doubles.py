"""Caps that look alike: whose is whose is a guess until one is put down in its turn, and again once two have met."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from linesies.vision.caps.cap import Cap, doubles
from linesies.vision.shots.contacts import CONTACT
from linesies.vision.shots.moved import Movement
from linesies.vision.shots.track import Track
from linesies.vision.values import Expectation

STEP_S = 0.005  # between two looks at how far apart two ways are


def guesses(
    before: frozenset[str], moved: Iterable[Movement], caps: Iterable[Cap], expected: Expectation
) -> frozenset[str]:
    """Tell of whose caps nobody knows any more, or yet, that they are theirs, after these moved."""
    found, listed = list(moved), list(caps)
    awaited = {*expected.placing, expected.shooter}
    met, one_of_two_awaited = set[str](), set[str]()
    for pair in doubles(listed):
        tracks = [m.track for m in found if m.player in pair and m.track is not None]
        met |= {*pair} if len(tracks) == len(pair) and _have_met(*tracks) else set()
        one_of_two_awaited |= {*pair} if awaited.issuperset(pair) else set()
    put_down = {m.player for m in found if m.from_mm is None}
    return frozenset(before - ((put_down & awaited) - one_of_two_awaited) | met)


def guessed(m: Movement) -> Movement:
    """Doubt all that is told of a cap that may be another's."""
    return replace(m, is_guess=True, call=replace(m.call, is_certain=False))


def _have_met(one: Track, other: Track) -> bool:
    """Tell whether two caps came as near to each other, while either was on its way, as caps that touch seem to."""
    start_s, end_s = min(one.t_start_s, other.t_start_s), max(one.t_end_s, other.t_end_s)
    times_s = np.arange(start_s, end_s + STEP_S, STEP_S)
    apart_mm = np.hypot(*(one.at(times_s) - other.at(times_s)).T) - one.radius_mm - other.radius_mm
    return bool(apart_mm.min() < CONTACT.near_mm)
