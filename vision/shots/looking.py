"""What a frame shows in the light of the first: how each cap's place looks."""

from collections.abc import Mapping
from dataclasses import dataclass

from linesies.vision.picture.frame import Image
from linesies.vision.shots.cap_state import CapState
from linesies.vision.shots.lit_picture import LitPicture
from linesies.vision.shots.onset import PlaceHistory
from linesies.vision.shots.place import Presence, presence_at
from linesies.vision.shots.registering import Noticed, Steady
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.scenery import Scenery


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


def light(noticed: Noticed, steady: Steady, picture: LitPicture, scenery: Scenery) -> Lit | None:
    """Show the picture in the first light, unless it is as it was."""
    return Lit(small=picture.see(noticed, steady, scenery.background)) if noticed.is_new else None


def presence(noticed: Noticed, lit: Lit, steady: Steady, scenery: Scenery, state: SceneState) -> Looks:
    """Look at every cap's place where anything is new about it; its history goes on in any case."""
    presences, histories = {}, {}
    for cap, history in ((cap, cap.history) for cap in state.placed if cap.history):
        presence, share_beside = cap.presence, history.share_beside
        if presence is None or is_new_about(history, noticed):
            presence = _presence(cap, scenery, lit.small)
            share_beside = history.beside.share_changed(scenery.background, lit.small)
        presences[cap.player] = presence
        histories[cap.player] = history.after(steady.frame, share_beside=share_beside)
    return Looks(presences=presences, histories=histories, t_s=steady.frame.t_s)


def is_new_about(history: PlaceHistory, noticed: Noticed) -> bool:
    """Tell whether a place is to be looked at: for the first time, or since anything is new about it."""
    return history.share_beside is None or noticed.touches(history.beside.rows, history.beside.columns)


def _presence(cap: CapState, scenery: Scenery, small: Image) -> Presence:
    if cap.is_displaced or cap.own_part is None:
        return Presence.BARE
    return presence_at(cap.own_part, scenery.background, small)
