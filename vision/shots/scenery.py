"""The scene at rest as pictures: the ground, how the caps on it look, and where nothing else may be taken in."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.caps.cap import Cap
from linesies.vision.picture.background import Background, bare_ground
from linesies.vision.picture.frame import Frame, Image
from linesies.vision.picture.layout import Layout, white_of
from linesies.vision.picture.light_table import light_between
from linesies.vision.picture.local_light import LocalLight
from linesies.vision.picture.masks import Mask, discs
from linesies.vision.picture.shade import GroundTexture
from linesies.vision.picture.small_picture import look_at_bgr
from linesies.vision.shots.blobs import CapColours
from linesies.vision.shots.cap_state import ScenePhase
from linesies.vision.shots.covered import Covered
from linesies.vision.shots.discs import AtRest
from linesies.vision.shots.inspection import Inspection
from linesies.vision.shots.latest_frames import LatestFrames
from linesies.vision.shots.lookalike import Lookalike, lookalikes_of
from linesies.vision.shots.measurer import Measurer
from linesies.vision.shots.opening import FirstLook, StillFrames, first_calls, listed_paint, seen_paint
from linesies.vision.shots.place import Place
from linesies.vision.shots.registering import Steady
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.small_view import SmallView
from linesies.vision.shots.told import FrameDone
from linesies.vision.values import Call


@dataclass(frozen=True)
class SceneryTuning(Tuning):
    """What of the ground follows the light."""

    shadow_radii: float = tuned(
        2.2,
        title="about a cap, where its shadow may lie, in radii",
        unit="1",
        low=1,
        high=6,
        source="geometry: a crown cap's shadow in a sun 21 degrees high",
    )
    own_radii: float = tuned(
        1.3,
        title="about a cap, where what is seen may be its own rim, in radii",
        unit="1",
        low=1,
        high=3,
        source="by hand: at least a pixel of the small picture beyond the rim",
    )


SCENERY = SceneryTuning()


class Scenery:
    """Remembers the background, the caps' colours, how each looks at rest, and what caps, shadows and hands cover."""

    def __init__(self, background: Background, paint: CapColours) -> None:
        self.background = background
        self.paint = paint
        self.at_rest: dict[str, AtRest] = {}
        self._keep_out = np.zeros(background.rest.shape[:2], np.uint8)
        self._lying = self._keep_out
        self.covered = Covered(self._keep_out.shape)

    @property
    def radius_small(self) -> float:
        """The usual radius of a cap in the small picture."""
        return float(self.paint.radius_small.mean())

    def is_blinded_at(self, column: int, xy_small: NDArray[np.float64]) -> bool:
        """Tell whether light saturates a cap, or the ground, at a point (2,), so that the judge sees no cap there."""
        light = self.paint.light
        return light is not None and light.blinds(self.paint.yuv[column], xy_small)

    @property
    def is_blinded(self) -> bool:
        """Tell whether light hides what lies somewhere on the board."""
        return self.paint.light is not None and self.paint.light.blinds_somewhere

    def learn(self, caps: tuple[Cap, ...], places: Mapping[str, Place]) -> None:
        """Learn how caps look from where they lie in the scene at rest, by their players."""
        self.paint = seen_paint(self.paint, caps, places, self.background.rest)

    def show_at_rest(self, places: Iterable[Place], frames: Sequence[Frame]) -> None:
        """Take from frames how caps look in these places."""
        self.at_rest |= {place.cap.player: AtRest.seen(place, frames) for place in places}

    def absorb(self, small: Image, *, frame_s: float) -> bool:
        """Take what has come to stay into the ground, at rest for so long again; tells whether anything has."""
        return self.background.absorb(small, keep_out=self._keep_out, lying=self._lying, frame_s=frame_s)

    def keep_out_of(self, lying: Iterable[Place]) -> None:
        """Take in nothing where caps lie, and but bare ground where their shadows may."""
        shape, lying = self.background.rest.shape[:2], list(lying)
        self._keep_out = near(shape, lying)
        self._lying = _about(shape, lying, radii=SCENERY.own_radii)

    def settle(self, small: Image, *, now: Iterable[Place], left: Iterable[Place], lying: Iterable[Place]) -> None:
        """Take the scene as it is seen: caps lie in some places `now`, have `left` others; all that are `lying`."""
        shape = self.background.rest.shape[:2]
        self.keep_out_of(lying)
        self.background.settle(small, seen=near(shape, now), left=near(shape, left), lying=self._keep_out)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SceneOpened(FrameDone):
    """The first scene at rest: its pictures, where each cap lies that was found, and what else may be one of them."""

    scenery: Scenery
    places: Mapping[str, Place]
    lookalikes: tuple[Lookalike, ...]


