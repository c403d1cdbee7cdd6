"""Films drawn by hand for the watcher's tests: flat caps on textured ground, seen straight from above at 1 px a mm."""

import cv2
import numpy as np

from linesies.calibration import Board, Calibration, Lens, PaintedLine, Region, Survey, View, locate
from linesies.vision import Call, Cap, Frame, Judgement, KnownCap
from linesies.vision.caps.known import KnownCall

WIDTH, HEIGHT = 640, 480
FPS = 60
STILL = 40  # frames: enough to open a scene, or to settle
CAPS = (
    Cap(player="ana", colour_rgb=(30, 60, 200), diameter_mm=30.0, height_mm=0.5),
    Cap(player="bo", colour_rgb=(230, 200, 30), diameter_mm=30.0, height_mm=0.5),
    Cap(player="cal", colour_rgb=(200, 40, 40), diameter_mm=30.0, height_mm=0.5),
)
PLACES = {"ana": (150.0, 240.0), "bo": (320.0, 240.0), "cal": (480.0, 240.0)}
NOISE = 2  # grey levels at most
SHIFT = 4  # sub-pixel bits for drawing


def calibration():
    corners = np.array([[40.0, 40.0], [600.0, 40.0], [600.0, 440.0], [40.0, 440.0]])
    region = Region(name="1", polygon_mm=corners)
    lens = Lens(
        size_px=(WIDTH, HEIGHT),
        camera_matrix=np.array([[1000.0, 0, 0], [0, 1000.0, 0], [0, 0, 1]]),
        distortion=np.zeros(5),
    )
    lines = tuple(_line(a, b) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True))
    return Calibration(
        board=Board(name="drawn", size_mm=(600.0, 440.0), line_width_mm=8.0, regions=(region,)),
        view=View(lens=lens, rotation=np.eye(3), translation_mm=np.array([0.0, 0.0, 1000.0])),
        survey=Survey(lines=lines, misfit_px=0.1),
        regions=(region,),
        reprojection_px=0.1,
        empty_bgr=ground(),
    )


def _line(a, b):
    way = (b - a) / np.hypot(*(b - a))
    aside = 4.0 * np.array([-way[1], way[0]])
    ends = np.array([a, b])
    return PaintedLine(left_mm=ends + aside, right_mm=ends - aside, sigma_mm=np.array([0.1, 0.1]))


def ground():
    rng = np.random.default_rng(7)
    texture = cv2.GaussianBlur(rng.normal(0, 1, (HEIGHT, WIDTH)).astype(np.float32), (0, 0), 1.5)
    grey = 120 + 12 * texture / texture.std()
    picture = np.clip(cv2.merge([grey, grey, grey]), 0, 255).astype(np.uint8)
    cv2.rectangle(picture, (40, 40), (600, 440), (235, 235, 235), 8, cv2.LINE_AA)
    return picture


class Drawn:
    """A film in the making: each picture is drawn from where the caps and the hand are."""

    def __init__(self, places=PLACES, *, glare_mm=None):
        """Where the caps lie at first, and the middle of light that blinds, if any does."""
        self.places = dict(places)
        self._glare = None if glare_mm is None else _glare(glare_mm)
        self.frames = []
        self._ground = ground()
        self._noises = np.random.default_rng(3).integers(-NOISE, NOISE + 1, (5, HEIGHT, WIDTH, 3), np.int16)

    def still(self, frames=STILL, **how):
        for _ in range(frames):
            self.draw(**how)
        return self

    def draw(self, *, hand_mm=None, shade=None, gain=1.0, tint=(1.0, 1.0, 1.0), lamp_mm=None, knock_px=(0, 0)):
        picture = self._ground.copy()
        for cap in CAPS:
            if cap.player in self.places:
                _disc(picture, self.places[cap.player], cap.diameter_mm / 2, cap.colour_rgb[::-1])
        if shade is not None:
            picture[:, shade] = (picture[:, shade] * 0.6).astype(np.uint8)
        if hand_mm is not None:
            x, y = (round(v) for v in hand_mm)
            cv2.line(picture, (x, y + 30), (x + 120, HEIGHT + 80), (120, 150, 210), 60)
            cv2.circle(picture, (x, y + 25), 34, (130, 160, 220), -1)
        if lamp_mm is not None:
            cv2.circle(picture, lamp_mm, 6, (90, 90, 255), -1, cv2.LINE_AA)
        if self._glare is not None:
            picture = cv2.add(picture, self._glare)
        picture = np.roll(picture, knock_px[::-1], axis=(0, 1))
        lit = picture if gain == 1 else cv2.convertScaleAbs(picture, alpha=gain)
        number = len(self.frames)
        bgr = np.clip(lit * np.array(tint) + self._noises[number % 5], 0, 255).astype(np.uint8)
        self.frames.append(Frame.from_bgr(bgr, number=number, t_s=number / FPS))
        return self

    def slide(self, ways_mm, *, frames=20, **how):
        """Let caps slide to new places, slowing down; `ways_mm`: {player: (to, first frame)}."""
        starts = dict(self.places)
        longest = max(first for _, first in ways_mm.values()) + frames
        for i in range(1, longest + 1):
            for player, (to_mm, first) in ways_mm.items():
                share = np.clip((i - first) / frames, 0, 1)
                eased = 1 - (1 - share) ** 2
                self.places[player] = tuple(np.array(starts[player]) + eased * (np.array(to_mm) - starts[player]))
            self.draw(**how)
        return self


def _glare(middle_mm):
    """Draw light that blinds to what lies within some 60 mm of its middle, and fades out beyond."""
    ys, xs = np.mgrid[:HEIGHT, :WIDTH]
    light = 400 * np.exp(-(((xs - middle_mm[0]) / 64) ** 2) - ((ys - middle_mm[1]) / 64) ** 2)
    return cv2.merge([np.clip(light, 0, 255).astype(np.uint8)] * 3)


def _disc(picture, centre_mm, radius_mm, colour_bgr):
    x, y = (round(float(v) * 2**SHIFT) for v in centre_mm)
    cv2.circle(picture, (x, y), round(radius_mm * 2**SHIFT), colour_bgr, -1, cv2.LINE_AA, SHIFT)


class DrawnJudge:
    """Finds drawn caps by their colour, and believes where they are said to be later."""

    def __init__(self, calibration, caps, **_):
        self._calibration, self._caps = calibration, caps

    def prepare(self):
        """Needs nothing."""

    def judging(self, picture_bgr):
        yield
        calls = []
        for cap in self._caps:
            away = np.abs(picture_bgr.astype(int) - cap.colour_rgb[::-1]).max(axis=2)
            ys, xs = np.nonzero(away < 25)
            if len(xs) > 100:
                calls.append(self.fit(picture_bgr, KnownCap(cap=cap, near_mm=np.array([xs.mean(), ys.mean()]))))
        return Judgement(caps=tuple(calls), unknown=())

    def sees(self, picture_bgr, known):
        return bool(self.fit(picture_bgr, known))

    def measure(self, picture_bgr, known):
        return KnownCall(call=self.fit(picture_bgr, known), shade=None)

    def fit(self, picture_bgr, known):
        place = locate(self._calibration, known.near_mm, known.cap.diameter_mm)
        return Call(
            player=known.cap.player,
            xy_mm=tuple(known.near_mm.tolist()),
            diameter_mm=known.cap.diameter_mm,
            location=place.location,
            gap_mm=place.gap_mm,
            sigma_mm=0.2,
            is_certain=True,
        )
