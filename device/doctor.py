"""How exact calls will be in this set-up, measured before play, and what would make them better."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import erf

from linesies.calibration import Calibration, PaintedLine
from linesies.referee.saying import Saying
from linesies.vision import Cap, Image, expected_sigma_mm

TYPICAL_CAP = Cap(player="any", colour_rgb=(180, 60, 50), diameter_mm=26.0, height_mm=6.0, kind="crown")
LEFT_OPEN_SIGMAS = 2.0  # closer to the paint than this, people are asked
FLANK_PX, STEP_PX = 4.0, 0.25  # how far beyond the paint profiles reach, and their steps
BLURS_PX = (0.3, 5.0)
LEAST_STATIONS = 8
TONE = 2.2  # cameras store light by about this power; on it a blurred edge looks lopsided
WHITE, BLACK = 250, 12  # of 255: beyond them a camera tells nothing
# beyond which something is advised; set by hand in dde01f8, on which pictures was not recorded
MOST_BLUR_PX, MOST_NOISE = 1.7, 5.0
MOST_WASHED_OUT, MOST_TOO_DARK, LEAST_LIGHT = 0.02, 0.3, 40.0
MOST_TILT_DEG, MOST_MM_PER_PX, MOST_SURVEY_MM, LEAST_MARGIN_MM = 30.0, 1.6, 0.5, 60.0
GREEN, AMBER, RED = (60, 180, 60), (40, 170, 240), (60, 60, 220)  # BGR
GOOD_SIGMA_MM, POOR_SIGMA_MM = 0.6, 1.2  # below the one green, from the other on red


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxHealth:
    """One box: whether it is seen whole, a pixel's size there, and the standard error that gaps will have."""

    name: str
    is_seen: bool
    mm_per_px: float
    sigma_mm: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """What was measured. `blur_px` is an edge's standard deviation, `noise` a pixel's (of 255; None for one picture).

    `light` is the board's middle brightness of 255, `washed_out` and `too_dark` shares of its pixels;
    `survey_mm` is the paint's median standard error; `margin_mm` is how much ground is seen around the board.
    """

    tilt_deg: float
    height_mm: float
    blur_px: float
    light: float
    washed_out: float
    too_dark: float
    noise: float | None
    survey_mm: float
    margin_mm: float
    boxes: tuple[BoxHealth, ...]


def examine(pictures_bgr: Sequence[Image], calibration: Calibration, caps: Sequence[Cap] = ()) -> Health:
    """Measure one or more pictures (H, W, 3) of a still board."""
    picture = pictures_bgr[-1]
    view, board = calibration.view, calibration.board
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    mask = np.zeros(grey.shape, np.uint8)
    cv2.fillConvexPoly(mask, _outline_px(calibration, 0.0).round().astype(np.int32), 1)
    levels = grey[mask > 0]
    return Health(
        tilt_deg=view.tilt_deg,
        height_mm=view.camera_height_mm,
        blur_px=_blur_px(grey, calibration),
        light=float(np.median(levels)),
        washed_out=float((levels >= WHITE).mean()),
        too_dark=float((levels <= BLACK).mean()),
        noise=_noise(pictures_bgr),
        survey_mm=float(np.median(np.concatenate([line.sigma_mm for line in calibration.survey.lines]))),
        margin_mm=_margin_mm(calibration),
        boxes=tuple(_box(calibration, region.name, region.polygon_mm, caps) for region in board.regions),
    )


def _box(calibration: Calibration, name: str, polygon_mm: np.ndarray, caps: Sequence[Cap]) -> BoxHealth:
    view, middle = calibration.view, polygon_mm.mean(axis=0)
    return BoxHealth(
        name=name,
        is_seen=all(view.is_in_picture(point) for point in polygon_mm),
        mm_per_px=1 / view.px_per_mm(middle),
        sigma_mm=max(expected_sigma_mm(calibration, cap, middle) for cap in (caps or (TYPICAL_CAP,))),
    )


def _outline_px(calibration: Calibration, around_mm: float) -> np.ndarray:
    width, height = calibration.board.size_mm
    m = around_mm
    return calibration.view.mm_to_px(np.array([[-m, -m], [width + m, -m], [width + m, height + m], [-m, height + m]]))


def _margin_mm(calibration: Calibration) -> float:
    """Find how far the picture reaches beyond the board on the side where it reaches least."""
    size = np.array(calibration.view.lens.size_px) - 0.5
    reached = 0.0
    for around_mm in np.arange(0.0, max(calibration.board.size_mm), max(calibration.board.size_mm) / 60):
        corners = _outline_px(calibration, float(around_mm))
        if not ((corners >= -0.5) & (corners <= size)).all():
            break
        reached = float(around_mm)
    return reached


def _noise(pictures_bgr: Sequence[Image]) -> float | None:
    if len(pictures_bgr) < 2:
        return None
    first, second = (picture.astype(np.int16) for picture in pictures_bgr[-2:])
    return float(1.4826 * np.median(np.abs(first - second)) / np.sqrt(2))


