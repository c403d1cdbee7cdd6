"""Find the one card, or die, in a photograph taken for learning: by itself, on any table, turned any way."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.picture.frame import Image

Quad = NDArray[np.float64]
Samples = NDArray[np.float64]
_ALONG = np.linspace(0.1, 0.9, 40)  # where a side is sampled; its round corners are left out
_MIDDLE = [len(_ALONG) // 2 - 1, len(_ALONG) // 2]  # of so many, in order
_NEXT = [1, 2, 3, 0]  # corners

WORK_PX = 480  # the longer side at which a card is looked for; its edges are fine enough there
LEAST_PX = 60  # the shorter side of a picture at that size; what is narrower shows no whole card
CARD_ASPECT = (0.56, 0.9)  # width to height of a card as photographed, tilted by up to 35 degrees either way
CUT_ASPECTS = ((0.635, 0.66), (0.69, 0.735))  # bridge and poker cards cut out; photographs are 2:3 or 3:4
CARD_SHARE = 0.06  # of the picture; a smaller card cannot be learned well
_ONES = np.ones(3, np.float32)  # over a small last axis a product is far faster than a sum
STEPS_A_PX = 1.5  # across a side, at which its edge is sought
TURNS = 5  # of reweighting when a side is drawn


@dataclass(frozen=True)
class PhotoTuning(Tuning):
    """When what a photograph shows is a card, and which of several outlines is its own edge."""

    common: float = tuned(
        0.05,
        title="of the smaller one, what two outlines share from which on they are one card",
        unit="1",
        low=0.005,
        high=0.5,
        source=by_hand_in("3954535"),
    )
    enough_support: float = tuned(
        0.8,
        title="of its weakest side, what lies on an edge; above this the larger outline is the better",
        unit="1",
        low=0.3,
        high=1,
        source=by_hand_in("3954535"),
    )
    size_worth: float = tuned(
        0.5,
        title="what an outline as large as the picture counts beside that share",
        unit="1",
        low=0,
        high=3,
        source=by_hand_in("3954535"),
    )
    rim_share: float = tuned(
        0.06,
        title="of the picture, how broad a rim of it shows the table",
        unit="1",
        low=0.01,
        high=0.3,
        source=by_hand_in("3954535"),
    )
    strange: float = tuned(
        2.5,
        title="times the usual distance from the colour of the table, from which a place at the rim shows none",
        unit="1",
        low=1,
        high=10,
        source=by_hand_in("3954535"),
    )
    uneven: float = tuned(
        1.5,
        title="times as long as the side opposite, what a side may be: a camera aslant",
        unit="1",
        low=1,
        high=4,
        source=by_hand_in("3954535"),
    )
    least_support: float = tuned(
        0.5,
        title="of its weakest side, what must lie on an edge",
        unit="1",
        low=0.1,
        high=1,
        source=by_hand_in("3954535"),
    )
    same_px: float = tuned(
        3.0,
        title="corners nearer than this are of one outline",
        unit="px",
        low=0.5,
        high=20,
        source=by_hand_in("3954535"),
    )
    beyond_px: float = tuned(
        2.0,
        title="how far outside the picture a corner may lie",
        unit="px",
        low=0,
        high=20,
        source=by_hand_in("3954535"),
    )
    least_side_px: float = tuned(
        8.0, title="shortest side of an outline", unit="px", low=2, high=60, source=by_hand_in("3954535")
    )
    drawn_out: float = tuned(
        3.0,
        title="times that the distance from the colour of the table is drawn out before it is split",
        unit="1",
        low=1,
        high=10,
        source=by_hand_in("3954535"),
    )
    laxer: float = tuned(
        0.5,
        title="of the distance that splits best, what is tried too, and once more of that",
        unit="1",
        low=0.1,
        high=0.9,
        source=by_hand_in("3954535"),
    )
    weakest_edge_levels: float = tuned(
        15.0, title="weakest edges that are tried", unit="levels", low=3, high=100, source=by_hand_in("3954535")
    )
    edge_strengths: int = tuned(
        4,
        title="strengths of edges that are tried, each twice the one before",
        unit="1",
        low=1,
        high=6,
        source=by_hand_in("3954535"),
    )
    first_corner_slack: float = tuned(
        0.02,
        title="of its length, by how much an outline may miss its four corners, at first",
        unit="1",
        low=0.005,
        high=0.1,
        source=by_hand_in("3954535"),
    )
    then_corner_slack: float = tuned(
        0.04, title="likewise where it has no four so", unit="1", low=0.005, high=0.15, source=by_hand_in("3954535")
    )
    last_corner_slack: float = tuned(
        0.07, title="likewise at last", unit="1", low=0.005, high=0.2, source=by_hand_in("3954535")
    )
    first_reach: float = tuned(
        0.05,
        title="of the card's height, how far from a side its edge is sought, at first",
        unit="1",
        low=0.01,
        high=0.2,
        source=by_hand_in("3954535"),
    )
    then_reach: float = tuned(0.02, title="likewise then", unit="1", low=0.005, high=0.1, source=by_hand_in("3954535"))
    last_reach: float = tuned(
        0.01, title="likewise at last", unit="1", low=0.002, high=0.05, source=by_hand_in("3954535")
    )
    wider: float = tuned(
        0.05,
        title="by how much wider an outline is tried, and twice that: a printed frame lies within a card's edge",
        unit="1",
        low=0,
        high=0.2,
        source=by_hand_in("3954535"),
    )
    slack: float = tuned(
        0.006,
        title="of the card's height, by how much a sample may miss its side",
        unit="1",
        low=0.001,
        high=0.05,
        source=by_hand_in("3954535"),
    )
    agrees: float = tuned(
        1.5,
        title="times that slack, up to which a sample lies on its side",
        unit="1",
        low=0.5,
        high=5,
        source=by_hand_in("3954535"),
    )
    most_edge: float = tuned(
        8.0,
        title="times the noise from which on a steeper edge counts no more",
        unit="1",
        low=2,
        high=50,
        source=by_hand_in("3954535"),
    )
    least_edge: float = tuned(
        2.5, title="times the noise from which on it is an edge", unit="1", low=1, high=10, source=by_hand_in("3954535")
    )
    least_noise_levels: float = tuned(
        0.3, title="noise that is added to a picture's own", unit="levels", low=0, high=5, source=by_hand_in("3954535")
    )
    least_crossing: float = tuned(
        0.2,
        title="sine of the angle at which two sides cross at least",
        unit="1",
        low=0.02,
        high=0.9,
        source=by_hand_in("3954535"),
    )

    @property
    def reaches(self) -> tuple[float, ...]:
        """How far from a side its edge is sought, ever nearer."""
        return self.first_reach, self.then_reach, self.last_reach

    @property
    def corner_slacks(self) -> tuple[float, ...]:
        """By what share of its length an outline may miss its four corners, ever more."""
        return self.first_corner_slack, self.then_corner_slack, self.last_corner_slack

    @property
    def strengths(self) -> tuple[float, ...]:
        """The strengths of edges that are tried, each twice the one before."""
        return tuple(self.weakest_edge_levels * 2**i for i in range(self.edge_strengths))


PHOTO = PhotoTuning()


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedShape:
    """What is looked for: between which ratios of short to long side it is seen, and its least share of the picture."""

    aspect: tuple[float, float]
    least_share: float


CARD = WantedShape(aspect=CARD_ASPECT, least_share=CARD_SHARE)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundCard:
    """A card in a photograph: its corners (4, 2) in pixels, clockwise from a short side, and how sure its sides are."""

    quad_px: Quad
    support: float


def find_alone(picture_bgr: Image, shape: WantedShape = CARD) -> tuple[FoundCard, ...]:
    """Find the card in a photograph; more than one is returned where several lie apart, none where there is none."""
    scale = WORK_PX / max(picture_bgr.shape[:2])
    size = (round(picture_bgr.shape[1] * scale), round(picture_bgr.shape[0] * scale))
    if min(size) < LEAST_PX:
        return ()
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    lab = cv2.cvtColor(cv2.resize(picture_bgr, size, interpolation=way), cv2.COLOR_BGR2LAB)
    slopes = _Slopes(lab)
    found = [fit for quad in _quads(lab, shape) for fit in _fits(slopes, quad, shape)]
    fx, fy = picture_bgr.shape[1] / size[0], picture_bgr.shape[0] / size[1]
    apart: list[FoundCard] = []
    for fit in sorted(found, key=lambda fit: -_worth(fit)):
        if all(_share(fit.quad_px, other.quad_px) < PHOTO.common for other in apart):
            apart.append(fit)
    at = [(fit.quad_px + 0.5) * (fx, fy) - 0.5 for fit in apart]
    return tuple(FoundCard(quad_px=quad, support=fit.support) for quad, fit in zip(at, apart, strict=True))


def cut_out(picture_bgr: Image) -> FoundCard | None:
    """Take a picture for a card that was cut out or scanned, if it has the shape of one."""
    height, width = picture_bgr.shape[:2]
    aspect = min(width, height) / max(width, height)
    if not any(low <= aspect <= high for low, high in CUT_ASPECTS):
        return None
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], float) - 0.5
    return FoundCard(quad_px=_ordered(corners), support=0.5)


def _worth(fit: FoundCard) -> float:
    """Rate a fit: surely edged first, then large, since a printed frame lies within the card's own edge."""
    size = cv2.contourArea(fit.quad_px.astype(np.float32)) / WORK_PX**2
    return min(fit.support, PHOTO.enough_support) + PHOTO.size_worth * size


