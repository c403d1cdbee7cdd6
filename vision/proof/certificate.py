"""The certificate: what proof has found of one installation, what it cannot vouch for, and what to correct."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.proof.measuring import Station, Trial
from linesies.vision.proof.paint import PaintCheck

Array = NDArray[np.float64]

BAND_SIGMAS = 1.96  # within which 95 % of a normal distribution lie
PLACES = 5
LEAST_TRIALS, LEAST_FOR_SIGMA = 3, 12
DIRECTIONS = ("right", "below", "left", "above")  # on the board as drawn
SET_ON = "by hand on one simulated street and eight installations on a plain floor, which prove nothing of it"


@dataclass(frozen=True, kw_only=True)
class ProofTuning(Tuning):
    """From what on a finding of proof is told."""

    paper: float = tuned(0.006, title="least scale of print that is told", unit="1", low=0, high=0.1, source=SET_ON)
    board: float = tuned(0.008, title="least scale of the board that is told", unit="1", low=0, high=0.1, source=SET_ON)
    bias_mm: float = tuned(0.3, title="least bias of a cap that is told", unit="mm", low=0, high=5, source=SET_ON)
    sure: float = tuned(2.0, title="standard errors from which a bias is told", unit="1", low=1, high=9, source=SET_ON)
    moved_mm: float = tuned(0.4, title="least move of the camera that is told", unit="mm", low=0, high=9, source=SET_ON)
    survey_mm: float = tuned(0.3, title="least RMS of the survey that is told", unit="mm", low=0, high=9, source=SET_ON)
    blur_px: float = tuned(1.3, title="least blur of an edge that is told", unit="px", low=0.3, high=9, source=SET_ON)
    wide: float = tuned(1.25, title="least widening of sigma that is told", unit="1", low=1, high=9, source=SET_ON)
    seat_mm: float = tuned(
        0.15,
        title="how exactly a hand lays a cap on a ring",
        unit="mm",
        low=0,
        high=2,
        source="a guess of careful hands",
    )


PROOF = ProofTuning()


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What some gaps came to: measured less true, its spread, and the share within the stated 95 % band (None: none).

    The spread is without what the hand that laid caps adds.
    """

    count: int
    bias_mm: float
    spread_mm: float
    in_band: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that proof has found: its code, what to say of it, and how much it is."""

    code: str
    words: str
    amount: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """What proof says of one installation.

    `sizes_mm` offers a diameter for each cap that is measured off; `sigma_times` by how much stated sigmas are too
    small (1: they are not; they are never made smaller).
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
    sizes_mm: dict[str, float]
    sigma_times: float
    not_vouched: tuple[str, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Say what was found, what matters most first; empty where all is well."""
        return tuple(_findings(self))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Error:
    """One gap's error: measured less true, by which sigma, of what."""

    trial: Trial
    place: int
    off_mm: float


def certify(stations: Sequence[Station], paint: PaintCheck | None, sizes_mm: dict[str, float]) -> Certificate:
    """Sum up what was measured at one place or more; `sizes_mm` is each player's listed diameter."""
    scales = [station.paper_scale for station in stations if station.paper_scale is not None]
    paper = float(np.median(scales)) if scales else None
    board = None if paper is None else float(np.median([station.seen_scale for station in stations])) / paper
    errors = [_error(trial, place, paper or 1.0) for place, one in enumerate(stations) for trial in one.trials]
    discs = [one for one in errors if one.trial.player is None]
    caps = [one for one in errors if one.trial.player is not None]
    by_player = _parts(caps, lambda one: one.trial.player or "")
    return Certificate(
        places=len(stations),
        paper_scale=paper,
        board_scale=board,
        discs=_summary(discs),
        caps=_summary(caps),
        by_kind=_parts(caps, lambda one: one.trial.kind or "untold"),
        by_player=by_player,
        by_direction=_parts(errors, lambda one: DIRECTIONS[_quarter(one.trial.towards)]),
        by_place=_parts(errors, lambda one: str(one.place + 1)),
        moved_mm=None if paint is None else float(np.hypot(*paint.shift_mm)),
        survey_mm=None if paint is None else paint.off_mm,
        blur_px=float(np.median([station.blur_px for station in stations])),
        sizes_mm={name: round(sizes_mm[name] + 2 * one.bias_mm, 2) for name, one in by_player.items() if _is_off(one)},
        sigma_times=_sigma_times(caps, by_player),
        not_vouched=tuple(_not_vouched(stations, caps, paper, paint)),
    )


def _error(trial: Trial, place: int, paper: float) -> _Error:
    wide_mm = trial.wide_mm * (paper if trial.player is None else 1.0)
    return _Error(trial=trial, place=place, off_mm=trial.reach_mm - wide_mm / 2 - paper * trial.gap_mm)


def _summary(errors: Sequence[_Error]) -> Summary:
    if not errors:
        return Summary(count=0, bias_mm=0.0, spread_mm=0.0, in_band=None)
    off = np.array([one.off_mm for one in errors])
    by_hand = float(np.mean([one.trial.player is not None for one in errors])) * PROOF.seat_mm**2
    variance = float(off.var(ddof=1)) if len(off) > 1 else 0.0
    known = [(one.off_mm, one.trial.sigma_mm) for one in errors if one.trial.sigma_mm is not None]
    within = [abs(off_mm) < BAND_SIGMAS * np.hypot(sigma_mm, PROOF.seat_mm) for off_mm, sigma_mm in known]
    return Summary(
        count=len(off),
        bias_mm=float(off.mean()),
        spread_mm=float(np.sqrt(max(variance - by_hand, 0.0))),
        in_band=float(np.mean(within)) if within else None,
    )


def _parts(errors: Iterable[_Error], of: Callable[[_Error], str]) -> dict[str, Summary]:
    parts: dict[str, list[_Error]] = {}
    for one in errors:
        parts.setdefault(of(one), []).append(one)
    return {name: _summary(parts[name]) for name in sorted(parts)}


def _quarter(towards: tuple[float, float]) -> int:
    return int(np.round(np.arctan2(towards[1], towards[0]) / (np.pi / 2))) % len(DIRECTIONS)


def _is_off(one: Summary) -> bool:
    """Tell whether a cap is measured off beyond doubt."""
    if one.count < LEAST_TRIALS:
        return False
    error_mm = np.hypot(one.spread_mm, PROOF.seat_mm) / np.sqrt(one.count)
    return abs(one.bias_mm) > max(PROOF.bias_mm, PROOF.sure * float(error_mm))


def _sigma_times(caps: Sequence[_Error], by_player: dict[str, Summary]) -> float:
    """Tell by how much stated sigmas are too small once sizes are corrected; fewer gaps than a dozen prove nothing."""
    if len(caps) < LEAST_FOR_SIGMA:
        return 1.0
    corrected = {player: one.bias_mm for player, one in by_player.items() if _is_off(one)}
    shares = [
        (one.off_mm - corrected.get(one.trial.player or "", 0.0))
        / float(np.hypot(one.trial.sigma_mm or 1.0, PROOF.seat_mm))
        for one in caps
    ]
    times = float(np.sqrt(np.mean(np.square(shares))))
    return times if times > PROOF.wide else 1.0


def _findings(found: Certificate) -> Iterator[Finding]:
    if found.moved_mm is not None and found.moved_mm > PROOF.moved_mm:
        words = (
            f"the camera has moved by {found.moved_mm:.1f} mm on the ground since it was calibrated; calibrate again"
        )
        yield Finding(code="moved", words=words, amount=found.moved_mm)
    if found.survey_mm is not None and found.survey_mm > PROOF.survey_mm:
        words = f"lines lie {found.survey_mm:.2f} mm off their survey; calibrate again in even light"
        yield Finding(code="survey", words=words, amount=found.survey_mm)
    if found.board_scale is not None and abs(found.board_scale - 1) > PROOF.board:
        words = f"the board is {1 / found.board_scale:.3f} times as large as its file says; correct its size"
        yield Finding(code="scale", words=words, amount=found.board_scale)
    for player, size_mm in found.sizes_mm.items():
        bias_mm = found.by_player[player].bias_mm
        words = f"{player}'s cap is measured {bias_mm:+.2f} mm off; list it as {size_mm:.1f} mm wide"
        yield Finding(code="cap", words=words, amount=bias_mm)
    if found.blur_px > PROOF.blur_px:
        words = f"edges are {found.blur_px:.1f} px soft; focus the camera, or clean its lens"
        yield Finding(code="focus", words=words, amount=found.blur_px)
    if found.sigma_times > 1:
        words = f"stated errors are {found.sigma_times:.1f} times too small; leave closer calls to people"
        yield Finding(code="sigma", words=words, amount=found.sigma_times)
    if found.paper_scale is not None and abs(found.paper_scale - 1) > PROOF.paper:
        words = f"the gauge was printed at {100 * found.paper_scale:.1f} %, which is reckoned with"
        yield Finding(code="paper", words=words, amount=found.paper_scale)


def _not_vouched(
    stations: Sequence[Station], caps: Sequence[_Error], paper: float | None, paint: PaintCheck | None
) -> Iterator[str]:
    if paper is None:
        yield "the scale: no bank card was seen on the gauge"
    if paint is None:
        yield "the survey of the lines: the board was not recognised under the gauge"
    if len(stations) < PLACES:
        yield f"the whole board: the gauge lay in {len(stations)} of {PLACES} places"
    if not caps:
        yield "caps: none was measured on a ring"
    yield from (missed for station in stations for missed in station.missed)
