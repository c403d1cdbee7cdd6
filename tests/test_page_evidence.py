"""The evidence behind a call: its clip and its pictures, though they come late or are gone."""

import av
import numpy as np
import pytest

from tests import scenes
from tests.browsing import DESK, PHONE, WIDE, in_browser, text, until
from tests.page_server import served
from tests.photographed import photographs

pytestmark = in_browser

LAID = """(corners) => {
  const video = document.querySelector(".clip video");
  const matrix = new DOMMatrix(video.style.transform);
  return corners.map(([x, y]) => {
    const at = matrix.transformPoint(new DOMPoint(x * video.offsetWidth, y * video.offsetHeight));
    return [at.x / at.w, at.y / at.w];
  });
}"""  # where the film's corners of what happened are shown


@pytest.fixture
def filmed(tmp_path):
    """A clip of a second, in a coding that every Chromium knows."""
    with av.open(str(tmp_path / "00000005-clip.mp4"), "w") as film:
        track = film.add_stream("libvpx-vp9", rate=20, width=64, height=48, pix_fmt="yuv420p")
        for shade in range(20):
            picture = av.VideoFrame.from_ndarray(np.full((48, 64, 3), 10 * shade, np.uint8), format="rgb24")
            film.mux(track.encode(picture))
        film.mux(track.encode(None))
    return tmp_path


def test_the_clip_is_scrubbed_to_the_contact(stage, browser, filmed):
    scenes.playing(stage)
    scenes.made(stage)
    *others, last = stage.story_json()["entries"]
    evidence = {"pictures": {}, "clip": "00000005-clip.mp4", "start_s": 3.0, "contacts_s": [0.55]}
    stage.tell(entries=[*others, {**last, "evidence": evidence}])
    with served(stage, evidence_dir=filmed) as port:
        page = browser.new_page(**PHONE)
        page.goto(f"http://127.0.0.1:{port}/")
        page.tap("#call .look")
        page.wait_for_selector("#sheet .filmed")
        assert page.locator("video").count() == 0, "loaded though nobody asked for it"
        page.tap("#sheet .filmed summary")
        page.wait_for_selector(".notch", state="attached")
        assert page.locator(".notch").evaluate("one => one.style.left").startswith("5")
        page.fill(".track input", "0.2")
        until(page, "Math.abs(document.querySelector('video').currentTime - 0.2) < 0.03")
        page.tap(".clip .jump")
        until(page, "Math.abs(document.querySelector('video').currentTime - 0.55) < 0.03")
        page.close()


def test_a_picture_that_comes_late_is_shown_in_the_open_sheet(stage, opened):
    scenes.playing(stage)
    scenes.made(stage)
    page = opened()
    page.tap("#call .look")
    page.wait_for_selector("#sheet[open] .evidence")
    assert page.locator("#sheet .evidence img").count() == 0
    *others, last = stage.story_json()["entries"]
    stage.tell(entries=[*others, {**last, "evidence": {"pictures": {"ana": "00000005-0.jpg"}}}])
    page.wait_for_selector("#sheet .evidence img", state="attached")


def test_where_there_is_room_evidence_lies_beside_what_was_ruled_and_each_rule_is_named_once(stage, opened):
    scenes.playing(stage)
    scenes.made(stage)
    page = opened(viewport=WIDE)
    page.locator("#call .look").click()
    page.wait_for_selector("#sheet .meaning")
    lens, told = (page.locator(f"#sheet {part}").bounding_box() for part in (".exhibits .lens", ".meanings"))
    assert lens["x"] + lens["width"] <= told["x"]
    assert max(lens["y"], told["y"]) < WIDE["height"] / 2
    assert [text(page, f".meaning >> nth={i} >> strong") for i in range(4)] == [
        "From 2 to 13 and back 3.2.2",
        "Pipsies 3.3.2",
        "Hitting others 3.3.1",
        "Adding up 3.3.3",
    ]
    *others, last = stage.story_json()["entries"]
    stage.tell(entries=[*others, {**last, "rulings": [*last["rulings"][:3], last["rulings"][2]]}])
    page.wait_for_selector(".meanings li:nth-child(4) p .rule")
    assert page.locator(".meaning").count() == 3


