import numpy as np
import pytest

from linesies.vision import CameraMoved, Placed, Shot, Watcher
from linesies.vision.shots import measurer
from tests.flicks import CAPS, FPS, PLACES, STILL, Drawn, DrawnJudge, calibration


@pytest.fixture
def tell(monkeypatch):
    """Show a film to a watcher; gives the events."""
    monkeypatch.setattr(measurer, "Judge", DrawnJudge)

    def see(film):
        watcher = Watcher(calibration(), CAPS)
        events = [event for frame in film.frames for event in watcher.see(frame)]
        return events + list(watcher.finish())

    return see


def test_a_still_scene_tells_nothing(tell):
    assert tell(Drawn().still(120)) == []


def test_a_flick_is_one_shot_by_the_player_whose_cap_it_is(tell):
    (shot,) = tell(Drawn().still().slide({"ana": ((260, 380), 0)}).still())
    assert isinstance(shot, Shot)
    assert (shot.player, shot.hits) == ("ana", ())
    assert shot.calls[0].xy_mm == pytest.approx((260, 380), abs=1.0)
    assert shot.t_start_s == pytest.approx(STILL / FPS, abs=0.03)
    assert shot.t_end_s == pytest.approx((STILL + 20) / FPS, abs=0.08)


def test_a_cap_at_3_metres_a_second_is_followed(tell):
    (shot,) = tell(Drawn({**PLACES, "ana": (60.0, 100.0)}).still().slide({"ana": ((560, 100), 0)}, frames=16).still())
    assert (shot.player, [c.player for c in shot.calls]) == ("ana", ["ana"])


def test_a_cap_passed_at_2_mm_is_not_hit(tell):
    (shot,) = tell(Drawn({**PLACES, "ana": (150.0, 208.0)}).still().slide({"ana": ((560, 208), 0)}).still())
    assert (shot.player, shot.hits) == ("ana", ())
    assert [call.player for call in shot.calls] == ["ana"]


def test_a_cap_moved_by_2_mm_is_hit(tell):
    film = Drawn().still().slide({"ana": ((290, 240), 0), "bo": ((322, 240), 18)}, frames=20).still()
    (shot,) = tell(film)
    assert [(hit.by, hit.victim) for hit in shot.hits] == [("ana", "bo")]
    assert {call.player: call.location for call in shot.calls} == {"ana": "1", "bo": "1"}


def test_a_chain_is_told_in_order_from_the_shooter(tell):
    ways = {"ana": ((291, 240), 0), "bo": ((449, 240), 12), "cal": ((540, 300), 24)}
    (shot,) = tell(Drawn().still().slide(ways).still())
    assert [(hit.by, hit.victim) for hit in shot.hits] == [("ana", "bo"), ("bo", "cal")]
    assert shot.hits[0].t_s < shot.hits[1].t_s


def test_the_cap_that_moves_first_is_the_shooters(tell):
    (shot,) = tell(Drawn().still().slide({"cal": ((351, 240), 0), "bo": ((200, 300), 14)}).still())
    assert (shot.player, [(h.by, h.victim) for h in shot.hits]) == ("cal", [("cal", "bo")])


def test_two_shots_one_after_the_other_are_two(tell):
    film = Drawn().still().slide({"ana": ((260, 380), 0)}).still().slide({"bo": ((400, 100), 0)}).still()
    assert [event.player for event in tell(film)] == ["ana", "bo"]


def test_a_hand_that_comes_and_goes_is_no_shot(tell):
    film = Drawn().still()
    for y in [*range(460, 240, -10), *[240] * 30, *range(240, 480, 10)]:
        film.draw(hand_mm=(320, y))
    assert tell(film.still()) == []


def test_a_cap_carried_by_a_hand_is_placed(tell):
    film = Drawn().still()
    for y in range(460, 240, -10):
        film.draw(hand_mm=(320, y))
    del film.places["bo"]
    for step in np.linspace(0, 1, 40):
        film.draw(hand_mm=(320 + 150 * step, 240 - 120 * step))
    film.places["bo"] = (470.0, 120.0)
    for y in range(120, 480, 10):
        film.draw(hand_mm=(470, y))
    (placed,) = tell(film.still())
    assert isinstance(placed, Placed)
    assert placed.player == "bo"
    assert placed.call.xy_mm == pytest.approx((470, 120), abs=1.0)


def test_a_cap_that_is_seen_beside_the_hand_that_carries_it_is_placed_all_the_same(tell):
    film = Drawn().still()
    for y in range(480, 268, -8):
        film.draw(hand_mm=(320, y))
    for step in np.linspace(0, 1, 30):
        x, y = 320 + 150 * step, 240 - 120 * step
        film.places["bo"] = (x, y)
        film.draw(hand_mm=(x, y + 28))
    for y in range(148, 480, 10):
        film.draw(hand_mm=(470, y))
    (placed,) = tell(film.still())
    assert isinstance(placed, Placed)
    assert placed.player == "bo"


