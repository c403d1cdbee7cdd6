"""A scene is taken anew while play goes on: people say that the eyes missed something, or invented it.

They had better not go by what they know, but a hand that aims just then is no part of the scene, and a shot that is on
its way is to be told. So the last scene is watched on until the new one is known, and that is taken while nothing goes
on.
"""

from dataclasses import dataclass

from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.shots.cap_state import ScenePhase
from linesies.vision.shots.inspection import Inspection
from linesies.vision.shots.latest_frames import LatestFrames
from linesies.vision.shots.lit_picture import LitPicture
from linesies.vision.shots.measurer import Measurer
from linesies.vision.shots.opening import StillFrames
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.scenery import SceneOpened, Scenery, scene_of
from linesies.vision.shots.unexplained import is_calm


@dataclass(frozen=True)
class AfreshTuning(Tuning):
    """For how long a scene that is to be taken anew is waited for."""

    unrest_s: float = tuned(
        5.0,
        title="until a cap that is missed counts as one of the errors, not of what is going on",
        unit="s",
        low=1,
        high=30,
        source="by what it says: a roll takes 3 s, and a cap that is lost from sight is found within 2",
    )
    longest_s: float = tuned(
        12.0,
        title="until the scene is taken though something lies over it",
        unit="s",
        low=2,
        high=60,
        source="by what it says: longer than a hand takes aim",
    )
    every_s: float = tuned(
        0.1,
        title="from one look whether the latest pictures are still to the next",
        unit="s",
        low=0.02,
        high=1,
        source="by what it says: twelve pictures are kept, of which most are new by then",
    )


AFRESH = AfreshTuning()


class Afresh:
    """Remembers since when the scene is to be taken anew, and how far that has got."""

    def __init__(self, since_s: float) -> None:
        self._since_s = since_s
        self._in_hand: tuple[StillFrames, Inspection] | None = None

    def is_overdue(self, state: SceneState, t_s: float) -> bool:
        """Tell whether it was waited for long enough; while the camera is away it is taken anew anyhow."""
        return state.phase is not ScenePhase.KNOCKED and t_s - self._since_s >= AFRESH.longest_s

    def scene(
        self, state: SceneState, scenery: Scenery, picture: LitPicture, latest: LatestFrames, measurer: Measurer
    ) -> SceneOpened | None:
        """Get on with it while nothing is going on; gives the new scene once the judge is through."""
        leftover, _ = picture.leftover(scenery.background)
        if not (self._is_over(state, latest.last.t_s) and is_calm(leftover, scenery.paint)):
            self._in_hand = None
            return None
        if self._in_hand is None:
            self._begin(latest)
            return None
        still, inspection = self._in_hand
        judged = inspection.calls(measurer)
        return None if judged is None else scene_of(judged, still, latest, inspection, measurer)

    def _is_over(self, state: SceneState, t_s: float) -> bool:
        is_lost = state.phase is ScenePhase.PLAYING and t_s - self._since_s >= AFRESH.unrest_s
        return is_lost or state.phase is ScenePhase.AT_REST

    def _begin(self, latest: LatestFrames) -> None:
        """Begin with the latest frames, if nothing moves in them."""
        if latest.begins(AFRESH.every_s) and (still := StillFrames.of(latest)).has_been_still:
            self._in_hand = still, Inspection(latest)