def open_scene(
    state: SceneState,
    steady: Steady,
    still_frames: StillFrames,
    latest: LatestFrames,
    inspection: Inspection,
    measurer: Measurer,
) -> SceneOpened | FrameDone | None:
    """Take the scene at rest once it has been still for some frames."""
    if state.phase is not ScenePhase.OPENING:
        return None
    if not still_frames.see(steady.small(), white_of(steady.frame.layout), frame_s=latest.frame_s):
        return FrameDone()
    if still_frames.may_wait_for_arm and not inspection.goes_on:
        arms = _arms(still_frames, latest, measurer.view)
        if arms.any():
            still_frames.wait_for(arms)
            return FrameDone()
    judged = inspection.calls(measurer)
    return FrameDone() if judged is None else scene_of(judged, still_frames, latest, inspection, measurer)


def scene_of(
    judged: Mapping[str, Call],
    still_frames: StillFrames,
    latest: LatestFrames,
    inspection: Inspection,
    measurer: Measurer,
) -> SceneOpened:
    """Take a scene at rest as these frames show it, in which caps are `judged` to lie."""
    layout, view = latest.last.layout, measurer.view
    small, noise = still_frames.mean_and_noise()
    empty, look = _first_look(small, layout, view)
    calls = first_calls(judged, latest, measurer, look)
    found = {str(call.player): view.place_of(call) for call in calls}
    places = {player: place for player, place in found.items() if place is not None}
    is_clear = look.paint.light is None  # in glare much looks like a cap, and comes and goes with it
    resemblances = inspection.resemblances if is_clear else ()
    lookalikes = lookalikes_of(resemblances, places, view, latest.last.t_s)
    lying = [*places.values(), *(one.place for one in lookalikes)]
    covered = near(small.shape[:2], lying)
    background = Background(bare_ground(empty, small, covered), small, noise, white_of(layout))
    paint = seen_paint(look.paint, view.caps, places, small if is_clear else look.dull)
    scenery = Scenery(background, paint)
    scenery.keep_out_of(lying)
    scenery.show_at_rest(places.values(), latest.newest)
    return SceneOpened(scenery=scenery, places=places, lookalikes=lookalikes)


def _arms(still_frames: StillFrames, latest: LatestFrames, view: SmallView) -> Mask:
    """Mask who reaches in: his hand is no part of the scene."""
    small, _ = still_frames.mean_and_noise()
    _, look = _first_look(small, latest.last.layout, view)
    return look.arms()


def _first_look(small: Image, layout: Layout, view: SmallView) -> tuple[Image, FirstLook]:
    """Look at a first small picture; gives the empty ground as it is lit there, and what is seen beside it."""
    empty = look_at_bgr(view.calibration.empty_bgr, layout)
    light = light_between(empty, small)
    empty = cv2.LUT(empty, light)
    listed = listed_paint(view.calibration, view.caps, layout, light)
    white, radius = white_of(layout), float(listed.radius_small.max())
    local = LocalLight(empty, small, radius_small=radius, white=white)
    shading = None if local.blinds_somewhere else GroundTexture(empty, white).shading_of(small)
    if shading is None:
        return local.on(empty), FirstLook.of(small, empty, listed, local)
    even = shading.undone(small)
    left = LocalLight(empty, even, radius_small=radius, white=white)
    return shading.on(left.on(empty)), FirstLook.of(even, empty, listed, left)


def near(shape: tuple[int, ...], places: Iterable[Place]) -> Mask:
    """Mask caps that lie in these places of a small picture (h, w), and their shadows."""
    return _about(shape, places, radii=SCENERY.shadow_radii)


def _about(shape: tuple[int, ...], places: Iterable[Place], *, radii: float) -> Mask:
    chosen = list(places)
    centres = np.array([place.centre_small for place in chosen])
    radii_small = np.array([radii * place.radius_small for place in chosen])
    return discs((shape[0], shape[1]), centres, radii_small)
