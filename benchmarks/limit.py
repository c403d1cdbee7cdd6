"""How near a cap's centre comes to what noise allows at best: the Cramér-Rao bound of its own edge."""

import json
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.benchmarks.lines import given_of, picture_of
from linesies.calibration import Calibration, View
from linesies.vision import Call, Cap, Image, Judge, KnownCap

Array = NDArray[np.float64]

NOISE = 2.0  # added to each stored luma, white
TRIES = 24
BLUR_PX = 0.75  # of an edge in the simulator's pictures, lens and pixel
PLAINEST = ("lid", "lid_open", "crown", "crown_upturned", "glide", "ring")  # kinds, by how plain their edge is
DIRECTIONS = 72
INSIDE, OUTSIDE = (0.7, 0.88), (1.15, 1.4)  # of the radius, where the edge's two levels are read


def centre_noise(scene: Path) -> dict[str, float]:
    """Fit one cap in pictures that differ by added noise alone; deviations an axis in pixels, ours and the bound."""
    given = given_of(scene)
    calibration = given.calibrated()
    assert isinstance(calibration, Calibration), calibration.reason
    frame = json.loads((scene / "truth.json").read_text())["frames"][0]
    caps = {cap.player: cap for cap in given.caps}
    true = min(frame["caps"], key=lambda t: PLAINEST.index(caps[t["player"]].kind or "lid"))
    cap, near_mm = caps[true["player"]], np.array([true["x"], true["y"]])
    picture, judge = picture_of(scene / frame["file"]), Judge(calibration, given.caps)
    rng = np.random.default_rng(1)
    places = []
    for _ in range(TRIES):
        noise = rng.normal(0, NOISE, picture.shape[:2])[..., None]
        noisy = np.clip(picture + noise + 0.5, 0, 255).astype(np.uint8)
        call = judge.fit(noisy, KnownCap(cap=cap, near_mm=near_mm))
        if isinstance(call, Call):
            places.append(calibration.view.mm_to_px(np.array([call.xy_mm]))[0])
    spread = np.std(places, axis=0, ddof=1)
    return {
        "ours_px": float(np.sqrt((spread**2).mean())),
        "bound_px": _bound_px(picture, calibration.view, cap, near_mm),
    }


def _bound_px(picture_bgr: Image, view: View, cap: Cap, xy_mm: Array) -> float:
    """Sum what each stretch of the blurred edge knows of the centre; the mean of both axes."""
    grey = cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY).astype(np.float32)
    turn = np.linspace(0, 2 * np.pi, DIRECTIONS, endpoint=False)
    ways = np.column_stack([np.cos(turn), np.sin(turn)])
    middle = view.mm_to_px(xy_mm[None], cap.height_mm / 2)[0]
    radius = cap.diameter_mm / 2 * view.px_per_mm(xy_mm)
    levels = []
    for band in (INSIDE, OUTSIDE):
        reach = np.linspace(*band, 5)[:, None, None] * radius
        places = (middle + reach * ways).astype(np.float32)
        levels.append(cv2.remap(grey, places[..., 0], places[..., 1], cv2.INTER_LINEAR).mean(axis=0))
    contrast2 = float((levels[0] - levels[1]).mean()) ** 2  # of the whole edge: the ground's texture is no contrast
    known = contrast2 * radius * (2 * np.pi / DIRECTIONS) / (2 * BLUR_PX * np.sqrt(np.pi) * NOISE**2)
    information = (known * ways**2).sum(axis=0)
    return float(np.sqrt((1 / information).mean()))