def _share(a: Quad, b: Quad) -> float:
    """Tell how much of the smaller quad lies in the other."""
    common, _ = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))
    return float(common) / max(min(cv2.contourArea(q.astype(np.float32)) for q in (a, b)), 1.0)


class _Slopes:
    """How steeply a picture's colour changes, sampled across a supposed edge."""

    def __init__(self, lab: Image) -> None:
        soft = cv2.GaussianBlur(lab.astype(np.float32), (0, 0), 1.0)
        self.dx = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
        self.dy = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
        self.noise = float(np.median(np.sqrt((self.dx**2 + self.dy**2).sum(2)))) + PHOTO.least_noise_levels
        self.size_px = (lab.shape[1], lab.shape[0])

    def across(self, at_px: NDArray[np.float64], normals: NDArray[np.float64]) -> NDArray[np.float32]:
        """Measure the slope along each side's normal (N, 2) at points (N, M, K, 2): (N, M, K), 0 outside."""
        at = at_px.reshape(-1, *at_px.shape[2:]).astype(np.float32)
        dx, dy = (cv2.remap(d, at, None, cv2.INTER_LINEAR, borderValue=0) for d in (self.dx, self.dy))
        nx, ny = np.repeat(normals.astype(np.float32), at_px.shape[1], 0).T[..., None, None]
        steep = dx * nx + dy * ny
        return np.sqrt((steep * steep) @ _ONES).reshape(at_px.shape[:3])