def _blur_px(grey: np.ndarray, calibration: Calibration) -> float:
    """Find the blur with which bars of the surveyed widths fit the mean profiles of all lines best."""
    light = (grey.astype(np.float32) / 255) ** TONE
    bars = [_bar(light, calibration, line) for line in calibration.survey.lines]

    def misfit(blur_px: float) -> float:
        return sum(_misfit(bar, blur_px) for bar in bars if bar is not None)

    return float(minimize_scalar(misfit, bounds=BLURS_PX, method="bounded", options={"xatol": 0.01}).x)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Bar:
    """A line's mean profile (U,) at `reach_px` (U,) from its middle, and the width of its paint."""

    reach_px: np.ndarray
    light: np.ndarray
    width_px: float


def _bar(light: np.ndarray, calibration: Calibration, line: PaintedLine) -> _Bar | None:
    """Average the picture across a line, half a width and more off its ends; None where too little of it is seen."""
    left, right = (calibration.view.mm_to_px(edge) for edge in (line.left_mm, line.right_mm))
    across = right - left
    width = float(np.median(np.hypot(*across.T)))
    middle, normal = (left + right) / 2, across / np.maximum(np.hypot(*across.T)[:, None], 1e-9)
    size = np.array(light.shape[::-1])
    inside = np.logical_and.reduce((middle > width + FLANK_PX) & (middle < size - width - FLANK_PX), axis=1)
    inside[: len(inside) // 8] = inside[-(len(inside) // 8 + 1) :] = False
    if inside.sum() < LEAST_STATIONS:
        return None
    reach = np.arange(-width / 2 - FLANK_PX, width / 2 + FLANK_PX, STEP_PX)
    places = (middle[inside, None] + reach[None, :, None] * normal[inside, None]).astype(np.float32)
    seen = cv2.remap(light, places[..., 0], places[..., 1], cv2.INTER_LINEAR)
    return _Bar(reach_px=reach, light=np.median(seen, axis=0), width_px=width)


def _misfit(bar: _Bar, blur_px: float) -> float:
    """Give what a blurred bar, of whatever brightness on whatever ground, leaves untold: a share of the contrast."""
    edges = [erf((bar.reach_px + side * bar.width_px / 2) / (np.sqrt(2) * blur_px)) for side in (1, -1)]
    told = np.column_stack([(edges[0] - edges[1]) / 2, np.ones_like(bar.reach_px)])
    solved = np.linalg.lstsq(told, bar.light, rcond=None)[0]
    return float(np.sum((told @ solved - bar.light) ** 2) / max(float(np.ptp(bar.light)) ** 2, 1e-9))


def advise(health: Health) -> tuple[Saying, ...]:
    """Say what would make calls more exact, the most telling first; nothing where all is well."""
    worst = max(health.boxes, key=lambda box: box.sigma_mm)
    unseen = [box.name for box in health.boxes if not box.is_seen]
    found = (
        (bool(unseen), Saying("not_whole", {"boxes": unseen})),
        (health.blur_px > MOST_BLUR_PX, Saying("blurred", {"blur": f"{health.blur_px:.1f}"})),
        (health.washed_out > MOST_WASHED_OUT, Saying("washed_out", {"share": f"{100 * health.washed_out:.0f}"})),
        (health.light < LEAST_LIGHT or health.too_dark > MOST_TOO_DARK, Saying("dark")),
        ((health.noise or 0) > MOST_NOISE, Saying("flickers", {"noise": f"{health.noise or 0:.0f}"})),
        (health.tilt_deg > MOST_TILT_DEG, Saying("aslant", {"tilt": f"{health.tilt_deg:.0f}"})),
        (worst.mm_per_px > MOST_MM_PER_PX, Saying("coarse", {"size": f"{worst.mm_per_px:.1f}", "box": worst.name})),
        (health.survey_mm > MOST_SURVEY_MM, Saying("worn", {"error": f"{health.survey_mm:.1f}"})),
        (health.margin_mm < LEAST_MARGIN_MM, Saying("little_ground")),
    )
    return tuple(saying for is_so, saying in found if is_so)


def draw_health(picture_bgr: Image, calibration: Calibration, health: Health) -> Image:
    """Draw each box in green, amber or red with the standard error that gaps will have in it."""
    tint, view = picture_bgr.copy(), calibration.view
    boxes = list(zip(calibration.regions, health.boxes, strict=True))
    for region, box in boxes:
        cv2.fillPoly(tint, [view.mm_to_px(region.polygon_mm).round().astype(np.int32)], _colour_of(box.sigma_mm))
    drawn = cv2.addWeighted(tint, 0.45, picture_bgr, 0.55, 0)
    for region, box in boxes:
        _write(drawn, f"{box.sigma_mm:.1f} mm", view.mm_to_px(region.polygon_mm.mean(axis=0)[None])[0])
    return drawn


def _colour_of(sigma_mm: float) -> tuple[int, int, int]:
    if sigma_mm < GOOD_SIGMA_MM:
        return GREEN
    return AMBER if sigma_mm < POOR_SIGMA_MM else RED


def _write(drawn: Image, words: str, xy_px: np.ndarray) -> None:
    """Write words into a picture below a point (2,): white in black, so that they show on any ground."""
    tall = max(drawn.shape[0] / 1080, 0.4)
    (width, _), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, 0.6 * tall, 1)
    at = (round(xy_px[0] - width / 2), round(xy_px[1] + 30 * tall))
    for colour, thick in (((0, 0, 0), 5), ((255, 255, 255), 2)):
        thickness = max(round(thick * tall), 1)
        cv2.putText(drawn, words, at, cv2.FONT_HERSHEY_SIMPLEX, 0.6 * tall, colour, thickness, cv2.LINE_AA)
