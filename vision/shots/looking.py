"""What a frame shows in the light of the first: how each cap's place looks, and what else has come into the picture."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import cv2

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.picture.frame import Image
from linesies.vision.picture.masks import Mask
from linesies.vision.picture.rain import Rain
from linesies.vision.shots.blobs import Blob, find_blobs
from linesies.vision.shots.cap_state import CapState
from linesies.vision.shots.onset import PlaceHistory
from linesies.vision.shots.place import Presence, presence_at
from linesies.vision.shots.registering import Noticed, Steady
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.scenery import Scenery


@dataclass(frozen=True)
class LookingTuning(Tuning):
    """Whether anything larger than caps is to be seen."""

    calm_caps: float = tuned(
        10.0,
        title="times a cap's area that may be unexplained in a calm picture",
        unit="1",
        low=1,
        high=60,
        source=by_hand_in("58ebc88"),
    )


LOOKING = LookingTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lit:
    """A frame's small picture in the light of the first."""

    small: Image


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Looks:
    """How each cap's place looks at a time, and has looked lately."""

    presences: Mapping[str, Presence]
    histories: Mapping[str, PlaceHistory]
    t_s: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Unexplained:
    """What neither the ground nor the caps in their places explain: as blobs, and whether it is little enough."""

    blobs: tuple[Blob, ...]
    is_calm: bool


def light(noticed: Noticed, steady: Steady, scenery: Scenery) -> Lit | None:
    """Show the picture in the first light, unless it is as it was."""
    return Lit(small=scenery.background.in_first_light(steady.small, noticed.share)) if noticed.is_new else None


def presence(noticed: Noticed, lit: Lit, steady: Steady, scenery: Scenery, state: SceneState) -> Looks:
    """Look at every cap's place where anything is new about it; its history goes on in any case."""
    presences, histories = {}, {}
    for cap, history in ((cap, cap.history) for cap in state.placed if cap.history):
        presence, share_beside = cap.presence, history.share_beside
        if presence is None or share_beside is None or noticed.touches(history.beside.rows, history.beside.columns):
            presence = _presence(cap, scenery, lit.small)
            share_beside = history.beside.share_changed(scenery.background, lit.small)
        presences[cap.player] = presence
        histories[cap.player] = history.after(steady.frame, share_beside=share_beside)
    return Looks(presences=presences, histories=histories, t_s=steady.frame.t_s)


def blobs(noticed: Noticed, lit: Lit, scenery: Scenery, rain: Rain, state: SceneState) -> Unexplained | None:
    """Find what else is to be seen, unless every listed cap is in its place."""
    if state.is_complete:
        rain.forget()
        return None
    if not noticed.is_new and state.are_same_missed:
        return Unexplained(blobs=tuple(replace(b, t_s=state.t_s) for b in state.latest), is_calm=state.is_calm)
    background, paint = scenery.background, scenery.paint
    leftover, is_bare = background.leftover(lit.small)
    leftover = rain.left_out_of(leftover)
    is_calm = cv2.countNonZero(leftover) < LOOKING.calm_caps * float(paint.area_small.max())
    mark_missed(state.missed, leftover, is_bare)
    return Unexplained(blobs=find_blobs(lit.small, background.bare, leftover, paint, state.t_s), is_calm=is_calm)


def mark_missed(missed: Iterable[CapState], leftover: Mask, is_bare: Mask) -> None:
    """Mark as left over whatever lies in missed caps' places but bare ground, unless others lie there for good."""
    for cap in missed:
        if cap.place is not None and not cap.is_displaced:
            window = (cap.place.rows, cap.place.columns)
            leftover[window][cap.place.disc & (is_bare[window] == 0)] = 255


def _presence(cap: CapState, scenery: Scenery, small: Image) -> Presence:
    if cap.is_displaced or cap.own_part is None:
        return Presence.BARE
    return presence_at(cap.own_part, scenery.background, small)
