"""Proves simulated installations, each with one fault or none, by a gauge laid on the simulated board.

The gauge is printed to PDF, read back as a printer would ink it, and laid by the program. What proof says is held
against what caps beside the board's own lines are truly off by.
"""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import click
import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from linesies.benchmarks.proof_streets import GOOD, INK_PX_PER_MM, Picture, Shooting, Street, four_caps
from linesies.calibration import Calibration
from linesies.device.sheets.paper import PAPERS
from linesies.simulator.street.camera import CameraDrift, take
from linesies.simulator.street.sheet import PrintedSheet
from linesies.simulator.street.solids import CapSolid, solid
from linesies.simulator.street.stage import Stage
from linesies.simulator.street.stills import beside_a_line
from linesies.simulator.street.truth import place_truth
from linesies.vision import (
    BANK_CARD_MM,
    BANK_CARD_TALL_MM,
    CARD_MIDDLE_MM,
    Cap,
    Certificate,
    Judge,
    KnownCap,
    NotSeen,
    PaintCheck,
    Station,
    certify,
    check_paint,
    findings_of,
    measure_station,
    seated_at,
)

Array = NDArray[np.float64]

PLACES = ((0.22, 0.22), (0.78, 0.24), (0.5, 0.5), (0.24, 0.78), (0.77, 0.76))  # of the board, about which it is laid
SEAT_MM, CARD_MM, CARD_RAD = 0.15, 1.5, 0.03  # how exactly people lay things
GAPS = 96  # caps beside the board's lines, by which the truth is told
MATTERS_MM = 0.3
SPREAD_WITHIN = 0.2
SET_UP_ANEW = {"moved", "survey", "focus"}  # findings after which people calibrate again, or focus
NO_FAULT_OF_CALLS = ("none", "paper")  # no call of a game is another for it
FAULTS = ("none", "none", "none", "lens", "paper", "height", "diameter", "knock", "survey", "focus")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What is amiss with an installation."""

    kind: str = "none"
    amount: float = 0.0
    player: int = 0


@dataclass(frozen=True, slots=True)
class TrueError:
    """How far off the gap of a cap beside a line of the board is, and its stated error; NaN where it is not seen."""

    player: str
    off_mm: float
    sigma_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Proved:
    """What was measured of an installation: the how manieth of its street, with what fault."""

    seed: int
    number: int
    fault: Fault
    listed: tuple[Cap, ...]
    stations: tuple[Station, ...]
    paint: PaintCheck | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ProofOutcome:
    """What proof said of an installation, and what is true of it: of calls on caps beside the board's own lines."""

    proved: Proved
    true: tuple[TrueError, ...]
    codes: tuple[str, ...]
    moved_gaps_mm: float
    true_bias_mm: float
    left_bias_mm: float  # after what proof says to do: its correction, or a camera that is set up anew
    true_spread_mm: float
    told_bias_mm: float
    told_spread_mm: float  # 0: no cap was measured
    paper_scale: float | None
    in_band: float | None
    true_in_band: float

    @property
    def is_alarm(self) -> bool:
        """Tell whether proof found anything amiss, or gives no certificate: it found the gauge nowhere."""
        return bool(self.codes) or not self.proved.stations


