"""What there is before the first game: no board, no caps, people who say which they are; sizes are offered."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from linesies.calibration import BadInput
from linesies.device.announcers.announcing import Announcers
from linesies.device.journal.journal import Journal
from linesies.device.loop.chosen_board import drawn_board
from linesies.device.loop.found_caps import found_json
from linesies.device.loop.owner_orders import SetUpPaths, Steward
from linesies.device.loop.refereeing import referee_game
from linesies.device.loop.setting_up import NoEyes
from linesies.device.loop.tapped_caps import pick
from linesies.device.settings.settings import CameraSettings, Settings, WebSettings
from linesies.referee.orders import DrawnBoard, TappedCap
from linesies.referee.referee import Referee
from linesies.referee.saying import Saying
from linesies.referee.snapshot import story_json
from linesies.vision import Cap, find_unknown_caps, read_caps
from linesies.vision.caps.body import body_middle
from linesies.vision.caps.find import Finder
from linesies.vision.caps.spot import Spot
from linesies.web.language import in_language
from tests import cap_pictures
from tests.cap_pictures import SIZE_PX
from tests.refereeing import START, quick_journal, referee_on
from tests.test_hosting import FRAME, SKULL, TAPPED, eyes, order_row, say, steward, street  # noqa: F401 - fixtures too


def test_a_diameter_that_people_leave_out_is_offered_as_the_cap_looks(steward, street, tmp_path):  # noqa: F811 - pytest's way
    frame, (red, blue) = street
    picked = [
        {**TAPPED, "xy": red, "diameter": None},
        {**TAPPED, "player": "bo", "kind": "lid", "xy": blue, "diameter": None},
    ]
    steward.take([order_row("caps", caps=picked)])
    steward.see(frame)
    for cap, true in zip(read_caps(tmp_path / "caps.json"), (cap_pictures.RED, cap_pictures.BLUE), strict=True):
        assert cap.diameter_mm == pytest.approx(true.diameter_mm, abs=2.5)


def test_a_lid_that_the_camera_finds_is_offered_as_one():
    """Taken for a crown it would be followed as half as large as it is, and seen no more once it slides."""
    ground = cap_pictures.calibration()
    laid = [(cap_pictures.RED, (150, 150)), (cap_pictures.BLUE, (450, 150)), (cap_pictures.YELLOW, (150, 450))]
    found = found_json(cap_pictures.picture(ground, laid), ground)
    assert [(cap["kind"], cap["diameter"] > 38) for cap in found] == [("lid", True), ("crown", False), ("crown", False)]


@pytest.mark.parametrize("rgb", [(125, 63, 160), (31, 95, 174), (122, 74, 40)], ids=["purple", "blue", "brown"])
def test_a_pin_lies_on_a_cap_as_bright_as_the_ground_and_not_on_its_long_shadow(rgb, monkeypatch):
    monkeypatch.setattr(cap_pictures, "SLOPE", np.array([1.5, 0.8]))
    ground = cap_pictures.calibration()
    cap = Cap(player="", colour_rgb=rgb, diameter_mm=32.0, height_mm=13.0, kind="lid")
    laid_mm = np.array([(450.0, 150.0), (150.0, 450.0)])
    found = find_unknown_caps(cap_pictures.picture(ground, [(cap, xy_mm) for xy_mm in laid_mm]), ground)
    pins_px = np.array(sorted((one.xy_px for one in found), key=lambda xy_px: -xy_px[0]))
    assert pins_px == pytest.approx(ground.view.mm_to_px(laid_mm, cap.height_mm), abs=2.0)


def test_a_cap_of_the_ground_s_colour_that_the_camera_finds_is_taken_and_bare_ground_is_not():
    ground, xy_mm = cap_pictures.calibration(), np.array([(450.0, 150.0)])
    x_px, y_px = (round(float(value)) for value in ground.view.mm_to_px(xy_mm, 6.0)[0])
    alike_rgb = tuple(int(value) for value in ground.empty_bgr[y_px - 6 : y_px + 6, x_px - 6 : x_px + 6].mean((0, 1)))
    cap = Cap(player="ana", colour_rgb=alike_rgb, diameter_mm=28.0, height_mm=6.0, kind="crown")
    tapped = TappedCap(player="ana", xy=(x_px, y_px), kind="crown", diameter=28.0)
    (taken,) = pick(cap_pictures.picture(ground, [(cap, tuple(xy_mm[0]))]), ground, [tapped])
    assert taken.player == "ana"
    assert pick(ground.empty_bgr, ground, [tapped]) == Saying("cap_nothing", {"player": "ana"})


def test_caps_seen_from_afar_get_their_pins_though_they_are_four_pixels_wide():
    ground = cap_pictures.calibration()
    laid_mm = np.array([(450.0, 150.0), (150.0, 150.0), (150.0, 450.0)])
    caps = (cap_pictures.RED, cap_pictures.BLUE, cap_pictures.YELLOW)
    picture_bgr = cap_pictures.picture(ground, list(zip(caps, laid_mm, strict=True)))
    lens, size_px = ground.view.lens, (SIZE_PX[0] // 4, SIZE_PX[1] // 4)
    matrix = lens.camera_matrix / 4
    matrix[:, 2] += (-0.375, -0.375, 0.75)  # the middle of the first pixel is 0
    far = replace(
        ground,
        view=replace(ground.view, lens=replace(lens, size_px=size_px, camera_matrix=matrix)),
        empty_bgr=cv2.resize(ground.empty_bgr, size_px, interpolation=cv2.INTER_AREA),
    )
    spots = find_unknown_caps(cv2.resize(picture_bgr, size_px, interpolation=cv2.INTER_AREA), far)
    places_px = far.view.mm_to_px(laid_mm, 6.0)
    assert 40.0 * far.view.px_per_mm(laid_mm[1]) < 5.5
    assert len(spots) == 3
    assert all(min(np.hypot(*(spot.xy_px - place_px)) for spot in spots) < 1.0 for place_px in places_px)


def test_ground_in_a_bluish_shadow_is_no_body():
    empty_bgr = cap_pictures.calibration().empty_bgr
    shaded_bgr = (empty_bgr * np.array([0.75, 0.68, 0.66])).astype(np.uint8)
    assert body_middle(shaded_bgr, empty_bgr, np.array([200.0, 200.0]), 8.0) is None


def spot(x_px, change):
    return Spot(
        xy_px=np.array([x_px, 100.0]),
        diameter_mm=40.0,
        radius_px=7.0,
        change=change,
        is_shade=False,
    )


def test_of_two_spots_on_one_cap_the_surer_is_offered_and_a_cap_that_touches_it_too(monkeypatch):
    monkeypatch.setattr(Finder, "spots", lambda *_: [spot(100, 0.9), spot(106, 0.5), spot(114, 0.4)])
    ground = cap_pictures.calibration()
    assert [one.xy_px[0] for one in find_unknown_caps(ground.empty_bgr, ground)] == [100, 114]


def test_before_any_board_is_learned_caps_and_games_wait_for_it(tmp_path):
    kept = SetUpPaths(state=tmp_path, calibration=tmp_path / "c.json", caps=tmp_path / "caps.json")
    blind = Steward(NoEyes(), (), kept=kept, redraw=lambda _: None, rekit=lambda _: None)
    blind.take([order_row("caps", caps=[{**TAPPED, "xy": [1.0, 2.0]}])])
    assert [trouble.saying.code for trouble in blind.see(FRAME)] == ["board_first"]
    with quick_journal() as path:
        fresh = Referee(Journal(path), Announcers([]), elsewhere=lambda call: call.location)
        say(fresh, "new_game", start=START)
        assert fresh.story.refusal["said"]["code"] == "board_first"
        say(fresh, "new_game", start=SKULL)
        assert fresh.story.public["game"] == "skull", "cards are played by phones alone"


def test_people_say_which_board_theirs_is():
    board = drawn_board(DrawnBoard(kind="street", side=1900.0))
    assert board.size_mm == pytest.approx((1900.0, 1900.0))
    assert board.region("13").polygon_mm.mean(axis=0) == pytest.approx([950.0, 950.0])
    assert drawn_board(None).name == "street-6ft"
    assert drawn_board(DrawnBoard(kind="table", side=None)).size_mm[0] == pytest.approx(600.0)


def test_box_5_has_two_legal_places():
    usual, other = (drawn_board(DrawnBoard(is_five_at_top=at_top)) for at_top in (False, True))

    def middle(board, box):
        return board.region(box).polygon_mm.mean(axis=0)

    def apart(board, one, another):
        return np.hypot(*(middle(board, one) - middle(board, another)))

    assert middle(other, "5") == pytest.approx(middle(usual, "9"))
    for board in (usual, other):  # the book's 1.6.13 and 1.6.15
        assert apart(board, "5", "4") > apart(board, "7", "4")
        assert apart(board, "9", "8") > apart(board, "11", "8")
        assert apart(board, "1", "2") == pytest.approx(apart(board, "3", "4"))
    assert {box: tuple(middle(usual, box)) for box in "1234"} == {box: tuple(middle(other, box)) for box in "1234"}


def test_the_doctors_advice_is_shown_in_the_phones_language():
    told = Saying("blurred", {"blur": "2.4"}).as_json()
    with quick_journal() as path:
        referee = referee_on(path)
        referee.redraw({"advice": [told]})
        english = story_json(referee.story)
    assert english["set_up"]["advice"][0]["message"] == "edges are blurred by 2.4 px; focus the lens or wipe it"
    spanish = in_language(english, "es")["set_up"]["advice"][0]["message"]
    assert spanish == "los bordes están borrosos (2.4 px); enfoca el lente o límpialo"


def test_without_phones_that_may_order_what_is_missing_is_said_as_ever(tmp_path):
    settings = Settings(
        camera=CameraSettings(calibration=str(tmp_path / "none.json")), web=WebSettings(may_order=False)
    )
    with pytest.raises(BadInput, match=r"none\.json"):
        referee_game(settings, say=lambda _: None, sets_up=True)
