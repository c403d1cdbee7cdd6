"""One cap of which it is known whose it is and about where it lies: measured there, or not seen."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration, locate
from linesies.vision.caps.candidates import CapCandidate
from linesies.vision.caps.cap import Cap, KnownCap, Listed
from linesies.vision.caps.certainty import CERTAINTY
from linesies.vision.caps.exhibit import exhibit_of
from linesies.vision.caps.fit import CapFit
from linesies.vision.caps.fitting import fit_cap, is_near
from linesies.vision.caps.found import Found, found_at
from linesies.vision.caps.hypothesis import UNTOLD_KINDS, Hypothesis, suppose_cap
from linesies.vision.caps.measuring import call_of
from linesies.vision.caps.pictures import BeforeAndNow
from linesies.vision.caps.presence import CapPresence, look_for, worth_keeping
from linesies.vision.caps.reading import CapReading
from linesies.vision.caps.seek import is_bare, seek_cap
from linesies.vision.caps.shadow import Shade, light_of, shade_about
from linesies.vision.caps.solid import outline_px, solid_of
from linesies.vision.caps.uncertainty import usual_sigma_mm
from linesies.vision.caps.witness import heard
from linesies.vision.values import Call

Array = NDArray[np.float64]

MOST_LIGHTS = 3  # caps that are looked at for the slope of another's shadow


@dataclass(frozen=True, slots=True, kw_only=True)
class NotSeen:
    """No such cap there, and why not; falsy."""

    reason: str

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeenCap:
    """A known cap as it is seen: where to the pixel, how far shadows fall there (2,), None where light is diffuse.

    `taken` are the outlines (N, 2) of the caps beside it, `lights` those of them that were asked for the light.
    """

    found: Found
    slope: Array | None
    taken: tuple[Array, ...]
    lights: tuple[Hypothesis, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KnownCall:
    """The call on a known cap, and what is dark round it.

    None where others cover all of that, and of a cap that may be taken for shadow itself.
    """

    call: Call
    shade: Shade | None


def see_known(known: KnownCap, pictures: BeforeAndNow, calibration: Calibration) -> SeenCap | NotSeen:
    """Look whether one known cap lies where it is supposed to.

    The caps beside it are no shadow of this one, nor a part of it; where nobody knows how shadows fall, theirs tell
    with its own. The likelier it stands where it is supposed to, the less its shadow, as dark as it is, draws it aside.
    """
    cap, view = known.cap, calibration.view
    hypothesis = suppose_cap(cap, known.near_mm, pictures, calibration, off_mm=known.off_mm)
    if hypothesis is None:
        return NotSeen(reason=f"{cap.player}'s cap would not be in the picture there")
    taken = tuple(outline_px(view, solid_of(other, other.kind or UNTOLD_KINDS[0]), xy) for other, xy in known.beside)
    lights = _lights(known, pictures, calibration) if known.light is None else []
    light = known.light or light_of([seek_cap(one, None) for one in (hypothesis, *lights)], taken)
    found = seek_cap(hypothesis, light.slope)
    if is_bare(found):
        return NotSeen(reason=f"the ground there looks as it did without {cap.player}'s cap")
    return SeenCap(found=found, slope=light.slope, taken=taken, lights=tuple(lights))


def fit_known(known: KnownCap, pictures: BeforeAndNow, calibration: Calibration) -> KnownCall | NotSeen:
    """Measure one known cap where it is seen as `see_known` sees it."""
    seen = see_known(known, pictures, calibration)
    if isinstance(seen, NotSeen):
        return seen
    near = tuple(other for other in seen.taken if is_near(seen.found.outline_px, other))
    fit = fit_cap(seen.found, seen.slope, near)
    presence = look_for(known.cap, fit.xy_mm, pictures, calibration)
    called = call_of(_read(known.cap, fit, presence, len(near)), calibration, Listed(caps=(known.cap,)))
    here_px = worth_keeping(seen.found.hypothesis.window_px, fit.xy_mm, calibration)
    exhibit = exhibit_of(pictures, (here_px, *(one.window_px for one in seen.lights)), known)
    is_there = np.hypot(*(np.array(called.xy_mm) - known.near_mm)) <= CERTAINTY.followed * known.off_mm
    call = replace(
        called,
        player=known.cap.player,
        cap_share=None if presence is None else presence.share,
        exhibit=exhibit,
        is_certain=bool(called.is_certain and is_there),
    )
    return KnownCall(call=call, shade=_shade(seen, fit))


def _shade(seen: SeenCap, fit: CapFit) -> Shade | None:
    """Look at the ground round a cap where it was fitted; one that is dark itself tells nothing."""
    hypothesis = seen.found.hypothesis
    if hypothesis.is_dark:
        return None
    return shade_about(found_at(hypothesis, hypothesis.patches[0].shift_px(fit.xy_mm)), seen.taken)


def expected_sigma_mm(calibration: Calibration, cap: Cap, xy_mm: Array) -> float:
    """Tell the standard error that the gap of a cap will have that stands alone at a board point (2,)."""
    point = np.asarray(xy_mm, float)
    place = locate(calibration, point, cap.diameter_mm)
    usual_mm = usual_sigma_mm(cap, calibration.view.px_per_mm(point))
    return calibration.sigma_times * float(np.hypot(usual_mm, place.edge_sigma_mm))


def _lights(known: KnownCap, pictures: BeforeAndNow, calibration: Calibration) -> list[Hypothesis]:
    """List caps beside one that tell the slope of shadows with it, as far as the pictures of them are kept."""
    others = (suppose_cap(cap, xy_mm, pictures, calibration) for cap, xy_mm in known.beside[:MOST_LIGHTS])
    return [other for other in others if other is not None and pictures.shows(other.window_px)]


def _read(cap: Cap, fit: CapFit, presence: CapPresence | None, crowd: int) -> CapReading:
    """Read a cap of which nobody doubts whose it is, but perhaps that it lies there."""
    share, xy_mm = (1.0, fit.xy_mm) if presence is None else (presence.share, presence.xy_mm)
    candidate = CapCandidate(xy_mm=xy_mm, cap_share=share, owner_shares=np.array([1.0, 0.0]))
    reading = CapReading(candidate=candidate, fit=fit, cap=cap, crowd=crowd)
    return reading if presence is None else heard(reading, presence.testimony)
