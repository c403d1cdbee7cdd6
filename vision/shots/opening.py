"""Whose cap lies where at first: what the judge says, weighed with the blobs that stand out from the empty ground.

The judge names caps by colour and size, one picture at a time. A name that it leaves out, or gives to the wrong cap of
two, would spoil all that is told later, so the names are given out once more for all caps at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.caps.assignment import pair_up
from linesies.vision.caps.cap import Cap, KnownCap
from linesies.vision.picture.background import Background
from linesies.vision.picture.frame import Image, Layout
from linesies.vision.picture.layout import black_of, white_of
from linesies.vision.picture.lighting import Lighting
from linesies.vision.picture.local_light import LocalLight
from linesies.vision.picture.masks import Mask
from linesies.vision.picture.rain import without_rain
from linesies.vision.picture.small_picture import look_at, look_at_bgr, shrink_of
from linesies.vision.picture.stillness import is_of_a_cap, moved_between
from linesies.vision.shots.blobs import BLOB, Blob, CapColours, colours_at, find_blobs, unlikeness
from linesies.vision.shots.latest_frames import LatestFrames
from linesies.vision.shots.measurer import Measurer
from linesies.vision.shots.place import PLACE, Place, cap_to_small, radius_small_of
from linesies.vision.values import Call

Array = NDArray[np.float64]


ARMS = (
    "by hand: the smallest arm on simulated street 988051 covers 20 caps; at the border of 68 of 69 films, public, in "
    "weathers and of world=varied, nothing larger than 1 cap has changed at first, on one a shoe lies there for good"
)


@dataclass(frozen=True)
class OpeningTuning(Tuning):
    """Which blob of a first scene is which cap."""

    shaded: float = tuned(
        0.7,
        title="of a cap's light, what is left on its darker side",
        unit="1",
        low=0.2,
        high=1,
        source=by_hand_in("ae14088"),
    )
    nobody: float = tuned(
        0.75,
        title="cost at which a blob is rather no listed cap",
        unit="1",
        low=0.2,
        high=3,
        source=by_hand_in("ae14088"),
    )
    trust: float = tuned(
        0.9,
        title="by which a place that the judge names costs less",
        unit="1",
        low=0,
        high=1,
        source="by hand, of 0.25, 0.5, 0.9: of 684 caps on eight films in six weathers 5, 3, none are put wrong",
    )
    lead: float = tuned(
        0.15,
        title="by which a blob that no judge names must cost less than the next for that cap",
        unit="1",
        low=0,
        high=1,
        source="set by hand on a public film in rain: drops cost 0.68 to 0.81 as a pink cap, which itself costs 0.42",
    )
    most_blobs: int = tuned(
        200,
        title="that are looked at, once: in rain most are drops, some larger than caps",
        unit="1",
        low=16,
        high=2000,
        source=by_hand_in("0182caa"),
    )
    still_s: float = tuned(
        0.2, title="for which the picture must be still", unit="s", low=0.05, high=5, source=by_hand_in("a0eb470")
    )
    pictures: int = tuned(
        12, title="still pictures that tell their noise", unit="1", low=4, high=100, source=by_hand_in("a0eb470")
    )
    longest_s: float = tuned(
        4.0,
        title="after which the scene is taken though something moves in it, or reaches in",
        unit="s",
        low=1,
        high=60,
        source=by_hand_in("a0eb470"),
    )
    arm_s: float = tuned(
        1.2,
        title="for which it is waited whether what reaches in at first goes; what has come since is waited for longer",
        unit="s",
        low=0.2,
        high=10,
        source="by what it says: longer than most hands take aim, shorter than a film lasts before its first shot",
    )
    arm_caps: float = tuned(
        8.0,
        title="times a cap's area from which what reaches in over the picture's border is an arm",
        unit="1",
        low=1,
        high=60,
        source=ARMS,
    )


OPENING = OpeningTuning()

NOISE_EVERY = 4  # pixels each way, of which one tells the noise


class StillFrames:
    """Remembers the sums of the latest frames in which nothing moved but the light."""

    def __init__(self) -> None:
        self._first: Image | None = None
        self._lighting: Lighting | None = None
        self._seen_s = 0.0
        self.has_been_still = False  # for long enough, up to the last frame
        self.is_overdue = False  # it was waited for long enough
        self.has_moved = False  # something, before the picture was still
        self._reaching_in: Mask | None = None  # what seems to be an arm in it
        self._is_broken_off = False  # something else has moved since

    @classmethod
    def of(cls, latest: LatestFrames) -> "StillFrames":
        """Begin with frames that were seen already."""
        still = cls()
        for frame in latest.kept:
            still.see(look_at(frame), white_of(frame.layout), frame_s=latest.frame_s)
        return still

    def see(self, small: Image, white: int = 255, *, frame_s: float) -> bool:
        """Add a frame that lasts so long, or start anew when something has moved; tells whether a scene may open."""
        self._seen_s += frame_s
        if self._is_broken_off:
            return True
        even = small if self._lighting is None else self._lighting.undone(small)
        if self._first is None:
            self._begin(small, white)
        elif is_of_a_cap(moved := moved_between(self._first, even)):
            if self._is_another(moved):
                self._is_broken_off = True
                return True
            even, self.has_moved = small, True
            self._begin(small, white)
        cv2.accumulate(small, self._sum)
        sampled = np.ascontiguousarray(even[::NOISE_EVERY, ::NOISE_EVERY])
        cv2.accumulate(sampled, self._even_sum)
        cv2.accumulateSquare(sampled, self._even_squares)
        self._count += 1
        self._still_s += frame_s
        self.has_been_still = self._count >= OPENING.pictures and self._still_s > OPENING.still_s - frame_s / 2
        self.is_overdue = self._seen_s > OPENING.longest_s - frame_s / 2
        return self.has_been_still or self.is_overdue

    @property
    def may_wait_for_arm(self) -> bool:
        """Tell whether it can be waited still for an arm to go that reaches in: it may be there for good."""
        may_be_one = not self._is_broken_off and not self.is_overdue
        return may_be_one and (self.has_moved or self._seen_s < OPENING.arm_s)

    def wait_for(self, arm: Mask) -> None:
        """Wait for an arm to go, masked with what moves when it moves, but for as long as nothing else moves."""
        self._reaching_in = arm

    def _is_another(self, moved: Mask) -> bool:
        """Tell whether what moved is not the arm that is waited for: that stays, and the scene is as it was."""
        return self._reaching_in is not None and not cv2.bitwise_and(moved, self._reaching_in).any()

    def _begin(self, small: Image, white: int) -> None:
        """Begin to add up with a first picture."""
        self._first, self._reaching_in = small, None
        self._lighting = Lighting(small, 0.0, white, is_any_shade=True)
        self._count, self._still_s = 0, 0.0
        self._sum = np.zeros(small.shape, np.float32)
        self._even_sum, self._even_squares = np.zeros((2, *small[::NOISE_EVERY, ::NOISE_EVERY].shape), np.float32)

    def mean_and_noise(self) -> tuple[Image, float]:
        """Give their mean, and the deviation of a usual pixel from it in one light, in grey levels."""
        variance = np.maximum(self._even_squares / self._count - (self._even_sum / self._count) ** 2, 0.0)
        usual = float(np.median(variance.reshape(-1, 3), axis=0).max())
        return cv2.convertScaleAbs(self._sum / self._count), usual**0.5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FirstLook:
    """A first scene at rest in the small picture, beside the bare ground and the caps' colours in its light.

    What there is to be seen is found in `dull` beside `empty`, both without the light that lies on parts of the board;
    whose it is, in the light as it is: what that saturates has lost its colour.
    """

    dull: Image
    empty: Image
    seen: Image
    lit: Image
    paint: CapColours

    @classmethod
    def of(cls, seen: Image, empty: Image, paint: CapColours, light: LocalLight) -> "FirstLook":
        """Look at a picture beside the bare ground, where light lies on parts of it or on none."""
        dull = light.off(seen, empty)
        if not light.is_clear:
            return cls(dull=dull, empty=empty, seen=dull, lit=empty, paint=paint)
        lit_paint = replace(paint, light=light)
        return cls(dull=dull, empty=empty, seen=seen, lit=light.shown(empty), paint=lit_paint)

    def blobs(self) -> tuple[Blob, ...]:
        """Find what lies on the ground."""
        leftover = without_rain(self._leftover())
        return find_blobs(self.seen, self.lit, leftover, self.paint, 0.0, at_most=OPENING.most_blobs)

    def arms(self) -> Mask:
        """Mask what is much larger than a cap and reaches in over the border, and a cap's breadth about it."""
        leftover = self._leftover()
        height, width = leftover.shape
        _, labels, stats, _ = cv2.connectedComponentsWithStats(leftover, connectivity=8)
        x, y, wide, high, area = stats.T
        is_cut = (x == 0) | (y == 0) | (x + wide == width) | (y + high == height)
        is_arm = is_cut & (area > OPENING.arm_caps * self.paint.area_small.max())
        is_arm[0] = False  # the ground
        across = 4 * ceil(float(self.paint.radius_small.max())) + 1
        about = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across, across))
        return cv2.dilate(np.where(is_arm[labels], 255, 0).astype(np.uint8), about)

    def _leftover(self) -> Mask:
        leftover, _ = Background(self.empty, self.empty).leftover(self.dull)
        return leftover


