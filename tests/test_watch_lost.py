"""Caps that are lost, taken from the board or hardly seen: waited for no longer than is right, and found again."""

from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from linesies.vision import Call, CameraMoved, Expectation, Frame, Layout, Placed, Shot, Watcher
from linesies.vision.picture.background import Background
from linesies.vision.picture.layout import black_of
from linesies.vision.picture.local_light import LocalLight
from linesies.vision.picture.shift import shift_of_disc
from linesies.vision.picture.small_picture import look_at
from linesies.vision.shots import measurer
from linesies.vision.shots.arrival import Arrival
from linesies.vision.shots.arrivals import arrivals_of, assign, covered_by, is_seen_on_its_way
from linesies.vision.shots.blinding import in_glare
from linesies.vision.shots.blobs import Blob, CapColours
from linesies.vision.shots.border import knocked_over
from linesies.vision.shots.cap_state import StillSince
from linesies.vision.shots.closing import _Story
from linesies.vision.shots.flights import has_flown, is_sliding
from linesies.vision.shots.inspection import Inspection
from linesies.vision.shots.latest_frames import LatestFrames
from linesies.vision.shots.moved import Movement, MovementCause
from linesies.vision.shots.onset import ONSET
from linesies.vision.shots.opening import FirstLook, _paired, listed_paint, named_blobs
from linesies.vision.shots.pending import PendingShot
from linesies.vision.shots.place import Presence, Surroundings, presence_at
from linesies.vision.shots.registering import Registrar
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.scenery import Scenery
from linesies.vision.shots.small_view import SmallView
from linesies.vision.shots.still_blobs import Still
from linesies.vision.shots.stirring import displaced_by
from linesies.vision.shots.tell import tell as tell_moved
from linesies.vision.shots.telling import tell_known
from linesies.vision.shots.track import Track
from linesies.vision.shots.tracks import End
from tests.flicks import CAPS, FPS, HEIGHT, PLACES, WIDTH, Drawn, DrawnJudge, calibration
from tests.scene_states import left, opened, place_of, presence_of, seen, watched

FLOWN, CARRIED = MovementCause.FLOWN, MovementCause.CARRIED
THERE = Presence.THERE
WAY = ((1.47, 320.0), (1.48, 325.0), (1.5, 330.0))  # times and where in the small picture something goes on

LONG_S = 7.0  # longer than a cap is waited for that lies nowhere


@pytest.fixture
def tell(monkeypatch):
    """Show a film to a watcher; gives the events."""
    monkeypatch.setattr(measurer, "Judge", DrawnJudge)

    def see(film):
        watcher = Watcher(calibration(), CAPS)
        return [event for frame in film.frames for event in watcher.see(frame)]

    return see


def wait(film, duration_s):
    """Let nothing happen for a long time, without drawing each picture anew."""
    latest = film.frames[-5:]
    for i in range(round(duration_s * FPS)):
        number = len(film.frames)
        film.frames.append(Frame.from_bgr(latest[i % 5].pixels, number=number, t_s=number / FPS))
    return film


def without(player):
    return {name: place for name, place in PLACES.items() if name != player}


def take_up(film, player):
    """Let a hand take a cap from the board."""
    x, y = film.places[player]
    for reach in range(220, 0, -10):
        film.draw(hand_mm=(x, y + reach))
    del film.places[player]
    for reach in range(0, 300, 12):
        film.draw(hand_mm=(x, y + reach))
    return film


def track(ways, took_s, frames=24):
    """A way of 300 mm, of which `ways` tells the share that is done at a share of the time."""
    shares = np.linspace(0, 1, frames + 1)
    xy_mm = np.stack([300 * ways(shares), np.zeros(frames + 1)], axis=1)
    return Track(player="ana", radius_mm=15.0, t_s=shares * took_s, xy_mm=xy_mm, is_free=np.zeros(frames + 1, bool))


def unseen(way, from_s, to_s):
    seen = (way.t_s < from_s) | (way.t_s > to_s)
    return replace(way, t_s=way.t_s[seen], xy_mm=way.xy_mm[seen], is_free=way.is_free[seen])


def still(xy_small, misfit, fill):
    return Still(
        since_s=1.0,
        last_s=2.0,
        anchor_small=xy_small,
        xy_small=np.array([xy_small] * len(misfit)),
        misfit=np.array(misfit),
        fill=np.array(fill),
        by_hand=0.0,
        seen=60,
    )


def blob(t_s, xy_small):
    return Blob(
        t_s=t_s,
        middle_small=xy_small,
        xy_small=np.array([xy_small] * 3),
        misfit=np.full(3, 0.1),
        fill=np.ones(3),
        is_free=True,
    )


def moved(player, *, start_s=1.0, end_s=1.5, from_mm=(100.0, 100.0), to_mm=(200.0, 100.0), is_flown=True):
    call = Call(player=player, xy_mm=to_mm, diameter_mm=30.0, location="1", gap_mm=9.0, sigma_mm=0.2, is_certain=True)
    way = Track(
        player=player,
        radius_mm=15.0,
        t_s=np.array([start_s, end_s]),
        xy_mm=np.array([from_mm, to_mm]),
        is_free=np.zeros(2, bool),
    )
    return Movement(call=call, from_mm=from_mm, track=way, cause=FLOWN if is_flown else CARRIED)