@pytest.mark.parametrize("opened_on", [{}, {"viewport": WIDE}, {"viewport": {"width": 1920, "height": 1080}}])
def test_what_else_it_may_have_been_is_in_sight_below_all_that_was_ruled(stage, opened, opened_on):
    scenes.playing(stage)
    scenes.made(stage)
    *others, last = stage.story_json()["entries"]
    evidence = {"pictures": {}, "clip": "00000005-clip.mp4", "start_s": 3.0, "contacts_s": [0.55]}
    stage.tell(entries=[*others, {**last, "evidence": evidence}])
    page = opened(locale="es-MX", **opened_on)
    page.locator("#call .look").click()
    first = page.locator("#sheet .answers button").first
    sheet, lens = page.locator("#sheet"), page.locator("#sheet .exhibits .lens")
    page.wait_for_selector("#sheet .meaning >> nth=3")
    boxes = {name: one.bounding_box() for name, one in (("first", first), ("sheet", sheet), ("lens", lens))}
    ends = {name: box["y"] + box["height"] for name, box in boxes.items()}
    assert ends["first"] <= ends["sheet"] + 1
    assert ends["lens"] < ends["sheet"]
    assert page.evaluate("document.querySelector('#sheet').scrollTop") == 0


def test_a_clip_that_is_gone_leaves_no_hole(stage, opened):
    scenes.playing(stage)
    scenes.made(stage)
    *others, last = stage.story_json()["entries"]
    stage.tell(entries=[*others, {**last, "evidence": {"pictures": {}, "clip": "gone.mp4", "contacts_s": []}}])
    page = opened()
    page.tap("#call .look")
    page.tap("#sheet .filmed summary")
    page.wait_for_selector(".filmed", state="detached")
    assert page.is_visible("#sheet .lens")


def test_an_open_sheet_says_what_another_phone_has_undone(stage, opened):
    scenes.playing(stage)
    scenes.made(stage)
    page = opened()
    page.tap("#call .look")
    page.wait_for_selector("#sheet .answers button:has-text('Cross it out')")
    *others, last = stage.story_json()["entries"]
    stage.tell(entries=[*others, {**last, "event": None, "rulings": []}])
    page.wait_for_selector("#sheet .answers button:has-text('Put it back in')")


def test_the_clip_shows_what_happened_alone_and_as_from_above(stage, browser, filmed):
    scenes.playing(stage)
    scenes.made(stage)
    *others, last = stage.story_json()["entries"]
    corners = [[0.7, 0.2], [0.8, 0.6], [0.3, 0.7], [0.4, 0.3]]  # the board lies turned and aslant before the camera
    evidence = {
        "pictures": {},
        "clip": "00000005-clip.mp4",
        "contacts_s": [],
        "view": {"mm": [0, 0, 9, 9], "at": corners},
    }
    stage.tell(entries=[*others, {**last, "evidence": evidence}])
    with served(stage, evidence_dir=filmed) as port:
        page = browser.new_page(**PHONE)
        page.goto(f"http://127.0.0.1:{port}/")
        page.tap("#call .look")
        page.tap("#sheet .filmed summary")
        until(page, "document.querySelector('.clip video')?.style.transform.startsWith('matrix3d')")
        box = page.locator(".clip .frame").bounding_box()
        laid = page.evaluate(LAID, corners)
        assert box["width"] == pytest.approx(box["height"], abs=1)
        assert np.array(laid) == pytest.approx(np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * box["width"], abs=0.5)
        page.tap(".clip button:has-text('Whole picture')")
        until(page, "document.querySelector('.clip video').style.transform === ''")
        page.close()


@pytest.mark.parametrize(("path", "opened_on"), [("", PHONE), ("screen", DESK)])
def test_of_its_picture_a_cap_fills_the_round_and_its_letter_covers_a_corner(browser, path, opened_on):
    with photographs() as (_, port):
        page = browser.new_page(**opened_on)
        page.goto(f"http://127.0.0.1:{port}/{path}")
        until(page, "[...document.querySelectorAll('.avatar img')].some((one) => one.naturalWidth)")
        round_, picture, letter = (
            page.locator(f"#players li:first-child {part}").bounding_box()["width"]
            for part in (".avatar", ".avatar img", ".avatar .token")
        )
        page.close()
    assert picture > 1.8 * round_
    assert letter < 0.6 * round_