def _quads(lab: Image, shape: WantedShape) -> list[Quad]:
    """Gather quads that might be the card: outlines of what differs from the table, of flat tones, and of edges."""
    masks = [*_other_than_table(lab), *_tones(lab), *_edges(lab)]
    quads = []
    for mask in masks:
        for contour in cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]:
            hull = cv2.convexHull(contour)
            if cv2.contourArea(hull) >= shape.least_share * lab.shape[0] * lab.shape[1]:
                quads += _corners(hull)
    distinct: list[Quad] = []
    for quad in (quad for quad in quads if _is_like(shape, quad, lab.shape)):
        if all(np.abs(quad - other).max() > PHOTO.same_px for other in distinct):
            distinct.append(quad)
    return distinct


def _other_than_table(lab: Image) -> list[NDArray[np.uint8]]:
    """Mark what has another colour than the table, whose colour runs smoothly from rim to rim of the picture."""
    height, width = lab.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    u, v = x / width * 2 - 1, y / height * 2 - 1
    terms = np.stack([np.ones_like(u), u, v, u * u, u * v, v * v], -1).reshape(-1, 6)
    rim = np.ones((height, width), bool)
    edge = round(PHOTO.rim_share * min(height, width))
    rim[edge:-edge, edge:-edge] = False
    a, b = terms[rim.ravel()].astype(np.float64), lab[rim].astype(np.float64)
    keep = np.ones(len(b), bool)
    for _ in range(3):
        fit = np.linalg.solve(a[keep].T @ a[keep], a[keep].T @ b[keep])
        off = np.sqrt(((b - a @ fit) ** 2) @ _ONES)
        keep = off <= PHOTO.strange * np.median(off) + 1
    apart = lab - (terms @ fit.astype(np.float32)).reshape(lab.shape)
    distance = np.sqrt((apart * apart) @ _ONES)
    soft = cv2.GaussianBlur(np.clip(distance * PHOTO.drawn_out, 0, 255).astype(np.uint8), (5, 5), 0)
    otsu, _ = cv2.threshold(soft, 0, 255, cv2.THRESH_OTSU)
    return [_closed((soft > level).astype(np.uint8), 5) for level in (otsu, otsu * PHOTO.laxer, otsu * PHOTO.laxer**2)]


