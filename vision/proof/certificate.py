"""The certificate: what proof has found of one installation, what it cannot vouch for, and what to correct."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from linesies.vision.caps.cap import Cap
from linesies.vision.proof.correction import Correction
from linesies.vision.proof.errors import GapError, Summary, by, errors_of, summed
from linesies.vision.proof.measuring import Station
from linesies.vision.proof.paint import PaintCheck
from linesies.vision.proof.proof_tuning import PROOF
from linesies.vision.proof.sizing import Sizing, left_mm, sizes_of

LEAST_FOR_SIGMA = 24  # gaps, two a ring: fewer prove nothing of a spread
DIRECTIONS = ("right", "below", "left", "above")  # on the board as drawn


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """What proof says of one installation.

    The spread of `caps` is that of calls in a game: beside what scattered on the gauge, whose lines are known, it holds
    of what the survey states of the paint as much as gaps have of it. `tall_told_mm` is by how much a player's cap must
    be taller or flatter than listed to be told so; who is not in it might have a cap of any height. `wider_mm` is by
    how much caps are wider than listed, of the players of whom that is beyond doubt.
    """

    places: int
    paper_scale: float | None
    board_scale: float | None
    discs: Summary
    caps: Summary
    by_kind: dict[str, Summary]
    by_player: dict[str, Summary]
    by_direction: dict[str, Summary]
    by_place: dict[str, Summary]
    moved_mm: float | None
    survey_mm: float | None
    blur_px: float
    tall_told_mm: dict[str, float]
    wider_mm: dict[str, float]
    correction: Correction
    missed: tuple[str, ...]

    @property
    def has_moved(self) -> bool:
        """Tell whether the camera has moved since it was calibrated."""
        return self.moved_mm is not None and self.moved_mm > PROOF.moved_mm

    @property
    def is_survey_off(self) -> bool:
        """Tell whether lines lie elsewhere than surveyed."""
        return self.survey_mm is not None and self.survey_mm > PROOF.survey_mm

    @property
    def is_soft(self) -> bool:
        """Tell whether edges are blurred more than a camera in focus blurs them."""
        return self.blur_px > PROOF.blur_px

    @property
    def is_seen_well(self) -> bool:
        """Tell whether the camera sees as it was calibrated: else no size that it tells is to be relied on."""
        return not (self.has_moved or self.is_survey_off or self.is_soft)


def certify(stations: Sequence[Station], paint: PaintCheck | None, listed: Sequence[Cap]) -> Certificate:
    """Sum up what was measured at one place or more, of caps that are listed so."""
    paper, board = _scales(stations)
    board_times = 1.0 if board is None or abs(board - 1) <= PROOF.board else 1 / board
    errors = errors_of(stations, paper=paper or 1.0, board_times=board_times)
    caps = [one for one in errors if one.trial.player is not None]
    of_players = by(caps, lambda one: one.trial.player or "")
    sizings = sizes_of(of_players)
    found = Certificate(
        places=len(stations),
        paper_scale=paper,
        board_scale=board,
        discs=summed([one for one in errors if one.trial.player is None]),
        caps=_as_beside_paint(summed(caps), paint),
        by_kind=_parts(by(caps, lambda one: one.trial.kind or "untold")),
        by_player=_parts({cap.player: of_players.get(cap.player, []) for cap in listed}),
        by_direction=_parts(by(errors, lambda one: DIRECTIONS[_quarter(one.trial.towards)])),
        by_place=_parts(by(errors, lambda one: str(one.place + 1))),
        moved_mm=None if paint is None else float(np.hypot(*paint.shift_mm)),
        survey_mm=None if paint is None else paint.off_mm,
        blur_px=float(np.median([station.blur_px for station in stations])),
        tall_told_mm={p: one.tall_told_mm for p, one in sizings.items() if one.tall_told_mm is not None},
        wider_mm={p: 2 * one.radius_mm for p, one in sizings.items() if one.radius_mm},
        correction=Correction(),
        missed=tuple(missed for station in stations for missed in station.missed),
    )
    whole = _correction(caps, sizings, listed, board_times)
    return replace(found, correction=whole if found.is_seen_well else Correction(sigma_times=whole.sigma_times))


def _scales(stations: Sequence[Station]) -> tuple[float | None, float | None]:
    """Tell at what scale the sheet was printed, and at what scale the board is seen; None without a bank card."""
    scales = [station.paper_scale for station in stations if station.paper_scale is not None]
    if not scales:
        return None, None
    paper = float(np.median(scales))
    return paper, float(np.median([station.seen_scale for station in stations])) / paper


def _as_beside_paint(on_gauge: Summary, paint: PaintCheck | None) -> Summary:
    """Add what gaps have of the survey's own error to the spread of gaps to lines that are known."""
    if paint is None or not on_gauge.count:
        return on_gauge
    return replace(on_gauge, spread_mm=float(np.hypot(on_gauge.spread_mm, PROOF.survey_share * paint.stated_mm)))


def _parts(parts: dict[str, list[GapError]]) -> dict[str, Summary]:
    return {name: summed(errors) for name, errors in parts.items()}


def _quarter(towards: tuple[float, float]) -> int:
    return int(np.round(np.arctan2(towards[1], towards[0]) / (np.pi / 2))) % len(DIRECTIONS)


def _correction(
    caps: Sequence[GapError], sizings: dict[str, Sizing], listed: Sequence[Cap], board_times: float
) -> Correction:
    known = [(cap, sizings[cap.player]) for cap in listed if cap.player in sizings]
    return Correction(
        diameters_mm={cap.player: round(cap.diameter_mm + 2 * s.radius_mm, 2) for cap, s in known if s.radius_mm},
        heights_mm={cap.player: round(max(cap.height_mm + s.height_mm, 0.5), 1) for cap, s in known if s.height_mm},
        board_times=board_times,
        sigma_times=_sigma_times(caps, sizings),
    )


def _sigma_times(caps: Sequence[GapError], sizings: dict[str, Sizing]) -> float:
    """Tell by how much stated sigmas are too small once sizes are corrected; few gaps prove nothing."""
    if len(caps) < LEAST_FOR_SIGMA:
        return 1.0
    shares = [left_mm(one, sizings[one.trial.player or ""]) / one.doubt_mm for one in caps]
    times = float(np.sqrt(np.mean(np.square(shares))))
    return times if times > PROOF.wide else 1.0