def test_a_cap_at_rest_by_the_border_is_not_off_while_another_still_moves(tell):
    film = Drawn({"ana": (400.0, 300.0), "bo": (600.0, 226.0), "cal": (100.0, 100.0)}).still()
    film.slide({"ana": ((614, 250), 0), "bo": ((628, 190), 16)}).still()
    (shot,) = tell(film)
    assert isinstance(shot, Shot)
    assert [(hit.by, hit.victim) for hit in shot.hits] == [("ana", "bo")]
    assert {call.player: call.location != "off" for call in shot.calls} == {"ana": True, "bo": True}


def test_a_cap_taken_from_the_board_is_not_where_the_next_one_comes_to_rest(tell):
    film = wait(take_up(Drawn().still(), "bo"), LONG_S)
    (shot,) = tell(film.slide({"ana": ((260, 380), 0)}).still())
    assert (shot.player, [call.player for call in shot.calls]) == ("ana", ["ana"])


def test_a_cap_taken_from_the_board_is_placed_when_it_is_put_down_again(tell):
    film = wait(take_up(Drawn().still(), "bo"), LONG_S)
    film.places["bo"] = (250.0, 120.0)
    for reach in range(0, 420, 14):
        film.draw(hand_mm=(250, 120 + reach))
    (placed,) = tell(film.still())
    assert isinstance(placed, Placed)
    assert (placed.player, placed.call.xy_mm) == ("bo", pytest.approx((250, 120), abs=1.0))


def test_the_light_is_followed_while_a_cap_is_off_the_board(monkeypatch):
    monkeypatch.setattr(measurer, "Judge", DrawnJudge)
    watcher = Watcher(calibration(), CAPS)
    for frame in wait(take_up(Drawn().still(), "bo"), LONG_S).frames:
        watcher.see(frame)
    assert watcher.scene.is_at_rest
    assert set(watcher.scene.caps_mm) == {"ana", "cal"}


def test_no_two_caps_are_in_one_place():
    state = opened()
    whole = still((250.0, 120.0), [0.1, 0.3, 0.9], [1.0, 0.9, 0.2])
    half = still((254.0, 122.0), [0.12, 0.2, 0.9], [0.6, 0.7, 0.2])
    caps = [state.caps["ana"], state.caps["bo"]]
    assert list(assign([whole, half], caps, state)) == ["ana"]
    elsewhere = still((350.0, 122.0), [0.9, 0.2, 0.9], [0.2, 0.9, 0.2])
    assert assign([whole, half, elsewhere], caps, state) == {"ana": whole, "bo": elsewhere}


def test_a_shape_that_no_cap_was_seen_to_come_to_is_rather_a_shadow():
    state = opened()
    shadow, cap = still((350.0, 122.0), [0.1, 0.9, 0.9], [0.9] * 3), still((250.0, 120.0), [0.15, 0.9, 0.9], [0.9] * 3)
    assert assign([shadow, cap], [state.caps["ana"]], state) == {"ana": shadow}
    state = watched(state, blob(0.95, (240.0, 118.0)))
    assert assign([shadow, cap], [state.caps["ana"]], state) == {"ana": cap}


def test_what_keeps_still_is_not_waited_for_though_too_little_of_it_is_seen_to_know_it():
    on_its_paint, lying = (
        still((350.0, 122.0), [0.1, 0.6, 0.9], [0.28] * 3),
        still((250.0, 120.0), [0.6, 0.1, 0.9], [0.9] * 3),
    )
    state = seen(left(opened(), ["ana", "bo"], t_s=0.5), {"ana": "bare", "bo": "bare", "cal": "there"}, t_s=1.5)
    state = watched(state, blob(1.5, (350.0, 122.0)))
    assert [arrival.player for arrival in arrivals_of([on_its_paint, lying], state, settled_s=0.4)] == ["bo"]
    for t_s, x in WAY:
        state = watched(state, blob(t_s, (x, 122.0)))
    assert arrivals_of([on_its_paint, lying], state, settled_s=0.4) == []


def test_what_keeps_still_is_given_to_no_cap_that_is_seen_going_on_while_it_may_be_another():
    lying = still((250.0, 120.0), [0.1, 0.2, 0.9], [0.9, 0.6, 0.9])
    state = seen(left(opened(), ["ana", "bo"], t_s=0.5), {"ana": "bare", "bo": "bare", "cal": "there"}, t_s=1.5)
    assert [arrival.player for arrival in arrivals_of([lying], state, settled_s=0.4)] == ["ana"]
    as_ana = [replace(blob(t_s, (x, 122.0)), misfit=np.array([0.1, 0.9, 0.9])) for t_s, x in WAY]
    assert arrivals_of([lying], watched(state, *as_ana), settled_s=0.4) == []


