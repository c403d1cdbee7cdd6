"""Measures one gauge where it lies, as a game is measured: its discs, and the caps on its rings."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration
from linesies.vision.caps.cap import Cap, Kind, KnownCap
from linesies.vision.caps.judge import Judge
from linesies.vision.caps.known import NotSeen
from linesies.vision.picture.layout import Image
from linesies.vision.proof.card import paper_scale
from linesies.vision.proof.discs import see_discs
from linesies.vision.proof.gauge import Gauge
from linesies.vision.proof.laying import Laid, lay

Array = NDArray[np.float64]

SEATED_MM = 3.0  # farther from where it touches both strokes a cap was not laid there
TALLER_MM = 1.0  # than listed: what a wrong height would make of the same pixels


@dataclass(frozen=True, slots=True, kw_only=True)
class NoProof:
    """Nothing can be measured of these pictures, and why not; falsy."""

    reason: str

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One gap that was measured: of a printed disc (`player` is None), or of a player's cap on a ring, two of each.

    `reach_mm` is how far its middle was measured to lie from the line's edge, `wide_mm` its diameter and `gap_mm` its
    gap as printed or listed; `sigma_mm` what the judge states (None: of a disc). `towards` (x, y) is the direction to
    the line, `lean` how far along it a millimetre of height is seen shifted, and `reach_per_height` how much farther
    the same pixels would read were the cap listed a millimetre taller.
    """

    player: str | None
    kind: Kind | None
    xy_mm: tuple[float, float]
    towards: tuple[float, float]
    lean: float
    reach_per_height: float
    reach_mm: float
    wide_mm: float
    gap_mm: float
    sigma_mm: float | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Station:
    """One place where the gauge lay: what was measured, and what of it was not.

    `seen_scale` is how large the sheet is seen, of its drawing, and `paper_scale` how large the bank card says that it
    was printed (None: no card); `blur_px` is an edge's blur.
    """

    middle_mm: tuple[float, float]
    seen_scale: float
    paper_scale: float | None
    blur_px: float
    trials: tuple[Trial, ...]
    missed: tuple[str, ...]


def measure_station(
    bare_bgr: Image, laid_bgr: Image, calibration: Calibration, gauge: Gauge, seated: Mapping[int, Cap]
) -> Station | NoProof:
    """Measure a gauge by a picture of it alone and one with a bank card and caps: `seated` says which on which ring.

    Raises BadInput where a picture is not of the calibrated size.
    """
    laid = lay(bare_bgr, calibration, gauge)
    if laid is None:
        return NoProof(reason="the gauge is not found; lay it flat and whole on the board, out of hard shadows")
    seen_mm, blur_px = see_discs(bare_bgr, calibration.view, gauge, laid)
    caps = list(_caps(laid_bgr, replace(calibration, empty_bgr=bare_bgr), gauge, laid, seated))
    x, y = laid.middle_mm
    return Station(
        middle_mm=(float(x), float(y)),
        seen_scale=laid.scale,
        paper_scale=paper_scale(bare_bgr, laid_bgr, calibration, laid),
        blur_px=blur_px,
        trials=(*_discs(gauge, laid, seen_mm), *(one for one in caps if isinstance(one, Trial))),
        missed=tuple(one for one in caps if isinstance(one, str)),
    )


def _discs(gauge: Gauge, laid: Laid, seen_mm: Array) -> Iterator[Trial]:
    for disc, xy_mm in zip(gauge.discs, seen_mm, strict=True):
        edge_mm = laid.to_board((disc.xy_mm + disc.towards * (disc.diameter_mm / 2 + disc.gap_mm))[None])[0]
        towards = laid.upright @ disc.towards
        yield Trial(
            player=None,
            kind=None,
            xy_mm=_pair(xy_mm),
            towards=_pair(towards),
            lean=0.0,
            reach_per_height=0.0,
            reach_mm=float((edge_mm - xy_mm) @ towards),
            wide_mm=disc.diameter_mm,
            gap_mm=disc.gap_mm,
            sigma_mm=None,
        )


def _caps(
    picture_bgr: Image, calibration: Calibration, gauge: Gauge, laid: Laid, seated: Mapping[int, Cap]
) -> Iterator[Trial | str]:
    near_mm = {
        number: laid.to_board(gauge.seats[number].middle_mm(cap.diameter_mm / laid.scale)[None])[0]
        for number, cap in seated.items()
    }
    judge = Judge(calibration, tuple(seated.values()))
    for number, cap in seated.items():
        seat = gauge.seats[number]
        beside = tuple((seated[other], xy) for other, xy in near_mm.items() if other != number)
        known = KnownCap(cap=cap, near_mm=near_mm[number], beside=beside)
        call = judge.fit(picture_bgr, known)
        if isinstance(call, NotSeen):
            yield f"{cap.player}'s cap on ring {number + 1}: {call.reason}"
            continue
        off_mm = float(np.hypot(*(call.xy_mm - near_mm[number])))
        if off_mm > SEATED_MM:
            yield (
                f"{cap.player}'s cap on ring {number + 1}: lies {off_mm:.0f} mm from where it touches both strokes; "
                "lay it there (a sheet whose rings have one stroke is of an older release: print it anew)"
            )
            continue
        taller = judge.fit(picture_bgr, replace(known, cap=replace(cap, height_mm=cap.height_mm + TALLER_MM)))
        strayed_mm = np.zeros(2) if isinstance(taller, NotSeen) else np.array(taller.xy_mm) - call.xy_mm
        lean = (np.array(call.xy_mm) - calibration.view.camera_mm[:2]) / calibration.view.camera_height_mm
        for side, gap_mm in seat.sides:
            towards = laid.upright @ side
            edge_mm = laid.to_board((seat.corner_mm + gap_mm * side)[None])[0]
            yield Trial(
                player=cap.player,
                kind=cap.kind,
                xy_mm=call.xy_mm,
                towards=_pair(towards),
                lean=float(lean @ towards),
                reach_per_height=-float(strayed_mm @ towards) / TALLER_MM,
                reach_mm=float((edge_mm - call.xy_mm) @ towards),
                wide_mm=cap.diameter_mm,
                gap_mm=gap_mm,
                sigma_mm=call.sigma_mm,
            )


def _pair(xy: Array) -> tuple[float, float]:
    return float(xy[0]), float(xy[1])
