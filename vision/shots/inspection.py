"""The judge looks over a whole picture: piece by piece, some of it with each frame, so that no frame waits for all.

It is asked about one picture at a time, by whichever steps want to know; each frame it gets on once.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.caps.cuts import TOO_DARK
from linesies.vision.picture.frame import Frame, Image
from linesies.vision.picture.small_picture import look_at
from linesies.vision.picture.stillness import STILLNESS
from linesies.vision.pieces import Pieces, some_at_a_time
from linesies.vision.shots.latest_frames import LatestFrames
from linesies.vision.shots.measurer import Measurer
from linesies.vision.shots.place import Place
from linesies.vision.values import Call, Judgement, Resemblance


@dataclass(frozen=True)
class InspectionTuning(Tuning):
    """Whether a place is still enough to be judged."""

    most_moved: float = tuned(
        0.1,
        title="of a cap's disc, what may have changed in the latest frames",
        unit="1",
        low=0.01,
        high=0.6,
        source=BY_HAND,
    )


INSPECTION = InspectionTuning()

PIECES = 2  # of the judge's work with each frame, some 30 ms in all
COARSE = 8  # px from one to the next that tell whether a picture is dark


class Inspection:
    """Remembers how far the judge has got with the picture in hand, which is the mean of the latest frames."""

    def __init__(self, latest: LatestFrames) -> None:
        self._latest = latest
        self._at: Frame | None = None
        self._in_hand: Pieces[Mapping[str, Call] | None] | None = None
        self._found: Mapping[str, Call] | None = None
        self.resemblances: tuple[Resemblance, ...] = ()  # of the picture that was judged last

    @property
    def goes_on(self) -> bool:
        """Whether it was asked with the frame before the newest: the picture in hand is still that of now."""
        return self._at is not None and self._at is self._latest.before_last

    def calls(self, measurer: Measurer) -> Mapping[str, Call] | None:
        """Give all listed caps of the newest pictures, wherever they lie; None until the judge is through.

        A guess counts only where that cap is seen when it alone is measured there: the rim of glare is none.

        To be asked again with the next frame; who does not ask then has the judge begin anew later.
        """
        latest = self._latest
        if self._at is latest.last:
            return self._found
        goes_on = self.goes_on
        self._at, self._found = latest.last, None
        if self._in_hand is None or not goes_on:
            self._in_hand = self._judging(measurer, latest.mean_bgr())
            return None  # what that took is enough for one frame, as is what is done at a time: a ring holds 200 ms
        try:
            next(self._in_hand)
        except StopIteration as end:
            self._in_hand, self._found = None, end.value
        return self._found

    def _judging(self, measurer: Measurer, picture: Image) -> Pieces[Mapping[str, Call] | None]:
        if np.median(picture[::COARSE, ::COARSE]) <= TOO_DARK:
            return None  # the lens is covered: that no cap is seen says nothing
        judgement: Judgement = yield from some_at_a_time(measurer.judging(picture), PIECES)
        yield  # what follows is a frame's work with what is made of it
        calls, self.resemblances = judgement.caps, judgement.resemblances
        seen = {str(call.player): call for call in calls if call.is_certain or measurer.sees(call, calls, picture)}
        yield  # and so is what is made of them
        return seen

    def is_still_at(self, place: Place) -> bool:
        """Tell whether nothing has moved at a place in the latest frames."""
        before, now = (
            look_at(frame)[place.rows, place.columns][place.disc].astype(np.int16)
            for frame in (self._latest.first, self._latest.last)
        )
        return bool(np.mean(np.abs(now - before).max(axis=1) > STILLNESS.moved_levels) < INSPECTION.most_moved)