def test_under_a_hand_that_lies_on_a_caps_place_nothing_is_taken_for_that_cap_until_it_has_long_kept_still():
    x, y = PLACES["ana"]
    covered = seen(opened(), {"ana": "covered", "bo": "there", "cal": "there"}, t_s=1.5)
    beside = still((x + 16.0, y), [0.2, 0.9, 0.9], [0.6] * 3)
    assert [arrival.player for arrival in arrivals_of([beside], covered, settled_s=0.4)] == ["ana"]
    under_the_hand = replace(beside, by_hand=0.9)
    assert arrivals_of([under_the_hand], covered, settled_s=0.4) == []
    later = seen(covered, {"ana": "covered", "bo": "there", "cal": "there"}, t_s=3.5)
    assert [arrival.player for arrival in arrivals_of([under_the_hand], later, settled_s=0.4)] == ["ana"]


@pytest.mark.parametrize(("since_s", "is_found"), [(1.2, False), (1.7, True)])
def test_what_was_in_a_place_while_another_cap_was_seen_there_is_the_shadow_of_a_hand_beside_it(since_s, is_found):
    state = seen(left(opened(), ["cal"], t_s=1.0), {"bo": "there", "cal": "bare"}, t_s=1.5)
    state = seen(state, {"bo": "bare", "cal": "bare"}, t_s=1.6)
    dark = replace(still(PLACES["bo"], [0.9, 0.9, 0.2], [0.9] * 3), since_s=since_s)
    assert ("cal" in assign([dark], [state.caps["cal"]], state)) is is_found


@pytest.mark.parametrize(
    ("misfit", "is_calm", "is_found"), [(0.1, True, True), (0.4, True, False), (0.1, False, False)]
)
def test_a_cap_whose_place_no_light_shows_bare_lies_where_something_looks_just_like_it_once_no_hand_is_about(
    misfit, is_calm, is_found
):
    in_glare = seen(opened(), {"ana": "covered", "bo": "there", "cal": "there"}, t_s=1.5)
    lying = still((250.0, 120.0), [misfit, 0.9, 0.9], [0.9] * 3)
    assert bool(arrivals_of([lying], in_glare.with_blobs((), is_calm=is_calm), settled_s=0.4)) is is_found


@pytest.mark.parametrize(
    ("misfit", "by_hand", "t_s", "is_put_down"),
    [
        (0.1, 0.0, 1.9, False),
        (0.1, 0.0, 2.1, True),
        (0.1, 0.9, 2.1, False),
        (0.4, 0.0, 2.1, False),
        (0.4, 0.0, 3.1, True),
    ],
)
def test_a_cap_put_down_while_others_walk_about_lies_there_soon_if_it_looks_just_like_it(
    misfit, by_hand, t_s, is_put_down
):
    lying = replace(still((250.0, 120.0), [misfit, 0.9, 0.9], [0.9] * 3), by_hand=by_hand)
    lain = {player: xy_mm for player, xy_mm in PLACES.items() if player != "ana"}
    state = seen(opened(lain), {"bo": "there", "cal": "there"}, t_s=t_s)
    assert bool(arrivals_of([lying], state.with_blobs((), is_calm=False), settled_s=0.4)) is is_put_down


@pytest.mark.parametrize(("seen_s", "goes_by_itself"), [(0.6, True), (0.1, False)])
def test_a_cap_whose_colour_was_not_seen_went_by_itself_where_something_did_for_long_and_not_where_a_hand_hid_it(
    seen_s, goes_by_itself
):
    state = left(seen(opened(), dict.fromkeys(PLACES, "covered"), t_s=1.0), ["ana"], t_s=1.3)
    x, y = PLACES["ana"]
    times_s = np.arange(1, 48) / FPS
    dim = [replace(blob(1.3 + t, (x + 250 * t, y)), misfit=np.ones(3), fill=np.full(3, 0.1)) for t in times_s]
    view = SmallView(calibration=calibration(), caps=CAPS, shrink=1)
    state = watched(state, *[one for one in dim if one.t_s < 1.3 + seen_s])
    story = _Story(state=state, ends=None, then=None, measurer=SimpleNamespace(view=view), scenery=None)
    assert has_flown(story._way(state.caps["ana"], End(t_s=2.1, xy_mm=(x + 200, y)))) is goes_by_itself


@pytest.mark.parametrize(("ways", "has_slid"), [(lambda t: t * (2 - t), True), (lambda t: t**2 * (3 - 2 * t), False)])
def test_a_cap_that_left_at_once_has_flown_where_little_of_it_was_seen_but_all_of_that_slid(ways, has_slid):
    state = left(seen(opened(), dict.fromkeys(PLACES, "there"), t_s=1.0), ["ana"], t_s=1.02)
    x, y = PLACES["ana"]
    times_s = np.arange(1, 30) / FPS
    dim = [replace(blob(1 + t, (x + 200 * ways(2 * t), y)), fill=np.full(3, 0.1)) for t in times_s]
    view = SmallView(calibration=calibration(), caps=CAPS, shrink=1)
    story = _Story(state=watched(state, *dim), ends=None, then=None, measurer=SimpleNamespace(view=view), scenery=None)
    assert has_flown(story._way(state.caps["ana"], End(t_s=1.5, xy_mm=(x + 200, y)))) is has_slid