def test_a_cap_by_the_border_that_is_knocked_out_of_the_picture_is_hit_and_off(tell):
    film = Drawn({"ana": (400.0, 240.0), "bo": (612.0, 240.0), "cal": (100.0, 100.0)}).still()
    film.slide({"ana": ((583, 240), 0)})
    film.places["bo"] = (634.0, 240.0)
    film.draw()
    del film.places["bo"]
    (shot,) = tell(film.still(90))
    assert (shot.player, [(hit.by, hit.victim) for hit in shot.hits]) == ("ana", [("ana", "bo")])
    assert {call.player: call.location for call in shot.calls} == {"ana": "line", "bo": "off"}


@pytest.mark.parametrize("gain", [0.8, 1.15])
def test_light_that_jumps_is_no_motion(tell, gain):
    assert tell(Drawn().still().still(90, gain=gain).still(60)) == []


RED = (0.88, 0.92, 1.12)  # how much of blue, green and red a lamp leaves or adds


def blinking(film, **how):
    for _ in range(4):
        film.still(14, **how).still(14)
    return film


def test_the_referees_own_lamps_are_no_motion_whether_they_are_in_view_or_light_the_board(tell):
    film = blinking(Drawn().still(), tint=RED)
    assert tell(blinking(film, lamp_mm=(560, 30)).still()) == []


def test_a_shot_in_the_light_of_a_coloured_lamp_is_told(tell):
    film = Drawn().still().still(30, tint=RED).slide({"ana": ((291, 240), 0), "bo": ((400, 240), 12)}, tint=RED)
    (shot,) = tell(film.still(tint=RED))
    assert (shot.player, [(hit.by, hit.victim) for hit in shot.hits]) == ("ana", [("ana", "bo")])


def test_a_lamp_that_blinks_is_not_taken_for_a_cap_that_is_in_a_hand(tell):
    film = Drawn().still()
    for y in range(460, 240, -10):
        film.draw(hand_mm=(320, y))
    del film.places["bo"]
    for y in range(240, 480, 10):
        film.draw(hand_mm=(320, y))
    assert tell(blinking(film, lamp_mm=(560, 30)).still()) == []


def test_a_shadow_that_passes_is_no_shot(tell):
    film = Drawn().still()
    for x in range(0, 640, 8):
        film.draw(shade=slice(x, x + 150))
    assert tell(film.still()) == []


def test_a_shot_after_the_light_has_jumped_is_told(tell):
    film = Drawn().still().still(60, gain=0.85).slide({"ana": ((260, 380), 0)}, gain=0.85).still(gain=0.85)
    assert [event.player for event in tell(film)] == ["ana"]


def test_a_cap_that_flies_out_of_the_picture_is_off(tell):
    film = Drawn().still().slide({"cal": ((900, 300), 0)}, frames=24).still(60)
    (shot,) = tell(film)
    assert (shot.player, shot.calls[0].location) == ("cal", "off")


def test_a_knocked_camera_is_told_once_and_nothing_after_it(tell):
    film = Drawn().still(60).still(60, knock_px=(5, 3))
    film.slide({"ana": ((260, 380), 0)}, knock_px=(5, 3)).still(60, knock_px=(5, 3))
    (moved,) = tell(film)
    assert isinstance(moved, CameraMoved)
    assert moved.t_s == pytest.approx(1.0, abs=0.5)


def test_play_goes_on_when_the_camera_swings_back(tell):
    film = Drawn().still(60).still(60, knock_px=(5, 3)).still(60).slide({"ana": ((260, 380), 0)}).still()
    assert [type(event) for event in tell(film)] == [CameraMoved, Shot]


def test_every_second_frame_is_enough(tell):
    film = Drawn().still().slide({"ana": ((291, 240), 0), "bo": ((449, 240), 12), "cal": ((540, 300), 24)}).still(50)
    film.frames = film.frames[::2]
    (shot,) = tell(film)
    assert [(hit.by, hit.victim) for hit in shot.hits] == [("ana", "bo"), ("bo", "cal")]


@pytest.mark.parametrize("between", [4, 14])
def test_two_shots_in_quick_succession_are_told_apart(tell, between):
    film = Drawn().still().slide({"ana": ((260, 380), 0)}).still(between).slide({"bo": ((400, 100), 0)}).still(60)
    first, then = tell(film)
    assert [(e.player, e.hits, [c.player for c in e.calls]) for e in (first, then)] == [
        ("ana", (), ["ana"]),
        ("bo", (), ["bo"]),
    ]
    assert first.t_end_s < then.t_start_s


def test_a_cap_that_was_hidden_at_first_is_taken_in_without_a_word(tell):
    film = Drawn({player: PLACES[player] for player in ("ana", "cal")}).still(30, hand_mm=PLACES["bo"])
    film.places["bo"] = PLACES["bo"]
    for y in range(240, 480, 10):
        film.draw(hand_mm=(PLACES["bo"][0], y))
    (shot,) = tell(film.still(60).slide({"bo": ((400, 100), 0)}).still())
    assert (shot.player, shot.hits) == ("bo", ())


def test_what_is_told_can_be_ruled_on(tell):
    ways = {"ana": ((291, 240), 0), "bo": ((449, 240), 12), "cal": ((540, 300), 24)}
    said = tell(Drawn().still().slide(ways).still())[0].as_json()
    hit = ["ana"]
    for by, victim in said["hits"]:
        assert by in hit
        hit.append(victim)
    assert set(said["rest"]) <= set(hit)
