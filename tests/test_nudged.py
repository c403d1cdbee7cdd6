"""A player who touches his cap so that it moves by a part of its width has shot then: people are asked."""

import numpy as np
import pytest

from linesies.simulator.street.gestures import point, shoot, wait
from linesies.simulator.street.physics import SLIDING_MM_S2
from linesies.vision import Expectation, Shot
from tests.two_on_a_street import eyes_of, lay_two, street_of_two

NOT_LATER_S = 0.25


@pytest.mark.takes_turns(seconds=18)
@pytest.mark.parametrize(("seed", "nudged_mm"), [(502, 9.0), (505, 7.5)])
def test_a_cap_that_a_finger_nudged_is_told_and_one_beside_which_a_hand_only_was_is_not(seed, nudged_mm):
    street = street_of_two(seed=seed)
    rng, world = street.stage.rng(99), street.world
    ana, _ = world.caps
    size_mm = street.board.size_mm[0]

    def acts():
        yield from lay_two(street, (0.42, 0.45), (0.7, 0.75))
        yield from point(world, np.array([0.44, 0.46]) * size_mm, rng)
        yield from wait(1.5)
        yield from shoot(world, ana, np.array([np.sqrt(2 * SLIDING_MM_S2 * nudged_mm), 0.0]), rng)
        yield from wait(2.0)

    street._game = acts()
    watcher = eyes_of(street)
    watcher.expect(Expectation(shooter=ana))
    told = [event for frame in street.frames() for event in watcher.see(frame)] + list(watcher.finish())
    (shot,) = told
    assert isinstance(shot, Shot)
    assert (shot.player, shot.hits, shot.is_shooter_certain) == (ana, (), False)
    assert np.hypot(*(np.array(shot.calls[0].xy_mm) - shot.from_mm)) > 0.7 * nudged_mm
    (truth,) = (done for done in world.truth if done["event"] == "shot")
    assert abs(shot.t_start_s - truth["t_start"]) < NOT_LATER_S
    assert abs(shot.t_end_s - truth["t_end"]) < NOT_LATER_S