@pytest.mark.parametrize(
    ("seen_small", "is_on_its_way"),
    [
        ([(300, 120), (310, 124), (319, 128)], True),
        ([(300, 120), (300, 120), (300, 121)], True),  # it creeps
        ([(300, 120), (310, 124)], False),
        ([(300, 120), (310, 124), (301, 128)], False),
        ([(300, 120), (90, 400), (610, 220), (480, 60), (200, 300), (350, 410)], False),
        ([(100, 120), (300, 120), (500, 120)], False),  # faster than any finger flicks
        ([(300, 120), (90, 400), (310, 124), (480, 60), (319, 128)], True),  # among rain
    ],
)
def test_a_cap_on_its_way_goes_on_and_rain_is_here_for_a_moment_and_then_there(seen_small, is_on_its_way):
    state = left(opened(), ["ana"], t_s=1.0)
    for i, (x, y) in enumerate(seen_small):
        state = watched(state, blob(1.0 + i / 60, (float(x), float(y))))
    assert is_seen_on_its_way(state.caps["ana"], state, 0.9, []) is is_on_its_way


def test_a_cap_is_on_its_way_for_as_long_as_it_was_seen_going_on_lately():
    state = left(opened(), ["ana"], t_s=1.0)
    for i in range(6):
        state = watched(state, blob(1.0 + i / 60, (300.0 + 10 * i, 120.0)))
    state = watched(state, blob(1.3, (500.0, 60.0)))  # a streak of rain
    seen = [is_seen_on_its_way(state.caps["ana"], state, since_s, []) for since_s in (1.02, 1.08, 1.09, 1.29)]
    assert seen == [True, True, False, False]


def test_on_a_board_from_which_all_caps_were_taken_one_is_seen_on_its_way_and_none_lies_on_another():
    state = left(opened({"ana": PLACES["ana"]}), ["ana"], t_s=1.0).taken_up(["ana"])
    assert not state.placed
    for i in range(3):
        state = watched(state, blob(1.0 + i / 60, (300.0 + 10 * i, 120.0)))
    assert is_seen_on_its_way(state.caps["ana"], state, 0.9, [])
    whole = still((250.0, 120.0), [0.1, 0.3, 0.9], [1.0, 0.9, 0.2])
    half = still((254.0, 122.0), [0.12, 0.2, 0.9], [0.6, 0.7, 0.2])
    assert list(assign([whole, half], [state.caps["ana"], state.caps["bo"]], state)) == ["ana"]


def test_a_cap_nearly_of_its_grounds_colour_is_missed_once_it_has_gone():
    bare = look_at(Drawn(without("ana")).draw().frames[0])
    rest = bare.copy()
    place = place_of("ana")
    rest[place.rows, place.columns][place.disc] += np.uint8(14)
    ground = Background(bare, rest)
    for small, wanted in ((rest, Presence.THERE), (bare, Presence.BARE)):
        assert presence_at(place, ground, small) is wanted


@pytest.mark.parametrize(("levels", "light", "wanted"), [(5, 0, Presence.BARE), (5, 1, Presence.BARE), (0, 0, THERE)])
def test_a_cap_that_no_pixel_tells_from_its_ground_has_left_once_all_of_them_do(levels, light, wanted):
    place = place_of("bo")
    bare = np.full((HEIGHT, WIDTH, 3), 100, np.uint8)
    rest = bare.copy()
    rest[place.rows, place.columns][place.disc] += np.uint8(levels)
    ground = Background(bare, rest)
    assert presence_at(place, ground, rest) is THERE
    assert presence_at(place, ground, bare + np.uint8(light)) is wanted


@pytest.mark.parametrize("darker", [2, 5, 8])
def test_a_cap_hardly_brighter_than_its_ground_is_there_still_in_a_slight_shade(darker):
    place = place_of("bo")
    bare = np.full((HEIGHT, WIDTH, 3), (150, 128, 128), np.uint8)
    rest = bare.copy()
    rest[place.rows, place.columns][place.disc, 0] += np.uint8(8)
    shaded, ground = rest.copy(), Background(bare, rest)
    shaded[..., 0] -= np.uint8(darker)
    assert presence_at(place, ground, shaded) is THERE


def test_what_slides_is_fastest_at_first_and_what_is_carried_is_not():
    assert is_sliding(track(lambda share: share * (2 - share), 0.5))
    assert not is_sliding(track(lambda share: share**3 * (10 - 15 * share + 6 * share**2), 0.5))
    assert not is_sliding(track(lambda share: share, 0.5))


def test_a_slide_may_be_out_of_sight_for_a_short_part_of_its_way():
    slide = track(lambda share: share * (2 - share), 0.9, frames=54)
    assert is_sliding(unseen(slide, 0.2, 0.34))
    assert not is_sliding(unseen(slide, 0.2, 0.4))


def test_what_is_seen_too_seldom_does_not_show_how_it_went():
    assert not is_sliding(track(lambda share: share * (2 - share), 0.9, frames=6))


def test_a_cap_thought_to_lie_elsewhere_is_found_where_it_lies(monkeypatch):
    monkeypatch.setattr(measurer, "Judge", DrawnJudge)
    watcher = Watcher(calibration(), CAPS)
    film = Drawn(without("bo")).still()
    for frame in film.frames:
        watcher.see(frame)
    watcher._state = watcher._state.found({"bo": place_of("bo", (250.0, 120.0))})  # a shadow there was taken for it
    film.places["bo"] = PLACES["bo"]
    events = [event for frame in wait(film.still(), 3.0).frames[40:] for event in watcher.see(frame)]
    assert events == []
    assert watcher.scene.caps_mm["bo"] == pytest.approx(PLACES["bo"], abs=1.0)