def first_calls(
    judged: Mapping[str, Call], latest: LatestFrames, measurer: Measurer, look: FirstLook
) -> tuple[Call, ...]:
    """Find all caps of a first scene at rest, as they were `judged`; others are measured in the latest frames."""
    view = measurer.view
    named = named_blobs(view.calibration, view.caps, tuple(judged.values()), look)
    calls = dict(judged)
    for cap in view.caps:
        if cap.player not in named:
            continue
        place_mm = view.to_mm(cap, named[cap.player][None])[0]
        call = judged.get(cap.player)
        if call is None or np.hypot(*(np.array(call.xy_mm) - place_mm)) > cap.diameter_mm:
            calls[cap.player] = measurer.call_near(KnownCap(cap=cap, near_mm=place_mm), latest.mean_bgr())
    return tuple(calls.values())


def named_blobs(
    calibration: Calibration, caps: tuple[Cap, ...], calls: tuple[Call, ...], look: FirstLook
) -> dict[str, Array]:
    """Give each cap the blob (its centre in the small picture) that is most likely its own."""
    shrink = round(calibration.view.lens.size_px[0] / look.seen.shape[1])
    blobs, paint = look.blobs(), look.paint
    if not blobs:
        return {}
    cost = unlikeness(np.column_stack([blob.misfit for blob in blobs]), np.column_stack([blob.fill for blob in blobs]))
    is_judged = np.zeros(len(caps), bool)
    for call in calls:
        k = next(i for i, cap in enumerate(caps) if cap.player == call.player)
        is_judged[k] = True
        place = cap_to_small(calibration, caps[k], np.array([call.xy_mm]), shrink)[0]
        away = np.array([np.hypot(*(blob.xy_small[k] - place)) for blob in blobs])
        is_same = away < BLOB.same_radii * paint.radius_small[k]
        cost[k, is_same] -= OPENING.trust
        if not is_same.any():  # in shadow it is no blob of its own: the judge knows better, unless it guesses
            cost[k] += OPENING.nobody if call.is_certain else OPENING.trust
    pairs = _paired(cost, blobs, paint.radius_small)
    free = [[not _is_over((k, j), pairs, blobs, paint.radius_small) for j in range(len(blobs))] for k, _ in pairs]
    return {
        caps[k].player: blobs[j].xy_small[k]
        for (k, j), is_free in zip(pairs, free, strict=True)
        if is_judged[k] or _leads(cost[k, j], cost[k, is_free])
    }


