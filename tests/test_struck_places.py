"""What shows a contact: the place where its victim lay is kept without loss, before, at and after it."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from linesies.device.cases.case import case_names, read_blob, read_case_in
from linesies.device.cases.case_store import CaseStore
from linesies.device.cases.filing import Filing
from linesies.device.cases.rejudging import rejudge
from linesies.device.cases.struck import StruckPlaces
from linesies.vision import Frame, Hit, Scene, cut_out
from tests import cap_pictures
from tests.cap_pictures import CAPS
from tests.case_files import AWAITED, PLACES, called

FPS = 60
STRUCK_S = 1.5
HIT = Hit(by="ana", victim="bo", t_s=STRUCK_S)


@pytest.fixture(scope="module")
def calibration():
    return cap_pictures.calibration()


def noisy(calibration, number):
    """A frame that is like no other."""
    width, height = calibration.view.lens.size_px
    planes = np.random.default_rng(number).integers(0, 255, (height * 3 // 2, width), np.uint8)
    return Frame.from_yuv420(planes, number=number, t_s=number / FPS, is_full_range=True)


def scene(t_s, *, is_at_rest):
    """Ana's cap is under way until it strikes Bo's, which then is seen farther and farther off."""
    away_mm = 400 * max(t_s - STRUCK_S, 0.0)
    x, y = PLACES["bo"]
    return Scene(t_s=t_s, is_at_rest=is_at_rest, caps_mm={"bo": (x, y + away_mm), "cal": PLACES["cal"]})


def watched(calibration, *, until_s=2.5):
    """Watch a shot that begins half a second before it strikes."""
    places = StruckPlaces()
    for number in range(int(until_s * FPS)):
        t_s = number / FPS
        is_at_rest = t_s < STRUCK_S - 0.5
        places.see(noisy(calibration, number), scene(t_s, is_at_rest=is_at_rest), calibration)
    return places


def struck(calibration):
    shot = replace(called(calibration), hits=(HIT,))
    return shot, watched(calibration).of(shot)


@pytest.mark.parametrize("is_full_range", [True, False])
def test_a_part_of_a_frame_is_what_the_whole_frame_shows_there_to_the_last_bit(is_full_range):
    planes = np.random.default_rng(1).integers(0, 255, (180, 160), np.uint8)
    frame = Frame.from_yuv420(planes, number=0, t_s=0.0, is_full_range=is_full_range)
    for whole in (frame, Frame.from_bgr(frame.bgr, number=0, t_s=0.0)):
        part = cut_out(whole, (71.3, 55.0), 50.0)
        (x, y), (height, width) = part.corner_px, part.bgr.shape[:2]
        assert (part.bgr == whole.bgr[y : y + height, x : x + width]).all()
        assert x < 71 - 20 < 71 + 20 < x + width


def test_of_a_place_at_the_pictures_border_no_half_part_is_kept():
    frame = Frame.from_bgr(np.zeros((120, 160, 3), np.uint8), number=0, t_s=0.0)
    assert cut_out(frame, (10.0, 60.0), 50.0) is None


def test_a_hit_is_shown_at_rest_before_just_before_then_and_just_after(calibration):
    _, contacts = struck(calibration)
    times = [part.t_s for part in contacts["bo"].parts]
    assert times[0] < STRUCK_S - 0.5
    assert times[1:] == pytest.approx([STRUCK_S - 1 / FPS, STRUCK_S, STRUCK_S + 1 / FPS])


def test_it_is_still_shown_once_the_victim_lies_elsewhere(calibration):
    places = watched(calibration)
    for number in range(150, 300):
        places.see(noisy(calibration, number), scene(2.5, is_at_rest=True), calibration)
    assert places.of(replace(called(calibration), hits=(HIT,)))["bo"].parts[-1].t_s == pytest.approx(STRUCK_S, abs=0.02)


def test_a_hit_of_a_cap_that_lay_nowhere_is_shown_by_nothing(calibration):
    stranger = replace(HIT, victim="ana")
    assert not watched(calibration).of(replace(called(calibration), hits=(stranger,)))


def test_a_struck_cap_s_case_keeps_its_contact_without_loss_beside_a_call_measured_again_exactly(calibration, tmp_path):
    shot, contacts = struck(calibration)
    Filing(store=CaseStore(tmp_path, megabytes=10), caps=CAPS, settled_s=0.4).file(
        7, shot, calibration, AWAITED, contacts
    )
    cases = {case.player: (name, case) for name in case_names(tmp_path) for case in [read_case_in(tmp_path, name)]}
    assert cases["cal"][1].contact is None
    name, case = cases["bo"]
    assert (case.contact.by, case.contact.t_s) == ("ana", STRUCK_S)
    for kept, part in zip(case.contact.parts, contacts["bo"].parts, strict=True):
        assert kept.picture in case.blobs
        x, y = kept.corner
        seen = cv2.imdecode(np.frombuffer(read_blob(tmp_path, kept.picture), np.uint8), cv2.IMREAD_COLOR)
        whole = noisy(calibration, round(kept.t_s * FPS)).bgr
        assert (seen == whole[y : y + len(seen), x : x + seen.shape[1]]).all()
        assert (seen == part.bgr).all()
    assert rejudge(tmp_path, name).change == "same"
