"""Every source keeps one contract: numbered frames, times that rise, a clear word when it breaks."""

import os
import time
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from linesies.device.cameras.addresses import without_secrets
from linesies.device.cameras.camera_process import Apart
from linesies.device.cameras.complaints import complaints
from linesies.device.cameras.decoding import opened
from linesies.device.cameras.film import Film
from linesies.device.cameras.opening import is_live, open_source
from linesies.device.errors import BadInput, CameraFailed, CameraStalled
from linesies.vision import GlancedFrame
from tests.builders import moving_square, write_film
from tests.mjpeg_server import MjpegCamera
from tests.rtsp_server import RtspCamera


def write_folder(path: Path, frames: int) -> Path:
    path.mkdir()
    for number in range(frames):
        cv2.imwrite(str(path / f"{number:04d}.png"), moving_square(number))
    (path / "fps.txt").write_text("60\n")
    return path


@pytest.fixture(params=["picture", "folder", "h264", "mjpeg"])
def recording(request, tmp_path):
    if request.param == "picture":
        path = tmp_path / "one.jpg"
        cv2.imwrite(str(path), moving_square(0))
        return path, 1
    if request.param == "folder":
        return write_folder(tmp_path / "folder", 12), 12
    return write_film(tmp_path / ("film.mp4" if request.param == "h264" else "film.avi"), 12), 12


def test_a_recording_gives_all_its_frames_numbered_in_order_with_their_times(recording):
    path, count = recording
    with open_source(str(path)) as source:
        frames = list(source.frames())
        assert not source.is_live
        assert source.size_px == (320, 240)
    assert [frame.number for frame in frames] == list(range(count))
    assert frames[0].t_s == 0
    assert np.allclose([frame.t_s for frame in frames], np.arange(count) / 60, atol=1e-3)


def test_a_recording_shows_what_was_recorded(recording):
    path, count = recording
    with open_source(str(path)) as source:
        last = list(source.frames())[-1]
    assert np.abs(last.bgr.astype(int) - moving_square(count - 1)).mean() < 6
    assert last.luma.shape == (240, 320)
    assert last.size_px == (320, 240)


def told_to_be_turned(path: Path, a: int, b: int, c: int, d: int) -> Path:
    """Write into a film's track header how it is to be shown: x' = a x + c y, y' = b x + d y."""
    data = bytearray(path.read_bytes())
    at = data.index(b"tkhd") + 44
    assert data[at : at + 4] == (1 << 16).to_bytes(4, "big"), "no film of the kind that is written here"
    for place, value in ((0, a), (4, b), (12, c), (16, d)):
        data[at + place : at + place + 4] = (value << 16).to_bytes(4, "big", signed=True)
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("matrix", "shown"),
    [
        ((1, 0, 0, 1), lambda picture: picture),
        ((0, 1, -1, 0), lambda picture: np.rot90(picture, -1)),
        ((0, -1, 1, 0), np.rot90),
        ((-1, 0, 0, -1), lambda picture: picture[::-1, ::-1]),
        ((-1, 0, 0, 1), lambda picture: picture[:, ::-1]),
    ],
)
def test_a_phone_s_film_is_seen_upright_however_the_phone_was_held(tmp_path, matrix, shown):
    path = told_to_be_turned(write_film(tmp_path / "film.mp4", 3), *matrix)
    with open_source(str(path)) as source:
        frames = list(source.frames())
        true = shown(moving_square(2))
        assert source.size_px == (true.shape[1], true.shape[0])
    assert frames[2].size_px == source.size_px
    assert np.abs(frames[2].bgr.astype(int) - true).mean() < 6


def test_closing_twice_is_harmless(recording):
    source = open_source(str(recording[0]))
    source.close()
    source.close()


def test_a_folder_is_read_in_the_order_of_its_numbers_not_of_its_letters(tmp_path):
    for number in (2, 10, 1):
        cv2.imwrite(str(tmp_path / f"f{number}.png"), np.full((20, 20, 3), number, np.uint8))
    with open_source(str(tmp_path)) as source:
        assert [int(frame.bgr[0, 0, 0]) for frame in source.frames()] == [1, 2, 10]


def cut(path: Path, share: float) -> Path:
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    return path


def damaged(path: Path) -> Path:
    """Empty some of a picture's data."""
    data = bytearray(path.read_bytes())
    middle = data.rindex(b"\xff\xda") + 200
    data[middle : middle + 60] = bytes(60)
    path.write_bytes(data)
    return path