def _tones(lab: Image) -> list[NDArray[np.uint8]]:
    """Split each channel at its own middle, both ways."""
    soft = cv2.medianBlur(lab, 5)
    masks = []
    for channel in cv2.split(soft):
        _, mask = cv2.threshold(channel, 0, 1, cv2.THRESH_OTSU)
        masks += [_closed(mask, 3), _closed(1 - mask, 3)]
    return masks


def _edges(lab: Image) -> list[NDArray[np.uint8]]:
    """Mark edges at several strengths, joined where they are broken."""
    soft = cv2.GaussianBlur(lab, (5, 5), 0)
    masks = []
    for strength in PHOTO.strengths:
        edges = np.maximum.reduce([cv2.Canny(channel, strength / 2, strength) for channel in cv2.split(soft)])
        masks += [_closed(edges, 3), _closed(edges, 7)]
    return masks


def _closed(mask: NDArray[np.uint8], size: int) -> NDArray[np.uint8]:
    return cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((size, size), np.uint8))


def _corners(hull: NDArray[np.int32]) -> list[Quad]:
    """Give the quads that a hull suggests: its four corners, if it has such, and the smallest rectangle round it."""
    quads = [cv2.boxPoints(cv2.minAreaRect(hull)).astype(float)]
    length = cv2.arcLength(hull, closed=True)
    for slack in PHOTO.corner_slacks:
        few = cv2.approxPolyDP(hull, slack * length, closed=True)
        if len(few) == 4:
            quads.append(few[:, 0].astype(float))
            break
    return [_ordered(quad) for quad in quads]