class Guessing(DrawnJudge):
    """Names a cap where it does not lie, without being sure, and does not see it when asked of that place alone."""

    guess_mm = (250.0, 120.0)

    def judging(self, picture_bgr):
        judged = yield from super().judging(picture_bgr)
        ana, *others = judged.caps
        return replace(judged, caps=(replace(ana, xy_mm=self.guess_mm, is_certain=False), *others))

    def sees(self, picture_bgr, known):
        return tuple(known.near_mm) != self.guess_mm


def test_a_guess_of_the_judge_where_that_cap_is_not_seen_counts_for_nothing(monkeypatch):
    monkeypatch.setattr(measurer, "Judge", Guessing)
    asked = measurer.Measurer(SmallView(calibration=calibration(), caps=CAPS, shrink=1))
    latest = LatestFrames()
    inspection = Inspection(latest)
    found = None
    for frame in Drawn().still().frames:
        latest.add(frame)
        found = inspection.calls(asked) or found
    assert set(found) == {"bo", "cal"}


def test_what_is_made_of_a_judgement_waits_for_the_frame_after_the_last_look():
    class Slow:
        def __init__(self):
            self.did = []

        def judging(self, _):
            yield
            self.did.append("judged")
            return SimpleNamespace(caps=(SimpleNamespace(player="ana", is_certain=False),), resemblances=())

        def sees(self, *_):
            self.did.append("seen")
            return True

    slow, latest = Slow(), LatestFrames()
    inspection, done = Inspection(latest), []
    for frame in Drawn().still().frames[:4]:
        latest.add(frame)
        found = inspection.calls(slow)
        done.append((len(slow.did), found is not None))
    assert done == [(0, False), (1, False), (2, False), (2, True)]


@pytest.mark.parametrize(
    ("from_mm", "to_mm", "is_certain", "is_lit"),
    [
        ((100.0, 100.0), (320.0, 120.0), False, False),
        ((100.0, 100.0), (100.0, 420.0), True, True),
        ((100.0, 120.0), (540.0, 120.0), True, False),  # both ends lie in plain light
    ],
)
def test_what_lies_in_glare_that_saturates_or_went_through_it_is_doubted(from_mm, to_mm, is_certain, is_lit):
    bare = np.full((480, 640, 3), (110, 128, 128), np.uint8)
    ys, xs = np.mgrid[:480, :640]
    lit = bare.copy()
    lit[..., 0] = np.clip(110 + 200 * np.exp(-(((xs - 320) / 90) ** 2) - ((ys - 120) / 90) ** 2), 0, 255)
    state = opened()
    yuv = np.full((3, 2, 3), (60.0, 140.0, 128.0))
    light = LocalLight(bare, lit, radius_small=15.0)
    one = np.ones(3)
    black = black_of(Layout.BGR)
    paint = CapColours(yuv=yuv, first_share=one, area_small=one, radius_small=one, black=black, light=light)
    scenery = Scenery(Background(lit, lit), paint)
    view = SmallView(calibration=calibration(), caps=CAPS, shrink=1)
    doubted = in_glare(moved("ana", from_mm=from_mm, to_mm=to_mm), state.caps["ana"], scenery, view)
    assert (doubted.call.is_certain, doubted.is_lit) == (is_certain, is_lit)


@pytest.mark.parametrize(
    ("found", "is_blinded", "awaited", "is_certain"),
    [
        (("ana", "bo", "cal"), True, None, True),
        (("ana", "bo"), True, None, False),  # cal's cap may have struck ana's out of the glare
        (("ana", "bo"), True, "ana", True),
        (("ana", "bo"), False, None, True),
    ],
)
def test_who_shot_is_not_certain_where_glare_may_hide_a_cap_that_was_not_found(found, is_blinded, awaited, is_certain):
    places = {player: place_of(player) for player in found}
    state = SceneState.of(CAPS).opened(places, radius_small=10.0, is_blinded=is_blinded)
    state = state.gathered([moved("ana", start_s=1.0, end_s=1.6)], 1.6)
    (shot,) = tell_known(state, Expectation(shooter=awaited), LatestFrames()).events
    assert shot.is_shooter_certain is is_certain


def test_nor_where_that_cap_is_found_once_the_shot_is_over():
    places = {player: place_of(player) for player in ("ana", "bo")}
    state = SceneState.of(CAPS).opened(places, radius_small=10.0, is_blinded=True)
    came = replace(moved("cal"), from_mm=None)
    state = state.gathered([moved("ana"), came], 1.5).found({"cal": place_of("cal")})
    (shot,) = tell_known(state, Expectation(), LatestFrames()).events
    assert (shot.player, shot.is_shooter_certain) == ("ana", False)


def pending(*caps, t_end_s, since_s):
    return PendingShot(moved=caps, t_end_s=t_end_s, since_s=since_s)


