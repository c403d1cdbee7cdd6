"""A simulated street on which two players' caps lie, for tests that say themselves what happens then."""

from dataclasses import replace

import numpy as np

from linesies.simulator.street.gestures import wait
from linesies.simulator.street.stage import Wishes
from linesies.simulator.street.street import SimulatedStreet
from linesies.vision import Watcher

KNOWN_AFTER_S = 1.5  # eyes have opened by then


def street_of_two(*, seed=502):
    return SimulatedStreet(wishes=Wishes(seed=seed, players=2, size_px=(960, 540), fps=30))


def lay_two(street, first, second):
    """Put both caps down at shares of the board's side, and wait till eyes know them."""
    for player, at in zip(street.world.caps, (first, second), strict=True):
        street.world.put(player, np.array(at) * street.board.size_mm[0])
    yield from wait(KNOWN_AFTER_S)


def calibration_of(street):
    return replace(street.stage.truth, empty_bgr=street.empty_bgr)


def eyes_of(street):
    return Watcher(calibration_of(street), street.caps)
