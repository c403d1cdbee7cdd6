"""Scenes for the tests of what is known of caps: opened, looked at, and left, without pictures."""

import numpy as np

from linesies.vision.shots.lookalike import Lookalike
from linesies.vision.shots.looking import _presence as presence_in
from linesies.vision.shots.onset import PlaceHistory
from linesies.vision.shots.place import Presence, place_at
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.scenery import Scenery
from tests.flicks import CAPS, HEIGHT, PLACES, WIDTH, calibration

KINDS = {cap.player: cap for cap in CAPS}
BLACK = np.zeros((HEIGHT, WIDTH, 3), np.uint8)


def place_of(player, xy_mm=None):
    return place_at(calibration(), KINDS[player], xy_mm or PLACES[player], shrink=1)


def opened(places=PLACES):
    """Open a scene in which these caps lie; the others are not on the board."""
    places = {player: place_of(player, xy_mm) for player, xy_mm in places.items()}
    return SceneState.of(CAPS).opened(places, radius_small=place_of("ana").radius_small)


def seen(state, presences, *, t_s):
    """Look at the places of some caps: `there`, `bare` or `covered`."""
    histories = {cap.player: cap.history for cap in state.placed}
    return state.looked_at({p: Presence(looks) for p, looks in presences.items()}, histories, t_s)


def left(state, players, *, t_s):
    """Let caps leave their places."""
    return seen(state, {cap.player: "bare" if cap.player in players else "there" for cap in state.placed}, t_s=t_s)


def lookalike(player, xy_mm):
    """Have something lie at a place that may be a cap."""
    return Lookalike(history=PlaceHistory.of(place_of(player, xy_mm)), since_s=0.0, last_there_s=0.0)


def unmasked(state, player, xy_mm, *, t_s):
    """Let what lies in a place leave it: it may have been a cap."""
    known = (one for one in state.lookalikes if one.player == player and one.place.xy_mm == xy_mm)
    one = next(known, lookalike(player, xy_mm))
    gone = one.looked_at(Presence.BARE, one.history, t_s)
    others = [other for other in state.lookalikes if other is not one]
    return state.unmasked(others, {player: gone})


def watched(state, *blobs):
    """See blobs."""
    return state.with_blobs(blobs, is_calm=True)


def presence_of(state, player, ground, small):
    """Look at a cap's place in a small picture."""
    return presence_in(state.caps[player], Scenery(ground, None), small)