def _ordered(quad: Quad) -> Quad:
    """Turn a quad's corners to run clockwise as seen, from a short side."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
    if (cx - ax) * (dy - by) - (cy - ay) * (dx - bx) < 0:
        quad = quad[::-1]
    sides = _lengths(quad[_NEXT] - quad)
    return quad if sides[0] + sides[2] <= sides[1] + sides[3] else np.roll(quad, -1, 0)


def _is_like(shape: WantedShape, quad: Quad, size: tuple[int, ...]) -> bool:
    sides = _lengths(quad[_NEXT] - quad)
    if sides.min() < PHOTO.least_side_px or not cv2.isContourConvex(quad.astype(np.float32)):
        return False
    is_inside = bool((quad > -PHOTO.beyond_px).all() and (quad < np.array(size[1::-1]) - 1 + PHOTO.beyond_px).all())
    is_even = bool((sides / np.roll(sides, 2)).max() < PHOTO.uneven)
    share = cv2.contourArea(quad.astype(np.float32)) / (size[0] * size[1])
    aspect = (sides[0] + sides[2]) / (sides[1] + sides[3])
    return is_inside and is_even and share >= shape.least_share and shape.aspect[0] <= aspect <= shape.aspect[1]


def _fits(slopes: _Slopes, quad: Quad, shape: WantedShape) -> list[FoundCard]:
    """Draw a quad, and others a little wider, onto the edges beside them; only those with four clear sides are kept."""
    fits = []
    middle = quad.mean(0)
    for wider in (1.0, 1 + PHOTO.wider, 1 + 2 * PHOTO.wider):
        at, support = middle + (quad - middle) * wider, 0.0
        for reach in PHOTO.reaches if wider == 1.0 else PHOTO.reaches[1:]:
            drawn = _drawn(slopes, at, reach)
            if drawn is None:
                break
            at, support = drawn
        else:
            if support > PHOTO.least_support and _is_like(shape, _ordered(at), slopes.size_px[::-1]):
                fits.append(FoundCard(quad_px=_ordered(at), support=support))
    return fits


def _drawn(slopes: _Slopes, quad: Quad, reach: float) -> tuple[Quad, float] | None:
    """Move each side to the edge nearest to it; returns the quad and how much of its weakest side is on an edge."""
    height = float(np.hypot(*(quad[2] - quad[1])))
    offsets = np.linspace(-reach, reach, 2 * max(2, round(reach * height * STEPS_A_PX)) + 1) * height
    ahead = quad[_NEXT] - quad
    along = ahead / _lengths(ahead)[:, None]
    normals = np.column_stack([-along[:, 1], along[:, 0]])
    at = quad[:, None] + _ALONG[:, None] * ahead[:, None]
    steep = slopes.across(at[:, :, None] + offsets[:, None] * normals[:, None, None], normals)
    start, slant, shares = _lines(offsets, steep, slopes.noise, PHOTO.slack * height)
    firsts, lasts = quad + normals * start[:, None], quad + ahead + normals * (start + slant)[:, None]
    sides = list(zip(firsts, lasts, strict=True))
    corners = [_crossing(sides[i - 1], sides[i]) for i in range(4)]
    return None if any(corner is None for corner in corners) else (np.array(corners), float(shares.min()))


def _lines(
    offsets: Samples, steep: NDArray[np.float32], noise: float, slack: float
) -> tuple[Samples, Samples, Samples]:
    """Fit start and slant of each side (N,) to the steepest place of its samples; and the share (N,) that agrees.

    `steep` (N, M, K) are slopes at M places along each side, K offsets across it.
    """
    place, height = offsets[steep.argmax(2)], np.minimum(steep.max(2), PHOTO.most_edge * noise)
    weights = height + 1e-6
    for _ in range(TURNS):
        total = weights.sum(1)
        mean_t, mean_p = (weights @ _ALONG) / total, (weights * place).sum(1) / total
        away = _ALONG - mean_t[:, None]
        slant = (weights * away * (place - mean_p[:, None])).sum(1) / ((weights * away**2).sum(1) + 1e-6)
        start = mean_p - slant * mean_t
        off = np.abs(place - start[:, None] - slant[:, None] * _ALONG)
        least = np.maximum(slack, np.sort(off, axis=1)[:, _MIDDLE].mean(axis=1))[:, None]
        weights = height / (1 + (off / least) ** 2) ** 2 + 1e-6
    return start, slant, ((off <= PHOTO.agrees * slack) & (height >= PHOTO.least_edge * noise)).mean(1)


def _crossing(one: tuple[Quad, Quad], other: tuple[Quad, Quad]) -> Quad | None:
    """Find where two lines, each through two points, cross; None where they hardly do."""
    (a, b), (c, d) = one, other
    p, q = b - a, d - c
    area = p[0] * q[1] - p[1] * q[0]
    if abs(area) < PHOTO.least_crossing * np.hypot(*p) * np.hypot(*q):
        return None
    return a + p * (((c - a)[0] * q[1] - (c - a)[1] * q[0]) / area)


def _lengths(ways: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.hypot(ways[:, 0], ways[:, 1])