def _leads(cost: float, others: Array) -> bool:
    """Tell whether a blob is clearly more like a cap than the others that are nobody's: of many drops none is."""
    return bool((others > min(cost + OPENING.lead, OPENING.nobody)).all())


def _paired(cost: Array, blobs: tuple[Blob, ...], radius_small: Array) -> list[tuple[int, int]]:
    """Choose a blob (columns) for each cap (rows) where one is likely; of two in one place the less likely is none."""
    cost = np.minimum(cost, OPENING.nobody)
    while True:
        rows, columns = pair_up(cost)
        pairs = sorted(
            ((k, j) for k, j in zip(rows, columns, strict=True) if cost[k, j] < OPENING.nobody), key=cost.item
        )
        over = next((pair for n, pair in enumerate(pairs) if _is_over(pair, pairs[:n], blobs, radius_small)), None)
        if over is None:
            return pairs
        cost[over] = OPENING.nobody


def _is_over(
    pair: tuple[int, int], others: list[tuple[int, int]], blobs: tuple[Blob, ...], radius_small: Array
) -> bool:
    """Tell whether a cap would lie on another: a part of that cap, or its shadow, was taken for it."""
    k, j = pair
    return any(
        np.hypot(*(blobs[j].xy_small[k] - blobs[i].xy_small[m])) < PLACE.overlap * (radius_small[k] + radius_small[m])
        for m, i in others
    )


def listed_paint(
    calibration: Calibration, caps: tuple[Cap, ...], layout: Layout, light: NDArray[np.uint8]
) -> CapColours:
    """Take the caps' colours as listed, lit and shaded, until they have been seen; `light` is a table (256, 1, 3)."""
    shrink = shrink_of((calibration.view.lens.size_px[0], calibration.view.lens.size_px[1]))
    middle = (calibration.board.size_mm[0] / 2, calibration.board.size_mm[1] / 2)
    radius = np.array([radius_small_of(calibration, cap, middle, shrink) for cap in caps])
    flat = [np.full((8, 8, 3), cap.colour_rgb[::-1], np.uint8) for cap in caps]
    lit = np.array([cv2.LUT(look_at_bgr(picture, layout), light)[0, 0] for picture in flat], float)
    black = black_of(layout)
    return CapColours(
        yuv=np.stack([lit, OPENING.shaded * lit + (1 - OPENING.shaded) * black], axis=1),
        first_share=np.full(len(caps), 0.5),
        area_small=np.pi * radius**2,
        radius_small=radius,
        black=black,
    )


def seen_paint(listed: CapColours, caps: tuple[Cap, ...], places: Mapping[str, Place], small: Image) -> CapColours:
    """Learn the caps' colours from where they lie; those that lie nowhere keep their listed ones."""
    yuv, first_share, radius = listed.yuv.copy(), listed.first_share.copy(), listed.radius_small.copy()
    for k, cap in enumerate(caps):
        if (place := places.get(cap.player)) is not None:
            colours = colours_at(small, place.centre_small, place.radius_small)
            yuv[k], first_share[k], radius[k] = colours.yuv, colours.first_share, place.radius_small
    return replace(listed, yuv=yuv, first_share=first_share, area_small=np.pi * radius**2, radius_small=radius)
