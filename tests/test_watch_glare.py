"""Caps that go into light that blinds, or come out of it: what was seen of their ways is told, the rest is doubted."""

import pytest

from linesies.vision import Placed, Shot, Watcher
from linesies.vision.shots import measurer
from tests.flicks import CAPS, Drawn, DrawnJudge, calibration

GLARE = (320.0, 130.0)


@pytest.fixture
def tell(monkeypatch):
    """Show a film to a watcher; gives the events."""
    monkeypatch.setattr(measurer, "Judge", DrawnJudge)

    def see(film):
        watcher = Watcher(calibration(), CAPS)
        return [*(event for frame in film.frames for event in watcher.see(frame)), *watcher.finish()]

    return see


def carry(film, player, to_mm):
    """Let a hand take a cap from where it lies, lay it down elsewhere, and go."""
    for reach in range(220, 0, -10):
        film.draw(hand_mm=(film.places[player][0], film.places[player][1] + reach))
    (x, y), (to_x, to_y) = film.places[player], to_mm
    for share in (i / 40 for i in range(41)):
        film.places[player] = (x + share * (to_x - x), y + share * (to_y - y))
        film.draw(hand_mm=film.places[player])
    for reach in range(0, 300, 12):
        film.draw(hand_mm=(to_x, to_y + reach))
    return film


def test_a_cap_that_slides_into_glare_was_shot_and_lies_in_it(tell):
    film = Drawn({"ana": (320.0, 400.0), "bo": (100.0, 100.0), "cal": (540.0, 380.0)}, glare_mm=GLARE).still()
    film.slide({"ana": ((320, 130), 0)}, frames=30).still(180)
    (shot,) = tell(film)
    assert isinstance(shot, Shot)
    (call,) = shot.calls
    assert (call.player, call.is_certain) == ("ana", False)
    assert abs(call.xy_mm[0] - 320) < 20
    assert 60 < call.xy_mm[1] < 250


def test_a_cap_that_is_struck_into_glare_was_hit_which_people_are_asked_about(tell):
    film = Drawn({"ana": (320.0, 420.0), "bo": (320.0, 260.0), "cal": (540.0, 380.0)}, glare_mm=GLARE).still()
    film.slide({"ana": ((320, 300), 0), "bo": ((320, 130), 14)}, frames=16).still(180)
    (shot,) = tell(film)
    assert [(hit.by, hit.victim, hit.is_certain) for hit in shot.hits] == [("ana", "bo", False)]
    assert not next(call for call in shot.calls if call.player == "bo").is_certain


def test_a_cap_that_slides_out_of_glare_in_which_nobody_saw_it_was_shot(tell):
    film = Drawn({"ana": (320.0, 130.0), "bo": (100.0, 100.0), "cal": (540.0, 380.0)}, glare_mm=GLARE).still()
    film.slide({"ana": ((320, 380), 0)}, frames=30).still(90)
    (shot,) = tell(film)
    assert isinstance(shot, Shot)
    assert (shot.player, shot.is_shooter_certain, shot.from_mm) == ("ana", False, None)


@pytest.mark.parametrize(("from_mm", "to_mm"), [((320.0, 300.0), GLARE), (GLARE, (320.0, 330.0))])
def test_a_hand_that_lays_a_cap_into_glare_or_takes_it_out_of_it_has_not_shot(tell, from_mm, to_mm):
    film = Drawn({"ana": from_mm, "bo": (100.0, 100.0), "cal": (540.0, 380.0)}, glare_mm=GLARE).still()
    told = tell(carry(film, "ana", to_mm).still(180))
    assert all(isinstance(event, Placed) for event in told)
