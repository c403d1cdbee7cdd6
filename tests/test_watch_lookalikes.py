"""Litter that looks like a cap: what moves was the cap, and what never does was none."""

from dataclasses import replace

import numpy as np
import pytest

from linesies.vision import Frame, KnownCap, Shot, Watcher
from linesies.vision.picture.background import Background
from linesies.vision.shots import measurer
from linesies.vision.shots.at_rest import rest
from linesies.vision.shots.latest_frames import LatestFrames
from linesies.vision.shots.place import Presence, has_lain
from linesies.vision.shots.registering import Noticed, Steady
from linesies.vision.shots.unmasking import unmask
from linesies.vision.values import Resemblance
from tests.flicks import CAPS, PLACES, Drawn, DrawnJudge, _disc, calibration, ground
from tests.scene_states import BLACK, lookalike, opened, place_of

LITTER_MM = (480.0, 360.0)
REDDISH = (60, 60, 180)  # b, g, r: much as cal's cap


class Littered(Drawn):
    """A film of ground on which a piece of litter lies, until it is taken away."""

    def __init__(self):
        super().__init__()
        _disc(self._ground, LITTER_MM, 15.0, REDDISH)

    def tidy(self):
        self._ground = ground()
        return self


class Unsure(DrawnJudge):
    """Sees cal's cap in two places, and calls it where it is `taken_for` cal's."""

    taken_for: tuple[float, float]

    def judging(self, picture_bgr):
        judged = yield from super().judging(picture_bgr)
        calls = [call for call in judged.caps if call.player != "cal"]
        both = tuple(Resemblance(player="cal", xy_mm=xy_mm, share=0.4) for xy_mm in (LITTER_MM, PLACES["cal"]))
        taken = self.fit(picture_bgr, KnownCap(cap=CAPS[2], near_mm=np.array(self.taken_for)))
        return replace(judged, caps=(*calls, taken), resemblances=both)


@pytest.fixture
def watcher(monkeypatch):
    """Make a watcher whose judge calls cal's cap in a place at first."""

    def make(xy_mm):
        monkeypatch.setattr(measurer, "Judge", Unsure)
        monkeypatch.setattr(Unsure, "taken_for", xy_mm, raising=False)
        return Watcher(calibration(), CAPS)

    return make


def told(watcher, frames):
    return [event for frame in frames for event in watcher.see(frame)]


def test_a_cap_for_which_litter_was_taken_is_told_once_it_is_shot(watcher):
    film = Littered().still().slide({"cal": ((470.0, 110.0), 0)}).still()
    (shot,) = told(watcher(LITTER_MM), film.frames)
    assert isinstance(shot, Shot)
    assert shot.player == "cal"
    assert shot.from_mm == pytest.approx(PLACES["cal"], abs=1.0)
    assert shot.calls[0].xy_mm == pytest.approx((470.0, 110.0), abs=2.0)


def test_litter_that_is_taken_away_is_no_cap_for_longer_than_that_cap_is_looked_for(watcher):
    film = Littered().still().tidy().still(6 * 60)
    seeing = watcher(PLACES["cal"])
    assert told(seeing, film.frames) == []
    (shot,) = told(seeing, film.slide({"cal": ((470.0, 110.0), 0)}).still().frames[-60:])
    assert (shot.player, shot.from_mm) == ("cal", pytest.approx(PLACES["cal"], abs=1.0))


def test_a_cap_that_is_shot_soon_after_litter_was_taken_away_is_told_from_where_it_lay(watcher):
    film = Littered().still().tidy().still(60).slide({"cal": ((470.0, 110.0), 0)}).still()
    (shot,) = told(watcher(PLACES["cal"]), film.frames)
    assert (shot.player, shot.from_mm) == ("cal", pytest.approx(PLACES["cal"], abs=1.0))
    assert shot.t_start_s == pytest.approx(100 / 60, abs=0.05)


def looking(one, presence, frame, *, t_s):
    return one.looked_at(presence, one.history.after(frame, share_beside=0.0), t_s)


def test_of_two_places_that_are_left_at_once_the_cap_lay_in_the_likelier():
    (frame,) = Drawn().draw().frames
    two = [lookalike("cal", xy_mm) for xy_mm in (LITTER_MM, (300.0, 360.0))]
    bare = tuple(looking(one, Presence.BARE, frame, t_s=1.0) for one in two)
    state = replace(opened(), lookalikes=bare, t_s=1.2)
    nothing = Noticed(planes=(), changed=np.zeros((1, 1), np.uint8))
    seen = unmask(nothing, None, Steady(frame=frame, planes=(), displacement=None), None, state)
    assert seen.caps["cal"].place.xy_mm == LITTER_MM
    assert seen.lookalikes == ()


@pytest.mark.parametrize(
    ("t_s", "is_calm", "is_taken"), [(10.0, True, False), (17.0, True, True), (17.0, False, False)]
)
def test_what_looks_otherwise_for_good_is_taken_as_it_looks_now_unless_somebody_is_about(t_s, is_calm, is_taken):
    (frame,) = Drawn().draw().frames
    latest = LatestFrames()
    latest.add(frame)
    covered = looking(lookalike("cal", LITTER_MM), Presence.COVERED, frame, t_s=1.0)
    state = replace(opened(), lookalikes=(covered,), t_s=t_s, is_calm=is_calm)
    assert rest(state, latest).otherwise == ((covered.place,) if is_taken else ())


def test_a_hand_beside_a_cap_spoils_no_picture_of_that_one_at_rest_and_of_no_other():
    (frame,) = Drawn().draw().frames
    latest = LatestFrames()
    latest.add(frame)
    state = opened()
    bo = state.caps["bo"]
    since_then = bo.history
    for t_s, share_beside in ((-1.0, 0.0), (-0.5, 0.0), (0.0, 0.3)):
        since_then = since_then.after(
            Frame(frame.pixels, layout=frame.layout, number=0, t_s=t_s), share_beside=share_beside
        )
    state = replace(state, caps={**state.caps, "bo": replace(bo, history=since_then)})
    assert {place.cap.player for place in rest(state, latest).alone} == {"ana", "cal"}


def test_what_lies_there_since_before_a_cap_left_is_not_that_cap():
    place, bare, littered = place_of("bo"), np.full_like(BLACK, 90), np.full_like(BLACK, 90)
    littered[place.rows, place.columns] = 180
    ground_now = Background(bare, littered)
    came = Background(bare, bare)
    assert has_lain(place, ground_now, littered)
    assert not has_lain(place, ground_now, bare)  # it has left
    assert not has_lain(place, came, littered)
    assert not has_lain(place, came, bare)  # what fades on paint of its own colour may lie there
