"""What was measured less what is true, gap by gap, and what that comes to."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from linesies.vision.proof.measuring import Station, Trial
from linesies.vision.proof.proof_tuning import PROOF

BAND_SIGMAS = 1.96  # within which 95 % of a normal distribution lie


@dataclass(frozen=True, slots=True, kw_only=True)
class GapError:
    """One gap's error: measured less true, of what, and at which of the places."""

    trial: Trial
    place: int
    off_mm: float

    @property
    def doubt_mm(self) -> float:
        """Tell how far off it may be by what the judge states and the hand that laid the cap."""
        return float(np.hypot(self.trial.sigma_mm or 0.0, PROOF.seat_mm))


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What some gaps came to: measured less true, its spread, and the share within the stated 95 % band (None: none).

    The spread is without what the hand that laid caps adds.
    """

    count: int
    bias_mm: float
    spread_mm: float
    in_band: float | None


def errors_of(stations: Sequence[Station], *, paper: float, board_times: float) -> list[GapError]:
    """List all errors, of a sheet printed at that scale, on a board that is so many times as large as drawn."""
    return [
        GapError(trial=trial, place=place, off_mm=board_times * trial.reach_mm - _true_reach_mm(trial, paper))
        for place, station in enumerate(stations)
        for trial in station.trials
    ]


def _true_reach_mm(trial: Trial, paper: float) -> float:
    wide_mm = trial.wide_mm * (paper if trial.player is None else 1.0)
    return wide_mm / 2 + paper * trial.gap_mm


def summed(errors: Sequence[GapError]) -> Summary:
    """Sum up errors; of none nothing is known."""
    if not errors:
        return Summary(count=0, bias_mm=0.0, spread_mm=0.0, in_band=None)
    off = np.array([one.off_mm for one in errors])
    by_hand = float(np.mean([one.trial.player is not None for one in errors])) * PROOF.seat_mm**2
    variance = float(off.var(ddof=1)) if len(off) > 1 else 0.0
    within = [abs(one.off_mm) < BAND_SIGMAS * one.doubt_mm for one in errors if one.trial.sigma_mm is not None]
    return Summary(
        count=len(off),
        bias_mm=float(off.mean()),
        spread_mm=float(np.sqrt(max(variance - by_hand, 0.0))),
        in_band=float(np.mean(within)) if within else None,
    )


def by(errors: Iterable[GapError], of: Callable[[GapError], str]) -> dict[str, list[GapError]]:
    """Sort errors by a name that each has."""
    parts: dict[str, list[GapError]] = {}
    for one in errors:
        parts.setdefault(of(one), []).append(one)
    return {name: parts[name] for name in sorted(parts)}
