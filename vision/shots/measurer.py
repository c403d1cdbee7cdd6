"""One cap, measured where it was followed to; or called there, where the judge does not see it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import locate
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.caps.cap import Cap, KnownCap
from linesies.vision.caps.judge import Judge
from linesies.vision.caps.known import NotSeen
from linesies.vision.caps.sunlight import Sunlight
from linesies.vision.picture.frame import Image
from linesies.vision.pieces import Pieces
from linesies.vision.shots.cap_state import CapState
from linesies.vision.shots.small_view import SmallView
from linesies.vision.values import Call, Judgement

Array = NDArray[np.float64]

FOLLOWED = (
    "where 87 caps were followed to on the eight public films is 1.1 mm from where they are fitted in the median, 3.4 "
    "mm in one of twenty; of 21 on films of world=varied (8801 to 8803), small in the picture, 3.0 and 6.8; 2026-11-28"
)


@dataclass(frozen=True)
class MeasuringTuning(Tuning):
    """What of a fit is believed."""

    unmeasured_sigma_mm: float = tuned(
        5.0,
        title="sigma of a cap that could not be fitted",
        unit="mm",
        low=1,
        high=30,
        source="at Certainty.sigmas of 2.5 nothing within 12.5 mm of paint, half a cap's width, is certain",
    )
    followed_mm: float = tuned(
        1.0,
        title="how far off the place is to which a cap was followed, along x and y, however large it is seen",
        unit="mm",
        low=0.1,
        high=20,
        source=FOLLOWED,
    )
    followed_small: float = tuned(
        0.5,
        title="likewise, in pixels of the small picture, where those are coarser",
        unit="px",
        low=0.05,
        high=5,
        source=FOLLOWED,
    )
    farthest_judged_radii: float = tuned(
        1.2,
        title="how far a fit may lie from where the cap was followed to, in radii",
        unit="1",
        low=0.3,
        high=5,
        source=by_hand_in("9d3b1db"),
    )


MEASURING = MeasuringTuning()


class Measurer:
    """Holds the judge and the view in which caps are followed; remembers how shadows have fallen lately."""

    def __init__(self, view: SmallView) -> None:
        self.view = view
        self.forget()
        # its frames are brought back already
        self._judge = Judge(view.calibration, view.caps, moved_px=0.0, is_hurried=True)
        self._judge.prepare()

    def forget(self) -> None:
        """Forget the light, as where time begins anew."""
        self._sunlight, self._t_s = Sunlight(), 0.0

    def begin(self, t_s: float) -> None:
        """Take the time of the frame in hand."""
        self._t_s = t_s

    def judging(self, picture: Image) -> Pieces[Judgement]:
        """Find all caps of a picture, wherever they lie, piece by piece."""
        return self._judge.judging(picture)

    def call_at(self, cap: Cap, xy_small: Array, picture: Image, beside: Iterable[tuple[Cap, Array]] = ()) -> Call:
        """Measure a cap that was followed to a point (2,) of the small picture; `beside` are others, likewise."""
        others = tuple((other, self.view.to_mm(other, place[None])[0]) for other, place in beside)
        near_mm = self.view.to_mm(cap, xy_small[None])[0]
        off_mm = usual_off_mm(self.view, near_mm)
        return self.call_near(KnownCap(cap=cap, near_mm=near_mm, beside=others, off_mm=off_mm), picture)

    def call_near(self, known: KnownCap, picture: Image) -> Call:
        """Measure a known cap, or call it where it is supposed to lie."""
        call = self.measured(picture, known)
        farest_mm = MEASURING.farthest_judged_radii * known.cap.diameter_mm / 2
        if isinstance(call, Call) and np.hypot(*(np.array(call.xy_mm) - known.near_mm)) < farest_mm:
            return call
        return unmeasured(known.cap, known.near_mm, self.view)

    def sees(self, call: Call, calls: Iterable[Call], picture: Image) -> bool:
        """Tell whether a called cap is seen there when it alone is asked for; `calls` are those on all caps."""
        listed = {cap.player: cap for cap in self.view.caps}
        others = tuple((listed[str(o.player)], np.array(o.xy_mm)) for o in calls if o.player != call.player)
        known = KnownCap(cap=listed[str(call.player)], near_mm=np.array(call.xy_mm), beside=others)
        return self._judge.sees(picture, known)

    def again(self, player: str, placed: Iterable[CapState], picture: Image) -> Call | None:
        """Measure one of the caps that lie still once more; None where it cannot be seen as one just now."""
        lying = {cap.player: (cap.cap, np.array(cap.place.xy_mm)) for cap in placed if cap.place is not None}
        if player not in lying:
            return None
        cap, near_mm = lying.pop(player)
        call = self.measured(picture, KnownCap(cap=cap, near_mm=near_mm, beside=tuple(lying.values())))
        return call if isinstance(call, Call) else None

    def measured(self, picture: Image, known: KnownCap) -> Call | NotSeen:
        """Measure a known cap in the light that others have told of, and learn of that."""
        measured = self._judge.measure(picture, replace(known, light=self._sunlight.at(self._t_s)))
        if isinstance(measured, NotSeen):
            return measured
        if measured.shade is not None:
            self._sunlight.see(measured.shade, self._t_s)
        return measured.call


def usual_off_mm(view: SmallView, near_mm: Array) -> float:
    """Tell how far off a board point (2,) usually is to which a cap was followed in small pictures, along x and y."""
    a_small_mm = view.shrink / view.calibration.view.px_per_mm(near_mm)
    return float(np.hypot(MEASURING.followed_mm, MEASURING.followed_small * a_small_mm))


def unmeasured(cap: Cap, xy_mm: Array, view: SmallView) -> Call:
    """Call a cap where it was followed to (2,)."""
    place = locate(view.calibration, xy_mm, cap.diameter_mm)
    return Call(
        player=cap.player,
        xy_mm=(float(xy_mm[0]), float(xy_mm[1])),
        diameter_mm=cap.diameter_mm,
        location=place.location,
        gap_mm=place.gap_mm,
        sigma_mm=MEASURING.unmeasured_sigma_mm,
        is_certain=False,
    )
