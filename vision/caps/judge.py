"""Judge a picture: where each cap lies, whose it is, its gap to the paint, and how sure that is.

A picture's way is the list of steps below: each takes what the steps before it gave, and gives one value. A call is
certain only where each question on the way is answered safely.
"""

from dataclasses import dataclass

import numpy as np

from linesies.calibration import Calibration, follow
from linesies.vision.caps.candidates import list_candidates
from linesies.vision.caps.cap import Cap, KnownCap, Listed
from linesies.vision.caps.cuts import approach, cut_out, shrink
from linesies.vision.caps.exhibit import kept_of, pictures_of
from linesies.vision.caps.find import Finder, find_peaks
from linesies.vision.caps.fitting import fit
from linesies.vision.caps.hypothesis import suppose
from linesies.vision.caps.known import KnownCall, NotSeen, fit_known, see_known
from linesies.vision.caps.looks import glance, look
from linesies.vision.caps.measuring import measure
from linesies.vision.caps.naming import weigh
from linesies.vision.caps.owners import name
from linesies.vision.caps.pictures import BeforeAndNow, pair
from linesies.vision.caps.reading import aim, read
from linesies.vision.caps.recognising import come_closer, recognise
from linesies.vision.caps.registering import Alignment, LaidPicture, Photo, align, lay
from linesies.vision.caps.scouting import scout
from linesies.vision.caps.seek import seek
from linesies.vision.caps.shadow import find_light
from linesies.vision.caps.veil import Unveiling, unveil
from linesies.vision.caps.witness import testify
from linesies.vision.errors import BadInput
from linesies.vision.exhibit import Exhibit
from linesies.vision.picture.colouring import grey_of
from linesies.vision.picture.landmarks import Landmarks
from linesies.vision.picture.layout import Image
from linesies.vision.pieces import Pieces, at_once
from linesies.vision.steps import Blackboard, Way
from linesies.vision.values import Call, Judgement

STEPS = (
    lay,  # the picture is laid on that of the empty board; one that shows another ground ends here
    unveil,  # glare and haze are taken off; where they hide everything is said
    pair,  # the empty board beside it
    find_peaks,  # where something has changed as a cap would change it
    shrink,  # both pictures, ready to be cut at one scale
    approach,  # where is looked first: at the peaks,
    scout,  # and where a small net, shown all of the ground, would look besides
    cut_out,  # what these places look like
    glance,  # what does one net see there?
    recognise,  # may that be a cap, and where is its middle?
    come_closer,  # the likely ones are looked at once more, with their middles in the middle
    cut_out,
    look,  # what do both nets see?
    recognise,  # is it a cap?
    name,  # whose cap is it?
    weigh,  # all of these questions together: each listed cap lies there at most once
    list_candidates,  # what may be caps, of those that can be seen at all
    suppose,  # a body of known size where each likely cap was seen, and one as which other it may be read
    find_light,  # how all shadows fall
    seek,  # where it is in that light, to the pixel
    fit,  # where it is to a fraction of a pixel
    read,  # what fits as a cap, and as which
    aim,  # where each was fitted is looked at once more
    cut_out,
    testify,  # a second witness says where it is, looking there by itself
    measure,  # on which side of the paint, by how much, and how sure
)
HURRIED = tuple(step for step in STEPS if step is not scout)  # who watches play can't wait so long
LASTING = (Calibration, Listed, Unveiling, Alignment, Finder, Photo)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Judged:
    """A judgement with what it was made by: the calibration of where the camera stood, and its picture laid on that."""

    judgement: Judgement
    calibration: Calibration
    picture_bgr: Image