def choose_fault(rng: np.random.Generator) -> Fault:
    """Draw one fault or none."""
    kind = str(rng.choice(FAULTS))
    sign = float(rng.choice((-1, 1)))
    amounts = {
        "lens": 1 + 0.005 * sign,
        "paper": float(rng.uniform(0.97, 1.03)),
        "height": 1 + 0.05 * sign,
        "diameter": 1 + 0.05 * sign,
        "knock": float(rng.uniform(1, 5)),
        "survey": float(rng.uniform(1.6, 2.6)),
        "focus": float(rng.uniform(1.3, 2.4)),
    }
    return Fault(kind=kind, amount=amounts.get(kind, 0.0), player=int(rng.integers(4)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Installed:
    """What the box goes by: its calibration, and the caps as they are listed."""

    calibration: Calibration
    caps: tuple[Cap, ...]


def prove(street: Street, fault: Fault, number: int) -> ProofOutcome:
    """Prove one installation, and tell what is true of it."""
    stage, rng = street.stage, street.stage.rng(1000 + number)
    solids, listed = _solids(stage, fault), stage.caps[:4]
    calibration, how = _installed(street, fault, rng)
    stations, bares = [], []
    for place, share in enumerate(PLACES):
        station, bare = _station(street, calibration, how, _Shifted(place, share, fault), (solids, listed), rng)
        bares.append(bare)
        stations += [station] if station is not None else []
    paint = check_paint(calibration, bares)
    certificate = certify(stations, paint, listed)
    offered = certificate.correction
    ways = [Installed(calibration=calibration, caps=listed)]
    if offered.is_needed:
        ways.append(Installed(calibration=offered.calibration(calibration), caps=offered.caps(listed)))
    lying = [beside_a_line(stage, listed[i % 4].diameter_mm / 2, rng) for i in range(GAPS)]
    true, *corrected = _true_errors(street, how, solids, lying, ways)
    [left] = corrected or [true]
    sound = true
    if fault.kind not in NO_FAULT_OF_CALLS:
        as_sound = Installed(calibration=street.calibration, caps=listed)
        [sound] = _true_errors(street, Shooting(), stage.solids[:4], lying, [as_sound])
    if SET_UP_ANEW.intersection(one.code for one in findings_of(certificate)):
        left = sound
    proved = Proved(stage.seed, number, fault, listed, tuple(stations), paint)
    return _outcome(proved, certificate, sound, true, left)


@dataclass(frozen=True, slots=True)
class _Shifted:
    place: int
    share: tuple[float, float]
    fault: Fault


def _solids(stage: Stage, fault: Fault) -> list[CapSolid]:
    """Turn the caps as they truly are: one of them is not as listed."""
    solids = list(stage.solids[:4])
    if fault.kind in ("height", "diameter"):
        cap = solids[fault.player].cap
        changed = {f"{fault.kind}_mm": getattr(cap, f"{fault.kind}_mm") * fault.amount}
        solids[fault.player] = solid(replace(cap, **changed), stage.rng(64))
    return solids


def _installed(street: Street, fault: Fault, rng: np.random.Generator) -> tuple[Calibration, Shooting]:
    lens = street.stage.lens
    if fault.kind == "lens":
        matrix = lens.camera_matrix * np.array([[fault.amount, 1, 1], [1, fault.amount, 1], [1, 1, 1]])
        return street.calibrated(GOOD, replace(lens, camera_matrix=matrix), rng), Shooting()
    if fault.kind == "survey":
        poor = replace(GOOD, blur_px=fault.amount, shot_noise=0.06, read_noise=0.02, exposure=0.25, jpeg_quality=60)
        return street.calibrated(poor, lens, rng), Shooting()
    if fault.kind == "focus":
        return street.calibration, Shooting(camera=replace(GOOD, blur_px=fault.amount))
    if fault.kind == "knock":
        turn = rng.uniform(0, 2 * np.pi)
        size_px = fault.amount * street.stage.view.px_per_mm(np.array(street.stage.painted.board.size_mm) / 2)
        return street.calibration, Shooting(shot=CameraDrift(shift_px=(size_px * np.cos(turn), size_px * np.sin(turn))))
    return street.calibration, Shooting()


def _station(
    street: Street,
    calibration: Calibration,
    how: Shooting,
    at: _Shifted,
    caps: tuple[Sequence[CapSolid], Sequence[Cap]],
    rng: np.random.Generator,
) -> tuple[Station | None, Picture]:
    stage, gauge = street.stage, street.gauge
    sheet = PrintedSheet(
        ink=street.ink,
        px_per_mm=street.ink.shape[1] / PAPERS["a4"][0],
        middle_mm=(np.array(at.share) + rng.normal(0, 0.02, 2)) * stage.painted.board.size_mm,
        turn_rad=at.place * np.pi / 2 + rng.normal(0, 0.15),
        scale=at.fault.amount if at.fault.kind == "paper" else 1.0,
    )
    upright = sheet.turn / sheet.scale
    lying = []
    seated = seated_at(gauge, caps[1], at.place)
    solids = {one.cap.player: one for one in caps[0]}
    for number, cap in seated.items():
        seat, one = gauge.seats[number], solids[cap.player]
        corner_mm = sheet.to_board(seat.corner_mm[None])[0]
        xy_mm = corner_mm - upright @ (seat.towards + seat.aside) * one.cap.diameter_mm / 2
        lying.append((one, xy_mm + rng.normal(0, SEAT_MM, 2)))
    bare = street.photograph([sheet], [], how, rng)
    laid = street.added_to(bare, [sheet, _bank_card(sheet, rng)], lying, how, rng)
    station = measure_station(bare, laid, calibration, gauge, seated)
    return (station if isinstance(station, Station) else None), bare


def _bank_card(sheet: PrintedSheet, rng: np.random.Generator) -> PrintedSheet:
    """Lay a bank card of any colour, as thick as it is."""
    width, height = (round(side * INK_PX_PER_MM) for side in BANK_CARD_MM)
    return PrintedSheet(
        ink=np.full((height, width, 3), rng.uniform(0.1, 0.9, 3), np.float32),
        px_per_mm=width / BANK_CARD_MM[0],
        middle_mm=sheet.to_board((CARD_MIDDLE_MM + rng.normal(0, CARD_MM, 2))[None])[0],
        turn_rad=sheet.turn_rad + rng.normal(0, CARD_RAD),
        tall_mm=BANK_CARD_TALL_MM,
    )


def _true_errors(
    street: Street, how: Shooting, solids: Sequence[CapSolid], at_mm: Sequence[Array], judged_by: Sequence[Installed]
) -> list[list[TrueError]]:
    """Measure caps beside the board's lines in the same pictures by each of some calibrations and lists of caps."""
    rng = street.stage.rng(65)
    bare = street.photograph([], [], how, rng)
    judges = [Judge(replace(one.calibration, empty_bgr=_empty(street, one, how)), one.caps) for one in judged_by]
    told: list[list[TrueError]] = [[] for _ in judged_by]
    for i, xy_mm in enumerate(at_mm):
        one = solids[i % len(solids)]
        picture = street.added_to(bare, [], [(one, xy_mm)], how, rng)
        true_mm = place_truth(street.stage.truth, one.cap, xy_mm)["gap"]
        seen_px = street.stage.view.mm_to_px(xy_mm[None]) + how.shot.shift_px
        for judge, by, errors in zip(judges, judged_by, told, strict=True):
            near_mm = by.calibration.view.px_to_mm(seen_px)[0]
            call = judge.fit(picture, KnownCap(cap=by.caps[i % len(solids)], near_mm=near_mm))
            off = (np.nan, np.nan) if isinstance(call, NotSeen) else (call.gap_mm - true_mm, call.sigma_mm)
            errors.append(TrueError(one.cap.player, *off))
    return told


def _empty(street: Street, installed: Installed, how: Shooting) -> Picture:
    """Give the picture of the empty board that a game compares with: that of today's light and focus."""
    if how == Shooting():
        return installed.calibration.empty_bgr
    return take(how.camera, street.empty, how.shot, street.stage.rng(66))


def _outcome(
    proved: Proved, found: Certificate, sound: list[TrueError], true: list[TrueError], left: list[TrueError]
) -> ProofOutcome:
    was, off, still = (np.array([one.off_mm for one in part]) for part in (sound, true, left))
    sigma = np.array([one.sigma_mm for one in true])
    of = {name: np.array([one.player == name for one in true]) for name in found.by_player}
    return ProofOutcome(
        proved=proved,
        true=tuple(true),
        codes=tuple(one.code for one in findings_of(found)),
        moved_gaps_mm=max(float(np.nanmedian(np.abs(off - was)[mask])) for mask in of.values()),
        true_bias_mm=float(np.nanmedian(off)),
        left_bias_mm=float(np.nanmedian(still)),
        true_spread_mm=float(np.nanstd(off)),
        told_bias_mm=found.caps.bias_mm,
        told_spread_mm=found.caps.spread_mm,
        paper_scale=found.paper_scale,
        in_band=found.caps.in_band,
        true_in_band=float(np.nanmean(np.abs(off) < 1.96 * sigma)),
    )


@click.command()
@click.option("--streets", default=4, show_default=True, help="How many stages.")
@click.option("--each", default=5, show_default=True, help="Installations on each.")
@click.option("--seed", default=5000, show_default=True)
@click.option(
    "--results",
    type=click.Path(path_type=Path),
    help="Add each outcome to this file, a line each, as it ends; those that stand there are not proved again.",
)
def main(streets: int, each: int, seed: int, results: Path | None) -> None:
    """Prove installations and sum up what was caught."""
    cv2.setNumThreads(1)
    outcomes = list(outcomes_in(results)) if results and results.exists() else []
    for number in range(seed, seed + streets):
        known = {one.proved.number for one in outcomes if one.proved.seed == number}
        for outcome in proved_on(number, set(range(each)) - known):
            outcomes.append(outcome)
            if results:
                with results.open("a") as file:
                    file.write(json.dumps(asdict(outcome)) + "\n")
    for line in summed_up(outcomes):
        click.echo(line)


def proved_on(seed: int, numbers: Collection[int]) -> Iterator[ProofOutcome]:
    """Prove these installations of a street; none of one that cannot be calibrated, which is said."""
    if not numbers:
        return
    try:
        street = Street(four_caps(seed))
    except click.ClickException as refused:
        click.echo(f"not proved: {refused.message}", err=True)
        return
    rng = street.stage.rng(67)
    for number, fault in enumerate(choose_fault(rng) for _ in range(max(numbers) + 1)):
        if number in numbers:
            yield prove(street, fault, number)


def outcomes_in(results: Path) -> Iterator[ProofOutcome]:
    """Read outcomes that an earlier run has written."""
    return (msgspec.convert(json.loads(line), ProofOutcome) for line in results.read_text().splitlines())


def summed_up(outcomes: Sequence[ProofOutcome]) -> list[str]:
    """Say in words what was caught, and how far the certificates are from the truth."""
    grave = [one for one in outcomes if one.proved.fault.kind != "none" and one.moved_gaps_mm >= MATTERS_MM]
    sound = [one for one in outcomes if one.proved.fault.kind == "none"]
    ratio = [one.told_spread_mm / one.true_spread_mm for one in outcomes if one.told_spread_mm]
    left = [abs(one.left_bias_mm) for one in outcomes]
    return [
        f"{len(outcomes)} installations, {len(sound)} of them without a fault",
        f"{len(grave)} faults move gaps by {MATTERS_MM} mm, {sum(one.is_alarm for one in grave)} of them caught",
        f"{sum(one.is_alarm for one in sound)} false alarms",
        f"{sum(not one.proved.stations for one in outcomes)} get no certificate: the gauge is found nowhere",
        f"bias left after correction {np.median(left):.2f} mm in the median",
        f"spread told over true {np.median(ratio):.2f} in the median",
        f"{np.mean(np.abs(np.array(ratio) - 1) < SPREAD_WITHIN):.0%} of the spreads told are within a fifth of that",
    ]


if __name__ == "__main__":
    main()
