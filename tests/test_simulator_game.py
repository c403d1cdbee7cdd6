"""A simulated game follows the rules to a winner, and tells truly what happened."""

from itertools import islice

import numpy as np
import pytest

from linesies.device.errors import BadInput
from linesies.simulator.street.naming import SMALL as SMALL_AND_SLOW
from linesies.simulator.street.naming import open_simulator, read_wishes
from linesies.simulator.street.people import People
from linesies.simulator.street.physics import SLIDING_MM_S2, Pavement
from linesies.simulator.street.stage import Wishes
from linesies.simulator.street.street import SimulatedStreet
from linesies.simulator.street.truth import first_hits

SMALL = (320, 180)  # pictures are small where only the game matters


def small_street(seed, **wishes):
    return SimulatedStreet(wishes=Wishes(seed=seed, size_px=SMALL, **wishes))


def play_out(street, limit_s=1500.0):
    """Play without pictures until somebody has won; tells when."""
    for t_s in street.play():
        if street.is_over or t_s > limit_s:
            return t_s
    return None


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_whole_game_ends_with_a_winner_in_a_few_minutes(seed):
    street = small_street(seed, players=2 + seed % 3)
    took_s = play_out(street)
    assert street.is_over
    assert took_s < 1500
    shots = [t for t in street.truth if t["event"] == "shot"]
    assert len(shots) > 15
    assert any(shot["hits"] for shot in shots)


def test_equal_seeds_give_equal_games_and_others_others():
    games = []
    for seed in (7, 7, 8):
        street = small_street(seed)
        for t_s in street.play():
            if t_s > 40:
                break
        games.append(street.truth)
    assert games[0] == games[1]
    assert games[0] != games[2]


def test_equal_seeds_give_equal_pictures():
    frames = [[f.pixels for f, _ in zip(small_street(5).frames(), range(150), strict=False)] for _ in range(2)]
    assert len(frames[0]) == 150
    assert all((a == b).all() for a, b in zip(*frames, strict=True))


def test_the_first_second_is_still():
    street = small_street(3)
    first = next(frames := street.frames())
    still = [first.bgr.astype(float)] + [next(frames).bgr.astype(float) for _ in range(57)]
    early, late = np.mean(still[:20], axis=0), np.mean(still[38:], axis=0)
    assert np.abs(early - late).max() < 6


def test_a_source_gives_numbered_frames_on_time_and_may_be_closed_twice():
    with open_simulator("street", {"seed": "2", "speed": "max"}) as street:
        assert street.size_px == (1280, 720)
        assert street.fps == 60
        assert not street.is_live
        frames = [frame for frame, _ in zip(street.frames(), range(5), strict=False)]
    street.close()
    assert [frame.number for frame in frames] == [0, 1, 2, 3, 4]
    assert frames[3].t_s == pytest.approx(0.05)
    assert frames[0].luma.shape == (720, 1280)
    assert list(street.frames()) == []


def test_a_smaller_and_slower_camera_shows_the_same_game():
    whole = list(islice(SimulatedStreet(wishes=read_wishes("street", {"seed": "3"})).frames(), 7))
    small = list(islice(SimulatedStreet(wishes=read_wishes("street", {"seed": "3", **SMALL_AND_SLOW})).frames(), 3))
    assert [frame.t_s for frame in small] == [frame.t_s for frame in whole[::3]]
    assert [frame.number for frame in small] == [0, 1, 2]
    assert small[0].bgr.shape == (360, 640, 3)


def test_real_time_leaves_frames_out_rather_than_fall_behind():
    street = SimulatedStreet(wishes=Wishes(seed=2, size_px=SMALL), speed=50.0)
    assert street.is_live
    numbers = [frame.number for frame, _ in zip(street.frames(), range(12), strict=False)]
    assert numbers == sorted(numbers)


def test_truth_agrees_with_where_caps_lie():
    street = small_street(4, players=2)
    for _ in street.play():
        if street.truth and street.truth[-1]["event"] == "shot":
            break
    shot = street.truth[-1]
    place = shot["rest"][shot["player"]]
    assert np.allclose(street.world.pavement.xy_mm(shot["player"]), (place["x"], place["y"]), atol=1e-3)
    assert shot["t_start"] < shot["t_end"]