def test_the_caps_of_one_shot_are_told_together_though_one_is_found_late():
    shot = pending(moved("ana", start_s=1.0, end_s=1.6), t_end_s=1.6, since_s=2.0)
    assert shot.is_waiting(2.1, [(1.1, 1.2)])
    assert not shot.is_waiting(2.1, [(0.2, 0.3)])  # long gone when this shot began
    assert not shot.is_waiting(9.0, [(1.1, 1.2)])
    shot = shot.joined_by([moved("ana", start_s=7.0), moved("bo", start_s=1.1, end_s=1.8)], 1.8)
    assert ([m.player for m in shot.moved], shot.moved[0].track.t_start_s, shot.t_end_s) == (["ana", "bo"], 1.0, 1.8)


def test_a_cap_that_has_flown_again_before_it_was_told_of_is_another_shot():
    shot = pending(moved("ana", start_s=1.0, end_s=1.6), t_end_s=1.6, since_s=2.0)
    assert shot.has_moved_again([moved("ana", start_s=2.2, end_s=2.6)])
    assert not shot.has_moved_again([moved("bo", start_s=2.2, end_s=2.6)])


def test_what_is_known_when_the_camera_is_knocked_is_told_once_before_the_knock():
    watcher = Watcher(calibration(), CAPS)
    watcher._board.put(SimpleNamespace(see=lambda frame, noticed: (None, 2.5)), kind=Registrar)
    watcher._state = opened().gathered([moved("ana", start_s=1.0, end_s=1.6)], 1.6)
    events = [event for frame in Drawn().still(3).frames for event in watcher.see(frame)] + [*watcher.finish()]
    assert [type(event) for event in events] == [Shot, CameraMoved]


def test_where_a_cap_lies_now_no_other_can_have_stayed():
    assert displaced_by([moved("ana", to_mm=(310.0, 240.0))], opened()) == ["bo"]
    assert displaced_by([moved("ana", to_mm=(289.0, 240.0))], opened()) == []


def test_a_cap_gone_from_the_border_alone_was_taken_up(tell):
    film = Drawn({"ana": (150.0, 240.0), "bo": (612.0, 240.0), "cal": (100.0, 100.0)}).still()
    del film.places["bo"]
    assert tell(film.still(90)) == []


def test_in_whose_place_another_comes_to_rest_is_not_there_any_more():
    state, place = opened(), place_of("bo").centre_small
    assert covered_by([Arrival(player="ana", xy_small=place + 4, since_s=1.0)], state) == ["bo"]
    assert covered_by([Arrival(player="bo", xy_small=place + 4, since_s=1.0)], state) == []
    assert covered_by([Arrival(player="ana", xy_small=place + 90, since_s=1.0)], state) == []


def test_a_cap_by_the_border_is_struck_out_by_one_that_stays_in_its_place(tell):
    film = Drawn({"ana": (420.0, 240.0), "bo": (612.0, 240.0), "cal": (100.0, 100.0)}).still()
    film.slide({"ana": ((600, 240), 0), "bo": ((720, 240), 14)}).still(90)
    (shot,) = tell(film)
    assert (shot.player, [(hit.by, hit.victim) for hit in shot.hits]) == ("ana", [("ana", "bo")])
    assert {call.player: call.location == "off" for call in shot.calls} == {"ana": False, "bo": True}


def test_a_cap_taken_up_by_the_border_before_another_is_shot_was_not_struck_out(tell):
    film = Drawn({"ana": (420.0, 240.0), "bo": (612.0, 240.0), "cal": (100.0, 100.0)}).still()
    del film.places["bo"]
    film.still(60).slide({"ana": ((560, 300), 0)}).still(60)
    (shot,) = tell(film)
    assert [call.player for call in shot.calls] == ["ana"]


def test_a_cap_struck_over_the_border_is_not_seen_in_the_one_that_struck_it():
    view = SmallView(calibration=calibration(), caps=CAPS, shrink=1)
    state = seen(opened({**PLACES, "bo": (612.0, 240.0)}), {"bo": "there"}, t_s=1.0)
    state = seen(state, {"bo": "bare"}, t_s=1.02)
    for i in range(20):  # nothing else is seen than what comes to rest beyond
        state = watched(state, blob(1.04 + i / 60, (612.0 - 10 * i, 240.0)))
    seen_mm = view.to_mm(CAPS[1], np.array([[612.0 - 10.0 * i, 240.0] for i in range(14, 20)]))
    gone_off = {
        len(taken_mm): knocked_over(state.caps["bo"], state, view, is_struck=False, taken_mm=taken_mm)
        for taken_mm in (np.empty((0, 2)), seen_mm)
    }
    assert gone_off[0] is None
    assert gone_off[6].call.location == "off"


def test_a_cap_that_left_is_missed_though_a_neighbour_covers_a_part_of_its_place():
    x, y = PLACES["bo"]
    beside = (x + 14.0, y + 6.0)  # seen aslant, two caps that touch overlap
    state = opened({"bo": (x, y), "ana": beside})
    both, one, none = (
        look_at(Drawn(places).draw().frames[0]) for places in ({"bo": (x, y), "ana": beside}, {"ana": beside}, {})
    )
    ground = Background(none, both)
    assert presence_of(state, "bo", ground, both) is Presence.THERE
    assert presence_of(state, "bo", ground, one) is Presence.BARE


