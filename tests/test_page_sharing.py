"""A call to take along: as a picture and as a short film, through the share sheet or as a file; the clip laid flat."""

import av
import cv2
import numpy as np
import pytest

from tests import scenes
from tests.browsing import in_browser, until

pytestmark = in_browser

CHALK = np.array([225, 235, 239])  # as B, G, R
STAMP = np.array([56, 63, 12])  # the ground of a good call

SHARES = """() => {
  window.shared = [];
  navigator.canShare = () => true;
  navigator.share = async ({ files: [{ name, type, size }], title }) => window.shared.push([name, type, size, title]);
}"""


@pytest.fixture
def call(stage, opened):
    """A phone with the sheet of a call open that was in by a hair."""
    scenes.playing(stage)
    scenes.made(stage)
    page = opened(color_scheme="dark", locale="es-MX")
    page.tap("#call .look")
    page.wait_for_selector("#sheet .sharing")
    return page


def share_of(picture, colour):
    return float((np.abs(picture.astype(int) - colour).max(axis=2) < 12).mean())


def saved(page, label, folder):
    with page.expect_download(timeout=60_000) as download:
        page.tap(f"#sheet .sharing button:has-text('{label}')")
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_the_picture_of_a_call_shows_paint_stamp_and_words(call, tmp_path):
    path = saved(call, "Compartir imagen", tmp_path)
    picture = cv2.imread(str(path))
    assert path.suffix == ".png"
    assert picture.shape == (1250, 1080, 3)
    assert share_of(picture[:1080], CHALK) > 0.1
    assert share_of(picture[820:1000], STAMP) > 0.1
    assert picture[1080:].max() > 200
    assert call.locator("body > .unseen .film").count() == 0


def test_the_film_of_a_call_runs_as_the_show_does_and_ends_with_the_stamp(call, tmp_path):
    call.tap("#sheet .sharing button:has-text('Compartir video')")
    call.wait_for_selector("#sheet .sharing .note:has-text('s más')")
    call.wait_for_selector("#sheet .sharing .note:has-text('listo')", timeout=60_000)
    path = saved(call, "Compartir el video", tmp_path)
    with av.open(str(path)) as film:
        frames = [(frame.time, frame.to_ndarray(format="bgr24")) for frame in film.decode(video=0)]
    assert 3 < frames[-1][0] < 8
    first, last = frames[0][1], frames[-1][1]
    assert share_of(first[560:660], STAMP) < 0.02
    assert share_of(last[560:660], STAMP) > 0.1


def test_a_phone_with_a_share_sheet_is_handed_the_picture(call):
    call.evaluate(SHARES)
    call.tap("#sheet .sharing button:has-text('Compartir imagen')")
    until(call, "window.shared.length === 1")
    name, kind, size, title = call.evaluate("window.shared[0]")
    assert (kind, title) == ("image/png", "Ana: Dentro")
    assert name.endswith(".png")
    assert size > 10_000
