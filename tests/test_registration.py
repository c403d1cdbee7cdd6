"""A camera on a pole: frames are brought back to the calibrated ground; a knock is told from sway and from a lean."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from linesies.training import swaying
from linesies.vision import Frame, Layout
from linesies.vision.picture.displacement import TERMS, Displacement, none_of, terms_at
from linesies.vision.picture.knocks import Knocks
from linesies.vision.picture.landmarks import Landmarks
from linesies.vision.picture.lean import Lean
from linesies.vision.picture.novelty import Novelty
from linesies.vision.picture.registration import Registration
from linesies.vision.picture.small_picture import look_at, look_at_bgr, small_planes
from linesies.vision.picture.steadied import steadied
from linesies.vision.shots.registering import Registrar, notice
from tests.flicks import PLACES, Drawn, calibration, ground

SIZE = (640, 360)
FPS = 60


def small_of(bgr):
    return look_at(Frame.from_bgr(cv2.resize(bgr, (1280, 720)), number=0, t_s=0.0))


def planes_of(bgr):
    return small_planes(Frame.from_bgr(cv2.resize(bgr, (1280, 720)), number=0, t_s=0.0))


def displaced(bgr, *, x=(0.0,), y=(0.0,)):
    """Show a picture as a camera would that lies so beside its calibrated place: coefficients in small pixels."""
    coefficients = np.zeros((2, TERMS))
    coefficients[0, : len(x)], coefficients[1, : len(y)] = x, y
    height, width = bgr.shape[:2]
    ys, xs = np.mgrid[0:height, 0:width].astype(float)
    places = np.column_stack([(xs.ravel() + 0.5) / 2 - 0.5, (ys.ravel() + 0.5) / 2 - 0.5])
    moved = 2 * (terms_at(places, (width // 2, height // 2)) @ coefficients.T).reshape(height, width, 2)
    map_x, map_y = ((axis - moved[..., i]).astype(np.float32) for i, axis in enumerate((xs, ys)))
    return cv2.remap(bgr, map_x, map_y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ((0.4, 0.0, 0.0), (-0.3,)),
        ((2.5,), (-1.5,)),
        ((0.2, 0.0, -0.15), (0.1, 0.27)),  # roll
        ((0.1, 0.0, 0.3, -0.4, 0.2), (0.0,)),  # a rolling shutter on a pole that trembles
    ],
)
def test_the_pictures_displacement_is_found_though_caps_lie_on_the_ground_and_the_light_is_another(x, y):
    empty = cv2.resize(ground(), (1280, 720))
    with_caps = cv2.resize(Drawn(PLACES).draw(gain=0.85).frames[0].bgr, (1280, 720))
    registration = Registration(small_of(empty)[:, :, 0])
    found = registration.see(planes_of(displaced(with_caps, x=x, y=y)))
    wanted = np.zeros((2, TERMS))
    wanted[0, : len(x)], wanted[1, : len(y)] = x, y
    assert found.at_corners == pytest.approx(Displacement(wanted, SIZE).at_corners, abs=0.12)


@pytest.mark.parametrize(("x", "lies_so"), [((0.0,), True), ((0.03,), True), ((0.4,), False), ((0.0, 0.0, 0.3), False)])
@pytest.mark.parametrize("layout", [Layout.BGR, Layout.YUV420_LIMITED])
def test_whether_a_camera_hangs_still_is_told_from_some_landmarks_alone(layout, x, lies_so):
    bgr = cv2.resize(displaced(ground(), x=x), (1920, 1080))
    if layout is Layout.BGR:
        frame = Frame.from_bgr(bgr, number=0, t_s=0.0)
    else:
        frame = Frame(cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV_I420), layout=layout, number=0, t_s=0.0)
    planes = small_planes(frame)
    landmarks = Landmarks(look_at_bgr(cv2.resize(ground(), (1920, 1080)), layout)[:, :, 0].copy())
    assert landmarks.lies_within(0.12, planes) is lies_so
    assert "luma" not in vars(planes)  # which would take longer than all else
    assert (landmarks.find(planes.luma).most < 0.12) is lies_so


def test_a_frame_is_brought_back_whole_and_in_windows_alike():
    bgr = cv2.resize(ground(), (1280, 720))
    coefficients = np.zeros((2, TERMS))
    coefficients[:, 0] = 0.5, -1.0  # small pixels: 1 and -2 full ones
    frame = Frame.from_bgr(np.roll(bgr, (-2, 1), axis=(0, 1)), number=7, t_s=0.1)
    back = steadied(frame, Displacement(coefficients, SIZE))
    inner = slice(10, -10)
    assert np.abs(back.pixels[inner, inner].astype(int) - bgr[inner, inner]).max() <= 1
    for rows, columns in ((slice(40, 80), slice(100, 170)), (slice(0, 30), slice(1240, 1290))):
        assert np.array_equal(back.luma_kept(rows, columns)(), back.luma[rows, columns])
    assert (back.number, back.t_s, back.size_px) == (7, 0.1, (1280, 720))


def test_the_planes_of_a_camera_are_each_brought_back_at_their_own_resolution():
    bgr = cv2.resize(ground(), (1280, 720))
    coefficients = np.zeros((2, TERMS))
    coefficients[0, 0] = 1.0
    planes = cv2.cvtColor(np.roll(bgr, 2, axis=1), cv2.COLOR_BGR2YUV_I420)
    frame = Frame(planes, layout=Layout.YUV420_LIMITED, number=0, t_s=0.0)
    back = steadied(frame, Displacement(coefficients, SIZE))
    wanted = cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV_I420)
    assert np.abs(back.pixels[:720, 10:-10].astype(int) - wanted[:720, 10:-10]).max() <= 1
    assert np.abs(back.bgr[10:-10, 10:-10].astype(int) - bgr[10:-10, 10:-10]).mean() < 3


@pytest.mark.parametrize("size_px", [(1440, 810), (1280, 720)])
def test_planes_of_whatever_height_are_brought_back_whole(size_px):
    bgr = cv2.resize(ground(), size_px)
    coefficients = np.zeros((2, TERMS))
    coefficients[0, 0] = 1.0
    frame = Frame(cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV_I420), layout=Layout.YUV420_LIMITED, number=0, t_s=0.0)
    back = steadied(frame, Displacement(coefficients, (size_px[0] // 2, size_px[1] // 2)))
    assert back.pixels.shape == frame.pixels.shape


def test_a_frame_that_lies_as_calibrated_is_passed_on_untouched():
    frame = Frame.from_bgr(np.zeros((720, 1280, 3), np.uint8), number=0, t_s=0.0)
    assert steadied(frame, none_of(SIZE)) is frame


@pytest.mark.parametrize("level", [0, 128, 255])
def test_a_picture_without_the_ground_in_it_is_not_registered(level):
    registration = Registration(small_of(ground())[:, :, 0])
    assert registration.see(planes_of(np.full((720, 1280, 3), level, np.uint8))) is None


def seen_by(knocks, places, *, start_s=0.0):
    """Let it see displacements (N, 2) one frame after the other; returns when it said that the camera was moved."""
    told = []
    for i, (x, y) in enumerate(places):
        coefficients = np.zeros((2, TERMS))
        coefficients[:, 0] = x, y
        t_s = start_s + i / FPS
        knocks.see(Displacement(coefficients, SIZE), t_s)
        if knocks.moved_since_s is not None:
            told.append((t_s, knocks.moved_since_s))
    return told


def sway(seconds, rms, seed=1):
    rng = np.random.default_rng(seed)
    n = seconds * FPS
    spectrum = np.fft.rfft(rng.normal(0, 1, (n, 2)), axis=0)
    hz = np.fft.rfftfreq(n, 1 / FPS)
    spectrum[(hz < 0.5) | (hz > 6)] = 0
    moved = np.fft.irfft(spectrum, n, axis=0)
    return rms * moved / moved.std(axis=0)


@pytest.mark.parametrize("rms", [0.1, 0.6, 2.0])
def test_a_pole_that_sways_is_not_knocked(rms):
    assert not seen_by(Knocks(), sway(30, rms))


@pytest.mark.parametrize("small_px", [2.5, 5.0])  # the same lean in a picture of half the size, and in a whole one
@pytest.mark.parametrize("start_s", [0.0, 1e5])
def test_a_pole_that_leans_slowly_is_followed(small_px, start_s):
    t_s = np.arange(20 * FPS) / FPS
    lean = small_px * np.sin(2 * np.pi * t_s / 36)
    assert not seen_by(Knocks(), np.column_stack([lean, 0.4 * lean]), start_s=start_s)


@pytest.mark.parametrize("rms", [0.0, 0.1])
def test_a_small_knock_is_told_within_two_seconds_and_when_it_was(rms):
    places = sway(10, rms) + (np.arange(10 * FPS) >= 5 * FPS)[:, None] * (0.8, 0.7)
    said_s, since_s = seen_by(Knocks(), places)[0]
    assert 5.0 < said_s < 7.0
    assert since_s == pytest.approx(5.0, abs=0.3)


def test_a_camera_that_is_put_back_is_not_knocked_any_more():
    knocks = Knocks()
    away = np.tile([3.0, 0.0], (4 * FPS, 1))
    assert seen_by(knocks, np.vstack([np.zeros((4 * FPS, 2)), away]))
    seen_by(knocks, np.zeros((3 * FPS, 2)), start_s=8.0)
    assert knocks.moved_since_s is None


@pytest.mark.parametrize("apart_s", [0.0, 0.0002])
def test_frames_that_a_network_brings_all_at_once_tell_no_drift(apart_s):
    knocks = Knocks()
    lies = Displacement(np.zeros((2, TERMS)), SIZE)
    for t_s in [0.0, *(hung_s + apart_s * i for hung_s in (1.5, 3.0) for i in range(5))]:
        knocks.see(lies, t_s)
    assert knocks.moved_since_s is None
    assert seen_by(knocks, np.tile([3.0, 0.0], (3 * FPS, 1)), start_s=3.1)


def test_a_leap_is_found_soon_though_a_camera_that_hung_still_for_long_is_not_looked_at_in_each_frame():
    empty = cv2.resize(ground(), (1280, 720))
    registrar = Registrar(replace(calibration(), empty_bgr=empty))
    leapt = displaced(empty, x=(3.0,))
    novelty = Novelty()
    for number in range(60 + 2 + 4):  # one frame shows the leap as new, and all after it the same
        frame = Frame.from_bgr(empty if number < 62 else leapt, number=number, t_s=number / FPS)
        registered, _ = registrar.see(frame, notice(frame, novelty))
    assert registered.displacement.at_corners[:, 0] == pytest.approx(3.0, abs=0.2)


@pytest.mark.parametrize("before_s", [0.0, 1000.0])
def test_a_knock_is_told_within_two_seconds_though_the_camera_was_opened_again_and_counts_time_anew(before_s):
    knocks = Knocks()
    lean = np.tile([1.0, 0.5], (4 * FPS, 1))
    seen_by(knocks, np.vstack([np.linspace((0.0, 0.0), (1.0, 0.5), 20 * FPS), lean]), start_s=before_s)
    knocks.begin_again()
    assert not seen_by(knocks, lean)
    said_s, _ = seen_by(knocks, np.add(lean, (0.8, 0.7)), start_s=4.0)[0]
    assert 4.0 < said_s < 6.0


def leant(places):
    lean = Lean()
    for i, (x, y) in enumerate(places):
        coefficients = np.zeros((2, TERMS))
        coefficients[:, 0] = x, y
        lean.see(Displacement(coefficients, SIZE), i / FPS)
    return lean.small


def test_a_camera_that_lies_elsewhere_for_good_has_leaned_by_that_much():
    assert leant(np.tile([3.0, 4.0], (40 * FPS, 1))) == pytest.approx(5.0, abs=0.1)


def test_a_pole_that_sways_widely_has_not_leaned():
    assert leant(sway(30, 2.0)) < 1.0


def test_on_ground_without_texture_nothing_is_told():
    bare = np.full((360, 640), 120, np.uint8)
    landmarks = Landmarks(bare)
    assert not landmarks.can_tell
    assert landmarks.find(bare) is None


def test_the_films_that_set_its_numbers_are_registered_while_the_pole_hardly_sways():
    luma = small_of(ground())[:, :, 0]
    moments = [cv2.resize(luma, (1280, 720), interpolation=cv2.INTER_CUBIC)] * 2
    calm, wild = (swaying.film_of(moments, way_small, np.random.default_rng(1)) for way_small in (0.3, 12.0))
    assert swaying.share_registered([calm]) > 0.95 > swaying.share_registered([wild])