def test_ground_that_a_cap_left_takes_in_no_cap_beside_it():
    x, y = PLACES["bo"]
    state = opened({"bo": (x, y), "ana": (x + 20.0, y)})
    rest = look_at(Drawn({"bo": PLACES["bo"]}).draw().frames[0])
    ground = Background(look_at(Drawn({}).draw().frames[0]), rest)
    scenery = Scenery(ground, None)
    scenery.settle(rest, now=[], left=[state.caps["ana"].place], lying=[state.caps["bo"].place])
    assert presence_of(opened({"bo": (x, y)}), "bo", ground, rest) is Presence.THERE


def test_where_a_cap_has_left_beside_another_nothing_seems_to_wait():
    x, y = PLACES["bo"]
    beside = {"bo": (x, y), "ana": (x + 28.0, y)}
    state = opened(beside)
    bo, ana = (state.caps[player].place for player in ("bo", "ana"))
    both, one, none = (look_at(Drawn(places).draw().frames[0]) for places in (beside, {"bo": (x, y)}, {}))
    ground = Background(none, both)
    assert Surroundings.of(bo).share_changed(ground, one) > ONSET.least_beside
    Scenery(ground, None).settle(one, now=[], left=[ana], lying=[bo])
    assert Surroundings.of(bo).share_changed(ground, one) < ONSET.least_beside
    assert Surroundings.of(bo).share_changed(ground, both) > ONSET.least_beside


def test_a_cap_that_nobody_saw_fly_is_struck_where_it_alone_can_have_pushed_another():
    both = [
        moved("ana", start_s=1.0, end_s=2.0, from_mm=(100.0, 200.0), to_mm=(150.0, 200.0), is_flown=False),
        moved("bo", start_s=1.03, end_s=1.5, from_mm=(140.0, 200.0), to_mm=(300.0, 200.0)),
    ]
    (shot,) = tell_moved(both, frame_s=1 / 60, t_end_s=2.0)
    assert (shot.player, [(hit.by, hit.victim) for hit in shot.hits]) == ("ana", [("ana", "bo")])


@pytest.mark.parametrize(("strayed_mm", "shooter"), [(400.0, "ana"), (100.0, "bo")])
def test_a_hand_that_was_taken_for_a_cap_on_its_way_hides_no_shot(strayed_mm, shooter):
    ana = moved("ana", start_s=1.0, end_s=2.0, from_mm=(100.0, 200.0), to_mm=(200.0, 200.0), is_flown=False)
    seen_mm = np.array([[100.0, 200.0], *[[100.0, 200.0 + strayed_mm]] * 5, [200.0, 200.0]])
    way = replace(ana.track, t_s=np.linspace(1.0, 2.0, 7), xy_mm=seen_mm, is_free=np.zeros(7, bool))
    bo = moved("bo", start_s=1.9, end_s=2.3, from_mm=(229.0, 200.0), to_mm=(330.0, 200.0))
    events = tell_moved([replace(ana, track=way), bo], frame_s=1 / 60, t_end_s=2.3)
    (shot,) = (event for event in events if isinstance(event, Shot))
    assert shot.player == shooter


def test_what_lies_where_another_cap_came_to_rest_is_no_cap_on_its_way():
    state = opened().still_at({"bo": StillSince(xy_small=(250.0, 120.0), reach_small=5.0, since_s=1.0)})
    for t_s, x in ((0.9, 250.0), (1.1, 252.0), (1.2, 270.0)):
        state = watched(state, blob(t_s, (x, 120.0)))
    assert [one.t_s for one in state.maybe(state.caps["ana"], 0.0)] == [0.9, 1.2]
    assert [one.t_s for one in state.maybe(state.caps["bo"], 0.0)] == [0.9, 1.1, 1.2]


def test_a_cap_that_came_to_rest_is_known_beside_its_shadow_by_where_its_own_colour_is_seen():
    state = opened().still_at({"bo": StillSince(xy_small=(250.0, 120.0), reach_small=2.0, since_s=1.0)})
    state = watched(state, replace(blob(1.1, (250.5, 120.0)), middle_small=(253.0, 121.0)))
    assert not state.maybe(state.caps["ana"], 0.0)


def test_a_cap_in_whose_place_another_lies_is_not_there():
    rest = look_at(Drawn().draw().frames[0])
    ground = Background(look_at(Drawn({}).draw().frames[0]), rest)
    state = left(opened(), ["bo"], t_s=1.0).displaced(["bo"], is_for_good=True)
    assert presence_of(state, "bo", ground, rest) is Presence.BARE
    state = state.found({"bo": place_of("bo")})
    assert presence_of(state, "bo", ground, rest) is Presence.THERE


def test_what_flies_slows_down_and_what_is_carried_off_may_gain_speed():
    assert track(lambda share: share * (2 - share), 0.5).slowing_mm_s2 == pytest.approx(2 * 300 / 0.5**2)
    assert track(lambda share: share**2, 0.5).slowing_mm_s2 == pytest.approx(-2 * 300 / 0.5**2)
    assert track(lambda share: share, 0.1).slowing_mm_s2 is None  # too short to tell