def rewritten(path: Path, old: bytes, new: bytes) -> Path:
    """Put other bytes in a file's place of some, wherever they stand."""
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new))
    return path


def test_what_others_say_while_a_picture_is_read_is_not_lost(capfd):
    with complaints() as said:
        os.write(2, b"Corrupt JPEG data: premature end of data segment\nthe lamp is dim\n")
    assert said == ["Corrupt JPEG data: premature end of data segment"]
    assert capfd.readouterr().err == "the lamp is dim\n"


def test_a_byte_of_padding_is_no_damage():
    with complaints() as said:
        os.write(2, b"Corrupt JPEG data: 1 extraneous bytes before marker 0xd9\n")
    assert said == []


def picture(folder: Path, name: str) -> Path:
    path = folder / name
    cv2.imwrite(str(path), moving_square(0))
    return path


def holding(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def empty_folder(folder: Path) -> Path:
    path = folder / "empty"
    path.mkdir()
    return path


BROKEN = {
    "missing": (lambda f: f / "none.jpg", "there is no such file"),
    "empty picture": (lambda f: holding(f, "a.jpg", ""), "is empty"),
    "empty film": (lambda f: holding(f, "a.mp4", ""), "is empty"),
    "cut jpg": (lambda f: cut(picture(f, "a.jpg"), 0.6), "breaks off"),
    "cut png": (lambda f: cut(picture(f, "a.png"), 0.6), "breaks off"),
    "damaged jpg": (lambda f: damaged(picture(f, "a.jpg")), "is damaged in its middle"),
    "no picture": (lambda f: holding(f, "a.jpg", "hello"), "no picture"),
    "no film": (lambda f: holding(f, "a.mp4", "hello"), "no film"),
    "cut mp4": (lambda f: cut(write_film(f / "a.mp4", 40), 0.6), "breaks off at frame"),
    "cut avi": (lambda f: cut(write_film(f / "a.avi", 40), 0.6), "breaks off at frame"),
    "unknown codec": (lambda f: rewritten(write_film(f / "a.mp4", 12), b"avc1", b"zzzz"), "holds no video"),
    "empty folder": (empty_folder, "holds no pictures"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_recording_is_named_with_its_fault(kind, tmp_path):
    make, words = BROKEN[kind]
    path = make(tmp_path)
    with pytest.raises(BadInput, match=words) as caught, open_source(str(path)) as source:
        list(source.frames())
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("name", ["film.mp4", "film.avi"])
def test_a_film_whose_notes_are_in_another_alphabet_is_read(name, tmp_path):
    path = rewritten(write_film(tmp_path / name, 12), b"Lavf", b"L\xe4vf")
    with open_source(str(path)) as source:
        assert len(list(source.frames())) == 12


@pytest.mark.parametrize("first", [0, 15])
@pytest.mark.parametrize("count", [20, 60])
def test_a_film_that_was_trimmed_without_being_packed_anew_is_read_to_its_end(first, count, tmp_path):
    path = trimmed(write_film(tmp_path / "whole.mp4", 60), first, count)
    with open_source(str(path)) as source:
        assert len(list(source.frames())) == min(count, 60 - first)


def trimmed(film: Path, first: int, count: int) -> Path:
    """Leave a film's packets as they are, and have its edit list say that so many frames from that one are shown."""
    path = film.with_name("trimmed.mp4")
    with av.open(str(film)) as whole, av.open(str(path), "w") as part:
        stream = part.add_stream_from_template(whole.streams.video[0])
        for packet in (packet for packet in whole.demux(video=0) if packet.dts is not None):
            packet.pts, packet.dts = (at - first * packet.duration for at in (packet.pts, packet.dts))
            packet.stream = stream
            part.mux(packet)
    data = bytearray(path.read_bytes())
    at = data.index(b"elst") + 12  # its length in milliseconds
    shown_ms = int.from_bytes(data[at : at + 4], "big")
    data[at : at + 4] = min(shown_ms, round(count / 60 * 1000)).to_bytes(4, "big")
    path.write_bytes(data)
    return path


def test_a_film_may_be_closed_while_it_is_decoded_ahead(tmp_path):
    film = Film(write_film(tmp_path / "film.mp4", 40))
    frames = film.frames()
    assert next(frames).number == 0
    film.close()
    assert list(frames) == []


def test_a_films_frames_come_prepared_as_their_reader_asked(tmp_path):
    with Film(write_film(tmp_path / "film.mp4", 12)) as film:
        film.prepare = GlancedFrame
        frames = list(film.frames())
    assert [frame.number for frame in frames] == list(range(12))
    assert all(isinstance(frame, GlancedFrame) for frame in frames)


def test_frames_before_the_break_of_a_film_are_still_given(tmp_path):
    path = cut(write_film(tmp_path / "film.avi", 40), 0.6)
    frames = []
    with pytest.raises(BadInput, match=r"frame (\d+)"), open_source(str(path)) as source:
        frames.extend(source.frames())
    assert len(frames) > 5


def test_pictures_of_unlike_size_in_a_folder_are_refused(tmp_path):
    cv2.imwrite(str(tmp_path / "0.png"), np.zeros((20, 20, 3), np.uint8))
    cv2.imwrite(str(tmp_path / "1.png"), np.zeros((20, 24, 3), np.uint8))
    with pytest.raises(BadInput, match=r"1\.png: is 24x20"), open_source(str(tmp_path)) as source:
        list(source.frames())


@pytest.mark.parametrize("text", ["", "fast", "-3", "nan"])
def test_a_bad_rate_is_refused(text, tmp_path):
    folder = write_folder(tmp_path / "f", 2)
    (folder / "fps.txt").write_text(text)
    with pytest.raises(BadInput, match=r"fps\.txt"):
        open_source(str(folder))


@pytest.mark.parametrize(
    ("name", "live"),
    [
        ("film.mp4", False),
        ("v4l2:0", True),
        ("picamera2", True),
        ("picamera2:1", True),
        ("rtsp://a/b", True),
        ("http://a/video", True),
        ("picamera2?size=1280x720", True),
        ("sim:street", True),
    ],
)
def test_a_name_tells_whether_its_source_is_live(name, live):
    assert is_live(name) is live


def test_a_camera_that_is_not_there_is_told_with_the_mend():
    with pytest.raises(CameraFailed, match="plug the camera in"):
        open_source("v4l2:97")
    with pytest.raises(CameraFailed, match="python3-picamera2"):
        open_source("picamera2:0")


def test_a_network_camera_gives_frames_and_says_when_it_stops():
    with RtspCamera(frames=30) as camera, open_source(camera.address) as source:
        frames = []
        with pytest.raises(CameraFailed, match=r"stopped sending|broke off"):
            frames.extend(source.frames())
    assert len(frames) >= 25
    assert [frame.number for frame in frames] == list(range(len(frames)))
    assert np.abs(frames[0].bgr.astype(int) - moving_square(0)).mean() < 8


def test_a_network_camera_that_falls_silent_is_noticed_soon():
    with RtspCamera(frames=10, goes_silent=True) as camera, open_source(camera.address) as source:
        arrivals = []
        with pytest.raises(CameraStalled):
            arrivals.extend(time.monotonic() for _ in source.frames())
        assert time.monotonic() - arrivals[-1] < 10  # 2 s where nothing else runs; the library alone waits for 30


def test_an_unreachable_network_camera_is_told():
    with pytest.raises(CameraFailed, match="cannot be opened"):
        open_source("rtsp://127.0.0.1:9/none")


def test_a_phone_s_motion_jpeg_gives_frames_with_the_times_of_their_arrival():
    with MjpegCamera(fps=60) as camera, open_source(camera.address) as source:
        frames = [frame for frame, _ in zip(source.frames(), range(20), strict=False)]
    assert source.size_px == (320, 240)
    assert [frame.number for frame in frames] == list(range(20))
    steps_s = np.diff([frame.t_s for frame in frames])
    assert (steps_s > 0).all()  # FFmpeg's own times are whole twenty-fifths of a second
    assert steps_s.sum() > 0.05  # 0.32 s where nothing else runs
    assert np.abs(frames[0].bgr.astype(int) - moving_square(camera.shown[0])).mean() < 60


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        ({"stalls": 10}, CameraStalled, "no frame for 2 s"),
        ({"hangs_up": 10}, CameraFailed, "stopped sending|broke off"),
        ({"turns": 10}, CameraFailed, "was the phone turned"),
    ],
    ids=["silent", "gone", "turned"],
)
def test_what_ends_a_phone_s_pictures_is_told(fault, kind, words):
    with (
        MjpegCamera(fps=60, **fault) as camera,
        pytest.raises(kind, match=words),
        open_source(camera.address) as source,
    ):
        assert len(list(source.frames())) < 12


def test_a_page_in_place_of_a_film_is_told():
    with MjpegCamera() as camera, pytest.raises(CameraFailed, match=r"cannot be opened|no video"):
        open_source(camera.address.replace("video", ""))


SECRETS = [
    "rtsp://ana:secret@127.0.0.1:9/street?key=secret",
    "http://ana:secret@127.0.0.1:9/video?password=secret",
    "http://[secret/video",
]


@pytest.mark.parametrize("address", SECRETS)
def test_a_camera_s_password_stands_in_no_word_to_people(address):
    with pytest.raises(CameraFailed) as direct:
        open_source(address)
    with pytest.raises(CameraFailed) as apart, Apart(address):
        pass
    assert "secret" not in f"{direct.value}{apart.value}{direct.value.__cause__}{without_secrets(address)}"


def test_a_film_that_changes_its_size_is_told_with_the_frame(tmp_path):
    path = tmp_path / "film.mkv"
    with av.open(str(path), "w", format="matroska") as film:
        stream = film.add_stream("mjpeg", rate=20)
        stream.width, stream.height, stream.pix_fmt = 320, 240, "yuvj420p"
        for number in range(20):
            picture = moving_square(number, (320, 240) if number < 10 else (160, 120))
            packet = av.Packet(cv2.imencode(".jpg", picture)[1].tobytes())
            packet.pts = packet.dts = number * 50
            packet.stream, packet.time_base = stream, Fraction(1, 1000)
            film.mux(packet)
    with pytest.raises(BadInput, match="changes its size at frame 10"), open_source(str(path)) as source:
        list(source.frames())


def film_called(title, path):
    """Write a film of three pictures, with a title in bytes of whatever letters."""
    with av.open(str(path), "w", format="matroska") as film:
        film.metadata["title"] = "x" * len(title)
        stream = film.add_stream("mjpeg", rate=20)
        stream.width, stream.height, stream.pix_fmt = 320, 240, "yuvj420p"
        for number in range(3):
            film.mux(stream.encode(av.VideoFrame.from_ndarray(moving_square(number, (320, 240)), format="bgr24")))
        film.mux(stream.encode())
    path.write_bytes(path.read_bytes().replace(b"x" * len(title), title))
    return path


def test_a_film_whose_title_is_in_odd_letters_is_read(tmp_path):
    with open_source(str(film_called(b"Sk\xfclly in der Stra\xdfe", tmp_path / "film.mkv"))) as source:
        assert len(list(source.frames())) == 3


@pytest.mark.parametrize(("version", "is_told"), [("18.1.0", True), ("19.0.0", False), ("20.1.0rc1", False)])
def test_from_19_on_pyav_is_told_nothing_of_letters_which_it_passes_on_by_itself(monkeypatch, version, is_told):
    told = []
    monkeypatch.setattr(av, "__version__", version)
    monkeypatch.setattr(av, "open", lambda _, **how: told.append(how))
    opened("film.mkv", timeout=1.0)
    assert told == [{"timeout": 1.0} | ({"metadata_errors": "replace"} if is_told else {})]


def test_a_source_in_its_own_process_gives_the_same_frames(tmp_path):
    path = write_film(tmp_path / "film.mp4", 12)
    with open_source(str(path)) as source:
        wanted = [frame.luma.copy() for frame in source.frames()]
    with Apart(str(path)) as source:
        got = list(source.frames())
    assert [frame.number for frame in got] == list(range(12))
    assert all((frame.luma == luma).all() for frame, luma in zip(got, wanted, strict=True))


def test_a_source_in_its_own_process_keeps_the_newest_frames_when_the_reader_is_slow(tmp_path):
    with Apart(str(write_film(tmp_path / "film.mp4", 120))) as source:
        time.sleep(1.5)
        numbers = [frame.number for frame in source.frames()]
    assert numbers[-1] == 119
    assert source.lost > 0
    assert len(numbers) + source.lost == 120


def test_the_death_of_a_camera_process_is_told():
    with Apart("sim:street?seed=1") as source:
        source._child.kill()
        with pytest.raises(CameraFailed, match="its process ended"):
            list(source.frames())


def test_a_camera_s_password_stands_on_no_command_line():
    with RtspCamera(frames=60) as camera:
        name = camera.address.replace("//", "//ana:secret@")
        with Apart(name) as source:
            assert "secret" not in Path(f"/proc/{source._child.pid}/cmdline").read_text()


def test_a_fault_in_the_camera_process_arrives_as_itself():
    with pytest.raises(CameraFailed, match="plug the camera in"):
        Apart("v4l2:97")