class Judge:
    """Remembers the calibrated ground, ready to compare, and the caps in play; `judge` and `fit` use it."""

    def __init__(
        self,
        calibration: Calibration,
        caps: tuple[Cap, ...],
        *,
        moved_px: float | None = None,
        is_hurried: bool = False,
    ) -> None:
        """Take what is known; raises BadInput where no painted lines were surveyed.

        `moved_px` is for pictures, or a calibration, that were moved already to lie on one another: by so much. One
        who `is_hurried` looks only where the picture has changed the most.
        """
        if not calibration.survey.lines:
            raise BadInput("the calibration holds no painted lines, as of a card mat; calibrate on the caps' board")
        self._calibration, self._listed = calibration, Listed(caps=caps)
        self._moved_px = moved_px
        self._ready: tuple[object, ...] = ()
        self._landmarks = Landmarks(grey_of(calibration.empty_bgr))
        self._is_hurried = is_hurried
        self.way = Way(HURRIED if is_hurried else STEPS, lasting=LASTING, ends=Judgement)

    def prepare(self) -> None:
        """Make ready what the first picture would wait for."""
        if not self._ready:
            calibration = self._calibration
            self._ready = (Finder(calibration, self._listed.caps), Unveiling(calibration))

    def judge(self, picture_bgr: Image) -> Judgement:
        """Find, name and measure every cap of a picture (H, W, 3); raises BadInput when it has another size.

        The camera may have been moved or turned since it was calibrated, as long as it sees the same ground.
        """
        return at_once(self.judging(picture_bgr))

    def judged(self, picture_bgr: Image) -> Judged:
        """Judge as `judge` does; whoever draws the calls needs more than these if the camera was moved."""
        seen = self.look(picture_bgr)
        laid_bgr = seen[LaidPicture].bgr if LaidPicture in seen else picture_bgr
        return Judged(judgement=seen[Judgement], calibration=seen[Calibration], picture_bgr=laid_bgr)

    def judging(self, picture_bgr: Image) -> Pieces[Judgement]:
        """Judge as `judge` does, in pieces of some 30 ms each for a picture of 3 megapixels."""
        return (yield from self.looking(picture_bgr))[Judgement]

    def look(self, picture_bgr: Image) -> Blackboard:
        """Judge as `judge` does, and give what every step gave: why a cap is missed, or its call doubted."""
        return at_once(self.looking(picture_bgr))

    def looking(self, picture_bgr: Image) -> Pieces[Blackboard]:
        """Look as `look` does, in pieces, from where the camera stands now."""
        self._check_size(picture_bgr)
        self.prepare()
        alignment = align(picture_bgr, self._landmarks, moved_px=self._moved_px)
        if not alignment.is_near and self._moved_px is None:
            moved = follow(self._calibration, picture_bgr)
            if isinstance(moved, Calibration):
                moved_px = moved.apart_px(self._calibration)
                there = Judge(moved, self._listed.caps, moved_px=moved_px, is_hurried=self._is_hurried)
                return (yield from there.looking(picture_bgr))
        board = Blackboard()
        for value in (self._calibration, self._listed, *self._ready, alignment, Photo(bgr=picture_bgr)):
            board.put(value)
        yield from self.way.in_pieces(board)
        return board

    def fit(self, picture_bgr: Image, known: KnownCap) -> Call | NotSeen:
        """Measure one known cap; raises BadInput when the picture has another size."""
        measured = self.measure(picture_bgr, known)
        return measured if isinstance(measured, NotSeen) else measured.call

    def measure(self, picture_bgr: Image, known: KnownCap) -> KnownCall | NotSeen:
        """Measure as `fit` does, and tell what is dark round the cap, which tells of the light."""
        return fit_known(known, self._beside_empty(picture_bgr), self._calibration)

    def sees(self, picture_bgr: Image, known: KnownCap) -> bool:
        """Tell whether `fit` would measure a cap there, which takes a small part of its time."""
        return bool(see_known(known, self._beside_empty(picture_bgr), self._calibration))

    def _beside_empty(self, picture_bgr: Image) -> BeforeAndNow:
        self._check_size(picture_bgr)
        return BeforeAndNow(now=picture_bgr, empty=self._calibration.empty_bgr)

    def _check_size(self, picture_bgr: Image) -> None:
        if not self._calibration.has_frame_size(picture_bgr):
            width, height = self._calibration.view.lens.size_px
            raise BadInput(
                f"the picture is {picture_bgr.shape[1]}x{picture_bgr.shape[0]}, the calibration is for "
                f"{width}x{height}; calibrate with pictures of this size"
            )


def judge(picture_bgr: Image, calibration: Calibration, caps: tuple[Cap, ...]) -> Judgement:
    """Judge one picture; for many of one camera make a `Judge` once."""
    return Judge(calibration, caps).judge(picture_bgr)


def judge_again(exhibit: Exhibit, player: str, calibration: Calibration, caps: tuple[Cap, ...]) -> Call | NotSeen:
    """Measure a player's cap again from what its call was measured from; the calibration's own picture is not used.

    Raises BadInput where the exhibit does not belong to the calibration or to the caps.
    """
    of = {cap.player: cap for cap in caps}
    strangers = {player, *(other for other, _ in exhibit.beside)} - set(of)
    if strangers:
        raise BadInput(f"no cap is known of {', '.join(sorted(strangers))}")
    now, as_it_was = pictures_of(exhibit, calibration)
    pictures = BeforeAndNow(now=now, empty=as_it_was.empty_bgr, kept_px=kept_of(exhibit))
    known = KnownCap(
        cap=of[player],
        near_mm=np.array(exhibit.near_mm),
        beside=tuple((of[other], np.array(xy_mm)) for other, xy_mm in exhibit.beside),
        off_mm=exhibit.off_mm,
        light=exhibit.light,
    )
    measured = fit_known(known, pictures, as_it_was)
    return measured if isinstance(measured, NotSeen) else measured.call