@pytest.mark.parametrize("struck_s", [1.03, 1.5, 1.9])
def test_a_cap_hidden_by_a_hand_for_long_may_have_struck_at_any_time(struck_s):
    both = [
        moved("ana", start_s=1.0, end_s=2.0, from_mm=(100.0, 200.0), to_mm=(150.0, 200.0), is_flown=False),
        moved("bo", start_s=struck_s, end_s=2.3, from_mm=(140.0, 200.0), to_mm=(300.0, 200.0)),
    ]
    (shot,) = tell_moved(both, frame_s=1 / 60, t_end_s=2.3)
    assert (shot.player, [(hit.by, hit.victim) for hit in shot.hits]) == ("ana", [("ana", "bo")])
    assert shot.t_start_s == pytest.approx(struck_s, abs=0.15)


def test_a_part_of_one_cap_is_no_other_cap_at_first():
    blobs = tuple(blob(0.0, (x, 120.0)) for x in (250.0, 253.0, 290.0))  # a cap, its shadow, and another cap
    cost = np.array([[0.0, 0.2, 1.0], [0.6, 0.1, 0.2]])
    assert sorted(_paired(cost, blobs, np.array([4.0, 4.0]))) == [(0, 0), (1, 2)]


DROPS_SMALL = [(x, y) for x in (80, 160, 240, 320, 400) for y in (60, 150, 240, 330)]  # more than are looked at later


@pytest.mark.parametrize(("drops", "found"), [(1, True), (len(DROPS_SMALL), False)])
def test_of_many_drops_of_rain_none_is_a_cap_that_no_judge_saw(drops, found):
    assert ("cal" in named_at_first(DROPS_SMALL[:drops], colour_bgr=(60, 90, 150))) is found


def test_a_small_cap_is_found_among_many_drops_larger_than_it():
    xy_small = named_at_first(DROPS_SMALL, (500, 200))["cal"]
    assert xy_small == pytest.approx((500, 200), abs=1)


def named_at_first(drops_small, cap_small=None, *, colour_bgr=(150, 150, 150)):
    """Name what lies on even ground: drops as large as caps, and a smaller part of cal's red cap."""
    empty = np.full((480, 640, 3), 110, np.uint8)
    seen = empty.copy()
    for xy in drops_small:
        cv2.circle(seen, xy, 15, colour_bgr, -1)
    if cap_small is not None:
        cv2.circle(seen, cap_small, 10, (40, 40, 200), -1)
    seen, empty = (look_at(Frame.from_bgr(bgr, number=0, t_s=0.0)) for bgr in (seen, empty))
    paint = listed_paint(calibration(), CAPS, Layout.BGR, np.arange(256, dtype=np.uint8)[:, None, None].repeat(3, 2))
    look = FirstLook(dull=seen, empty=empty, seen=seen, lit=empty, paint=paint)
    return named_blobs(calibration(), CAPS, (), look)


@pytest.mark.parametrize(("passed_mm", "hits"), [(31.0, [("ana", "bo", False)]), (45.0, [])])
def test_a_cap_that_hardly_moved_may_have_been_touched_by_one_that_came_close(passed_mm, hits):
    shooter = moved("ana", from_mm=(100.0, 100.0), to_mm=(300.0, 100.0))
    nudged = moved("bo", from_mm=(200.0, 100.0 + passed_mm), to_mm=(200.0, 100.7 + passed_mm), is_flown=False)
    nudged = replace(nudged, track=None, is_clear=False, cause=MovementCause.NUDGED)
    (shot,) = tell_moved([shooter, nudged], frame_s=1 / 60, t_end_s=1.5)
    assert [(hit.by, hit.victim, hit.is_certain) for hit in shot.hits] == hits


def test_lines_beside_a_cap_do_not_hide_that_its_middle_moved():
    ground = np.full((80, 80), 70.0, np.float32)
    ground[:, 46:52] = 230.0
    ground[38:44, :34] = 230.0
    before, after = ground.copy(), ground.copy()
    cv2.circle(before, (40, 40), 6, 95.0, -1)
    cv2.circle(after, (39, 39), 6, 95.0, -1)
    whole, middle = (
        shift_of_disc(before, after, np.array([40.0, 40.0]), 6.0, others_px=[], rim_px=rim_px) for rim_px in (1.0, -0.5)
    )
    assert whole.unexplained > 0.1  # something has changed there
    assert middle.length_px > 0.36


@pytest.mark.parametrize(("row", "is_seen"), [(40, True), (72, True), (76, False)])
def test_a_cap_may_be_nudged_as_near_to_the_border_as_it_is_wholly_seen(row, is_seen):
    ys, xs = np.mgrid[:80, :80]
    before, after = (
        (60 + 120 / (1 + np.exp(2 * (np.hypot(xs - x, ys - y) - 5)))).astype(np.float32)
        for x, y in ((40, row), (38.8, row - 0.6))
    )
    shift = shift_of_disc(before, after, np.array([40.0, row]), 5.0, others_px=[])
    assert (shift is not None) is is_seen
    assert not is_seen or shift.xy_px == pytest.approx((-1.2, -0.6), abs=0.1)


def test_no_two_caps_come_to_rest_in_one_place():
    assert moved("ana", to_mm=(200.0, 100.0)).is_over(moved("bo", to_mm=(203.0, 101.0)))
    assert not moved("ana", to_mm=(200.0, 100.0)).is_over(moved("bo", to_mm=(228.0, 100.0)))  # they touch
