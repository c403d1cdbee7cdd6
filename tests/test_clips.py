"""The clip of a shot: half a second before to rest, small, its contacts marked; the disk is never filled."""

import threading
import time

import av
import cv2
import numpy as np
import pytest

from linesies.benchmarks.mounting import MODES
from linesies.device.announcers import evidence as making
from linesies.device.announcers.clips import WAITING, FilmRoll
from linesies.device.announcers.evidence import Evidence, WantedEvidence
from linesies.device.announcers.evidence_store import Shelf
from linesies.vision import Call, Drawn, Frame, GlancedFrame, Hit, Layout, Shot
from linesies.vision.picture.small_picture import LEAST_FILMED, MOST_FILMED, small_planes
from tests import flicks
from tests.pace import SLACK

FPS = 60


def frame(i, layout="yuv420", size_px=(1280, 720)):
    """Show a white square that moves 4 px a frame over grey."""
    width, height = size_px
    if layout == "bgr":
        bgr = np.full((height, width, 3), 100, np.uint8)
        bgr[200:260, 4 * i : 4 * i + 60] = 250
        return Frame.from_bgr(bgr, number=i, t_s=i / FPS)
    planes = np.full((height * 3 // 2, width), 128, np.uint8)
    planes[:height] = 100
    planes[200:260, 4 * i : 4 * i + 60] = 250
    return Frame.from_yuv420(planes, number=i, t_s=i / FPS, is_full_range=True)


def filmed(frames):
    roll = FilmRoll()
    for one in frames:
        roll.see(one)
        while not roll._waiting.empty():
            time.sleep(0.001)
    return roll


def shown(path):
    with av.open(str(path)) as film:
        return [(float(f.time), f.to_ndarray(format="gray")) for f in film.decode(video=0)]


@pytest.mark.parametrize("layout", ["yuv420", "bgr"])
def test_a_clip_begins_before_the_first_motion_and_ends_at_rest(tmp_path, layout):
    roll = filmed(frame(i, layout) for i in range(150))
    start_s = roll.cut(tmp_path / "clip.mp4", start_s=1.0, end_s=2.0)
    roll.close()
    assert 0.4 <= start_s <= 1.0
    pictures = shown(tmp_path / "clip.mp4")
    assert pictures[0][0] == 0
    assert pictures[-1][0] == pytest.approx(2.0 - start_s, abs=0.02)
    assert (tmp_path / "clip.mp4").stat().st_size < 300_000
    # what is shown at a time of the clip is what was seen at that time of the source
    t_s, picture = pictures[30]
    assert picture.shape == (360, 640)
    bright = np.flatnonzero(picture[115] > 180)
    assert bright.mean() == pytest.approx(2 * (start_s + t_s) * FPS + 15, abs=2)
    assert picture[50].mean() == pytest.approx(100, abs=3)


def test_what_is_filmed_is_what_the_eyes_have_made_of_a_frame(tmp_path):
    dark = GlancedFrame(frame(0, size_px=(2304, 1296)))
    dark.pixels[:] = 128  # a film that looked at the frame again would be grey all over
    roll = filmed([dark, dark])
    roll.cut(tmp_path / "clip.mp4", start_s=0.0, end_s=1.0)
    roll.close()
    ((_, picture), *_) = shown(tmp_path / "clip.mp4")
    assert picture.shape == (324, 576)
    assert picture[58, 7] > 180
    assert picture[150, 150] < 110


SENSORS = sorted({mode.size_px for mode in MODES})


@pytest.mark.parametrize("size_px", SENSORS)
def test_a_clip_is_about_as_wide_and_keeps_its_shape_whatever_the_sensor(tmp_path, size_px):
    roll = filmed(frame(i, size_px=size_px) for i in range(20))
    roll.cut(tmp_path / "clip.mp4", start_s=0.0, end_s=0.3)
    roll.close()
    height, width = shown(tmp_path / "clip.mp4")[0][1].shape
    assert LEAST_FILMED <= width <= MOST_FILMED
    assert height == pytest.approx(width * size_px[1] / size_px[0], abs=4)  # films are cut to fours


@pytest.mark.parametrize("size_px", SENSORS)
def test_a_films_colours_lie_where_its_luma_does(size_px):
    width, height = size_px
    at_px, down_px = round(0.6 * width), round(0.7 * height)
    bgr = np.zeros((height, width, 3), np.uint8)
    bgr[down_px:, at_px:] = 0, 0, 255
    planes = small_planes(
        Frame(cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV_I420), layout=Layout.YUV420_LIMITED, number=0, t_s=0.0)
    )
    reds = planes.filmed_colours()[1]
    for plane in (planes.filmed, reds):
        is_red = plane > (int(plane.min()) + int(plane.max())) / 2
        rows, columns = np.flatnonzero(is_red.any(axis=1)), np.flatnonzero(is_red.any(axis=0))
        assert columns[0] / plane.shape[1] == pytest.approx(0.6, abs=1 / reds.shape[1])
        assert rows[0] / plane.shape[0] == pytest.approx(0.7, abs=1 / reds.shape[0])


def test_there_is_no_clip_of_what_was_never_filmed(tmp_path):
    roll = FilmRoll()
    assert roll.cut(tmp_path / "clip.mp4", start_s=0.0, end_s=1.0) is None
    roll.close()
    assert not (tmp_path / "clip.mp4").exists()


def test_film_starts_anew_when_the_camera_was_opened_again(tmp_path):
    roll = filmed([*(frame(i) for i in range(90)), *(frame(i) for i in range(60))])
    assert roll.cut(tmp_path / "clip.mp4", start_s=0.2, end_s=2.0) == 0.0
    roll.close()
    assert len(shown(tmp_path / "clip.mp4")) == 60


def test_frames_are_left_out_rather_than_waited_for():
    roll = FilmRoll()
    began_s = time.perf_counter()
    for i in range(40):
        roll.see(frame(0 if i else 1))
    assert time.perf_counter() - began_s < 1.0 * SLACK
    assert roll._waiting.qsize() <= WAITING
    roll.close()


def call(player):
    return Call(
        player=player, xy_mm=(1, 2), diameter_mm=26, location="open", gap_mm=30.0, sigma_mm=0.2, is_certain=True
    )


def blank(*players):
    """Draws an empty picture of each."""
    empty = np.zeros((8, 8, 3), np.uint8)
    return lambda *_: [(player, Drawn(seen=empty, drawn=empty)) for player in players]


def test_the_contact_is_marked_in_seconds_of_the_clip(tmp_path):
    shelf = Shelf(tmp_path, pictures=5, clips=5, megabytes=5)
    evidence = Evidence(shelf, blank("ana", "bo"))
    for i in range(120):
        evidence.see(frame(i))
        time.sleep(0.004)
    hits = (Hit(by="ana", victim="bo", t_s=1.25),)
    shot = Shot(player="ana", hits=hits, calls=(call("bo"), call("ana")), t_start_s=1.0, t_end_s=1.6)
    evidence.take(WantedEvidence(about=12, frame=frame(119), calibration=flicks.calibration(), event=shot))
    evidence.close()
    (made,) = evidence.done()
    assert (made.about, made.fault) == (12, None)
    assert made.body["pictures"] == {"ana": "00000012-0.jpg", "bo": "00000012-1.jpg"}
    assert made.body["clip"] == "00000012-clip.mp4"
    assert made.body["contacts_s"] == [round(1.25 - made.body["start_s"], 3)]
    assert 0.0 <= made.body["start_s"] <= 0.5
    assert made.body["small"] == {"ana": "00000012-0.webp", "bo": "00000012-1.webp"}
    kept = {made.body["clip"], *made.body["pictures"].values(), *made.body["small"].values()}
    assert {path.name for path in tmp_path.iterdir()} == kept
    left, top, right, bottom = made.body["view"]["mm"]
    assert all(left < shown.xy_mm[0] < right and top < shown.xy_mm[1] < bottom for shown in shot.calls)
    width, height = frame(0).size_px
    corners = [[left / width, top / height], [right / width, top / height], [right / width, bottom / height]]
    assert made.body["view"]["at"][:3] == pytest.approx(np.array(corners), abs=1e-3)  # straight above, a pixel a mm


def test_a_disk_that_fails_costs_the_clip_and_not_the_pictures(tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    shelf = Shelf(tmp_path, pictures=5, clips=5, megabytes=5)
    evidence = Evidence(shelf, blank("ana"))
    monkeypatch.setattr(evidence._roll, "cut", full)
    shot = Shot(player="ana", hits=(), calls=(call("ana"),), t_start_s=1.0, t_end_s=1.6)
    evidence.take(WantedEvidence(about=1, frame=frame(0), calibration=None, event=shot))
    evidence.close()
    (made,) = evidence.done()
    assert made.body == {"pictures": {"ana": "00000001-0.jpg"}, "small": {"ana": "00000001-0.webp"}}
    assert "No space left" in made.fault


def test_an_ending_waits_for_what_is_in_hand_and_for_no_more(tmp_path, monkeypatch):
    monkeypatch.setattr(making, "FAREWELL_S", 0.05)
    monkeypatch.setattr(making, "IN_HAND_S", 20.0)
    is_begun, may_end = threading.Event(), threading.Event()

    def slow(*_):
        is_begun.set()
        may_end.wait(20)
        return []

    evidence = Evidence(Shelf(tmp_path, pictures=5, clips=0, megabytes=5), slow)
    for about in range(3):
        evidence.take(WantedEvidence(about=about, frame=frame(0), calibration=None, event=None))
    assert is_begun.wait(20)
    threading.Timer(0.2, may_end.set).start()
    evidence.close()
    assert not evidence._artist.is_alive()
    assert [shown.about for shown in evidence.done()] == [0]


def files(folder, *names, kb=1):
    for name in names:
        (folder / name).write_bytes(bytes(1000 * kb))


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_the_newest_of_each_kind_are_kept(tmp_path):
    shelf = Shelf(tmp_path, pictures=2, clips=1, megabytes=5)
    files(tmp_path, "00000001-0.jpg", "00000001-clip.mp4", "00000002-0.jpg", "00000002-clip.mp4", "00000003-0.jpg")
    shelf.tidy()
    assert names(tmp_path) == ["00000002-0.jpg", "00000002-clip.mp4", "00000003-0.jpg"]


def test_the_folder_stays_within_its_size_oldest_dropped_first(tmp_path):
    shelf = Shelf(tmp_path, pictures=9, clips=9, megabytes=1)
    files(tmp_path, "00000001-0.jpg", "00000001-clip.mp4", "00000002-0.jpg", "00000002-clip.mp4", kb=400)
    shelf.tidy()
    assert names(tmp_path) == ["00000002-0.jpg", "00000002-clip.mp4"]


def test_clips_go_first_when_the_disk_is_nearly_full(tmp_path):
    shelf = Shelf(tmp_path, pictures=9, clips=9, megabytes=5, free=lambda folder: 150 + 60 * (3 - len(names(folder))))
    files(tmp_path, "00000001-0.jpg", "00000002-clip.mp4", "00000003-clip.mp4")
    shelf.tidy()
    assert names(tmp_path) == ["00000001-0.jpg", "00000003-clip.mp4"]
    assert shelf.has_room_for_clips
