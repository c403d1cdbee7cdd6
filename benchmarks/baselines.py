"""What simpler programs make of the same pictures, to compare ours with.

The plain one: a homography through four tapped corners, Hough's circles, the lines as drawn. The careful one: the
picture undistorted, the pose refined on the paint and the paint surveyed as ours does, the empty picture
subtracted, an ellipse fitted to what is left; but a cap is flat to it: its height is ignored.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.benchmarks.lines import Given, Judging
from linesies.calibration import Board, Calibration, locate
from linesies.vision import Call, Cap, Image

Array = NDArray[np.float64]

SURE_MM = 1.0  # a gap clearer than this they stand by
USUAL_SIGMA_MM = 1.0
CHANGED, LEAST_FILL = 24, 0.6
SIZES = (0.7, 1.35)  # of the smallest and largest cap listed


def plain_judge(given: Given) -> Judging:
    """Make the plain one ready."""
    width, height = given.board.size_mm
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    flat = cv2.getPerspectiveTransform(given.taps_px.astype(np.float32), corners)
    px_per_mm = float(np.hypot(*(given.taps_px[1] - given.taps_px[0])) / width)
    small, large = (pick(cap.diameter_mm for cap in given.caps) * px_per_mm / 2 for pick in (min, max))

    def judging(picture_bgr: Image) -> tuple[Call, ...]:
        grey = cv2.GaussianBlur(cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
        found = cv2.HoughCircles(
            grey, cv2.HOUGH_GRADIENT, 1, 2 * small, param1=120, param2=16, minRadius=int(0.8 * small),
            maxRadius=int(1.2 * large) + 1,
        )  # fmt: skip
        circles = np.zeros((0, 3)) if found is None else np.asarray(found, float).reshape(-1, 3)
        places = cv2.perspectiveTransform(circles[None, :, :2], flat)[0] if len(circles) else circles[:, :2]
        gaps = [_drawn_gap_mm(given.board, xy) for xy in places]
        return _named(picture_bgr, given.caps, circles, places, gaps)

    return judging


def careful_judge(given: Given) -> Judging | None:
    """Make the careful one ready."""
    calibration = given.calibrated()
    if not isinstance(calibration, Calibration):
        return None
    empty = given.empty_bgr.astype(np.int16)
    view = calibration.view
    px_per_mm = view.px_per_mm(np.array(given.board.size_mm) / 2)
    least, most = (
        share * pick(cap.diameter_mm for cap in given.caps) * px_per_mm
        for share, pick in zip(SIZES, (min, max), strict=True)
    )

    def judging(picture_bgr: Image) -> tuple[Call, ...]:
        away = np.abs(picture_bgr.astype(np.int16) - empty).max(axis=2)
        changed = cv2.morphologyEx((away > CHANGED).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        circles = []
        for contour in cv2.findContours(changed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
            if len(contour) < 8:
                continue
            (x, y), (minor, major), _ = cv2.fitEllipse(contour)
            fill = cv2.contourArea(contour) / max(np.pi / 4 * minor * major, 1e-9)
            if least < minor <= major < most and fill > LEAST_FILL:
                circles.append([x, y, (minor + major) / 4])
        seen = np.array(circles).reshape(-1, 3)
        places = view.px_to_mm(seen[:, :2])
        gaps = [locate(calibration, xy, 0.0).gap_mm for xy in places]
        return _named(picture_bgr, given.caps, seen, places, gaps)

    return judging


def _named(
    picture_bgr: Image, caps: tuple[Cap, ...], circles: Array, places_mm: Array, gaps_mm: list[float]
) -> tuple[Call, ...]:
    """Name each circle by its middle's colour, each cap once, and take the listed diameter."""
    costs = []
    for i, (x, y, radius) in enumerate(circles):
        reach = max(int(radius / 2), 1)
        part = picture_bgr[max(int(y) - reach, 0) : int(y) + reach + 1, max(int(x) - reach, 0) : int(x) + reach + 1]
        if part.size:
            colour = part.reshape(-1, 3).mean(axis=0)[::-1]
            costs += [(float(np.abs(colour - cap.colour_rgb).sum()), i, j) for j, cap in enumerate(caps)]
    calls: dict[int, Call] = {}
    named: set[int] = set()
    for _, i, j in sorted(costs):
        if i not in calls and j not in named:
            named.add(j)
            gap = gaps_mm[i] - caps[j].diameter_mm / 2
            calls[i] = Call(
                player=caps[j].player,
                xy_mm=(float(places_mm[i][0]), float(places_mm[i][1])),
                diameter_mm=caps[j].diameter_mm,
                location="open" if gap > 0 else "line",
                gap_mm=gap,
                sigma_mm=USUAL_SIGMA_MM,
                is_certain=abs(gap) > SURE_MM,
            )
    return tuple(calls.values())


def _drawn_gap_mm(board: Board, xy_mm: Array) -> float:
    """Measure from a point to the nearest edge of a line as drawn, negative on it."""
    width, height = board.size_mm
    border = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    aways = []
    for polygon in (border, *(region.polygon_mm for region in board.regions)):
        along = np.roll(polygon, -1, axis=0) - polygon
        share = np.clip(((xy_mm - polygon) * along).sum(axis=1) / (along**2).sum(axis=1), 0, 1)
        aways.append(np.hypot(*(polygon + share[:, None] * along - xy_mm).T).min())
    return float(min(aways)) - board.line_width_mm / 2