def test_a_sliding_cap_stops_where_friction_says():
    pavement = Pavement()
    pavement.put("ana", np.array([0.0, 0.0]), 30.0)
    pavement.flick("ana", np.array([1500.0, 0.0]), 0.0)
    pavement.wait(2.0)
    assert pavement.is_at_rest
    assert pavement.xy_mm("ana")[0] == pytest.approx(1500**2 / (2 * SLIDING_MM_S2), rel=0.01)
    assert pavement.slide.still_s == pytest.approx(1500 / SLIDING_MM_S2, abs=0.01)


def test_a_cap_that_is_struck_moves_and_the_touch_is_known():
    pavement = Pavement()
    for i, player in enumerate(("ana", "bo", "cal")):
        pavement.put(player, np.array([100.0 * i, 0.0]), 30.0)
    pavement.flick("ana", np.array([2000.0, 0.0]), 0.0)
    pavement.wait(3.0)
    assert [touch.players for touch in pavement.slide.touches] == [("ana", "bo"), ("bo", "cal")]
    assert pavement.xy_mm("cal")[0] > 210


def test_a_cap_that_passes_close_by_touches_nothing():
    pavement = Pavement()
    pavement.put("ana", np.array([0.0, 0.0]), 30.0)
    pavement.put("bo", np.array([200.0, 31.0]), 30.0)
    pavement.flick("ana", np.array([1500.0, 0.0]), 0.0)
    pavement.wait(3.0)
    assert pavement.slide.touches == []
    assert tuple(pavement.xy_mm("bo")) == (200.0, 31.0)


def test_each_cap_is_hit_once_by_one_that_moved_before():
    touches = [("ana", "bo"), ("bo", "cal"), ("ana", "cal"), ("dee", "eve"), ("cal", "ana")]
    assert first_hits("ana", touches) == [["ana", "bo"], ["bo", "cal"]]


@pytest.mark.parametrize(
    ("place", "options", "named"),
    [
        ("beach", {}, "beach"),
        ("street", {"sed": "1"}, "sed"),
        ("street", {"seed": "x"}, "seed"),
        ("street", {"ground": "lava"}, "lava"),
        ("street", {"players": "9"}, "9"),
        ("street", {"speed": "fast"}, "fast"),
        ("street", {"speed": "-1"}, "-1"),
        ("street", {"speed": "nan"}, "nan"),
        ("street", {"seed": "²"}, "²"),
        ("street", {"width": "641"}, "641"),
        ("street", {"fps": "25"}, "25"),
    ],
)
def test_a_wish_that_cannot_be_had_is_named(place, options, named):
    with pytest.raises(BadInput, match=named):
        open_simulator(place, options)


@pytest.mark.parametrize("board", ["street", "table"])
def test_a_drill_shows_every_kind_of_shot(board):
    street = small_street(2, play="drill", board=board)
    for t_s in street.play():
        if t_s > 120:
            break
    shots = [told for told in street.truth if told["event"] == "shot"]
    assert {"plain", "hit", "graze", "near", "tiny", "leave", "roll"} <= {shot["kind"] for shot in shots}
    tiny = [rest["moved"] for shot in shots if shot["kind"] == "tiny" for rest in shot["rest"].values()]
    assert any(1.5 < moved < 5 for moved in tiny)


def test_nothing_but_weather_and_visitors_is_no_shot():
    street = small_street(2, play="nothing")
    for t_s in street.play():
        if t_s > 120:
            break
    events = {told["event"] for told in street.truth}
    assert "shot" not in events
    assert len(events) >= 4


def test_a_rolling_cap_goes_farther_than_a_sliding_one_and_falls_over():
    def way(is_rolling):
        pavement = Pavement()
        pavement.put("ana", np.array([0.0, 0.0]), 30.0)
        pavement.flick("ana", np.array([600.0, 0.0]), 0.0, is_rolling=is_rolling)
        pavement.wait(6.0)
        assert pavement.is_at_rest
        assert not pavement.is_rolling("ana")
        return pavement.xy_mm("ana")[0]

    assert way(is_rolling=True) > 3 * way(is_rolling=False)


def test_a_cap_is_put_back_where_the_camera_sees_it():
    street = small_street(711)  # its picture ends soon beyond the board
    people = People(street.world, None, np.random.default_rng(1))
    for heading in np.linspace(0, 2 * np.pi, 24):
        far_mm = people._size * (0.5 + 0.8 * np.array([np.cos(heading), np.sin(heading)]))
        assert street.stage.view.is_in_picture(people._edge_mm(far_mm))
