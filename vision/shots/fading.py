"""Caps that flew and came to rest on paint of their own colour, where little of them stands out."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import ON_FILMS, Tuning, tuned
from linesies.vision.picture.frame import Image
from linesies.vision.shots.cap_state import CapState
from linesies.vision.shots.flights import has_flown
from linesies.vision.shots.measurer import Measurer
from linesies.vision.shots.moved import Movement
from linesies.vision.shots.movement import to_rest
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.still_blobs import Still
from linesies.vision.shots.tracks import End, track_of


@dataclass(frozen=True)
class FadingTuning(Tuning):
    """What little is seen of a cap on paint of its own colour."""

    least_sightings: int = tuned(
        6,
        title="fewest sightings of what came to rest on paint of its own colour",
        unit="1",
        low=2,
        high=40,
        source=by_hand_in("b407613"),
    )
    longest_s: float = tuned(
        0.3, title="between its last sighting and what lies still", unit="s", low=0.05, high=2, source=ON_FILMS
    )
    farthest_radii: float = tuned(
        8.0, title="how far these may lie apart, in radii", unit="1", low=1, high=30, source=ON_FILMS
    )


FADING = FadingTuning()


def faded(
    cap: CapState, stills: Iterable[Still], state: SceneState, picture: Image, measurer: Measurer
) -> Movement | None:
    """Find the way of a cap that faded from sight: to what keeps still since then, nearest to there.

    None unless the judge sees it there.
    """
    seen = track_of(cap, state, measurer.view)
    if len(seen.t_s) < FADING.least_sightings or not has_flown(seen) or seen.t_s[1] - seen.t_s[0] > FADING.longest_s:
        return None
    last = measurer.view.to_small(cap.cap, seen.xy_mm[-1:])[0]
    since = [still for still in stills if still.since_s > seen.t_end_s - FADING.longest_s]
    still = min(since, key=lambda s: float(np.hypot(*(s.anchor_small - last))), default=None)
    reach_small = 0.0 if cap.place is None else FADING.farthest_radii * cap.place.radius_small
    if still is None or np.hypot(*(still.anchor_small - last)) > reach_small:
        return None
    call = measurer.call_at(cap.cap, np.array(still.anchor_small), picture)
    track = track_of(cap, state, measurer.view, End(t_s=still.since_s, xy_mm=call.xy_mm))
    moved = to_rest(cap, track, call, was_by_hand=False)
    return moved if moved.is_measured and moved.is_seen_flying else None
