"""Proves simulated installations, each with one fault or none, by a gauge laid on the simulated board.

The gauge is printed to PDF, read back as a printer would ink it, and laid by the program. What proof says is held
against what caps beside the board's own lines are truly off by.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration, Lens, calibrate
from linesies.device.sheets.gauge import gauge_sheet
from linesies.device.sheets.paper import PAPERS
from linesies.simulator.street.camera import Camera, CameraDrift, take
from linesies.simulator.street.canvas import Canvas
from linesies.simulator.street.cast import Pose
from linesies.simulator.street.light import linear
from linesies.simulator.street.set_up import rough_taps
from linesies.simulator.street.sheet import PrintedSheet, lay_sheets
from linesies.simulator.street.solids import CapSolid, solid
from linesies.simulator.street.stage import Stage, Wishes, set_stage
from linesies.simulator.street.stills import beside_a_line
from linesies.simulator.street.truth import place_truth
from linesies.vision import (
    BANK_CARD_MM,
    BANK_CARD_TALL_MM,
    CARD_MIDDLE_MM,
    Cap,
    Certificate,
    Gauge,
    Judge,
    NotSeen,
    PaintCheck,
    Station,
    certify,
    check_paint,
    draw_gauge,
    findings_of,
    measure_station,
    seated_at,
)

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

SIZE_PX = (1920, 1080)
INK_PX_PER_MM = 8.0
PLACES = ((0.22, 0.22), (0.78, 0.24), (0.5, 0.5), (0.24, 0.78), (0.77, 0.76))  # of the board, about which it is laid
SEAT_MM, CARD_MM, CARD_RAD = 0.15, 1.5, 0.03  # how exactly people lay things
GAPS = 24  # caps beside the board's lines, by which the truth is told
MATTERS_MM = 0.3
SPREAD_WITHIN = 0.2
FAULTS = ("none", "none", "none", "lens", "paper", "height", "diameter", "knock", "survey", "focus")
GOOD = Camera(
    blur_px=0.4,
    colour_blur_px=1.0,
    shot_noise=0.008,
    read_noise=0.002,
    denoise_px=0.0,
    halo=0.3,
    halo_px=1.0,
    local_tone=0.0,
    saturation=1.0,
    contrast=0.0,
    warm=1.0,
    exposure=0.9,
    jpeg_quality=93,
)
STILL = CameraDrift()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What is amiss with an installation."""

    kind: str = "none"
    amount: float = 0.0
    player: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ProofOutcome:
    """What proof said of an installation, and what is true of it: of calls on caps beside the board's own lines."""

    seed: int
    fault: Fault
    codes: tuple[str, ...]
    moved_gaps_mm: float
    true_bias_mm: float
    left_bias_mm: float  # after what proof offers as a correction
    true_spread_mm: float
    told_bias_mm: float
    told_spread_mm: float
    paper_scale: float | None
    in_band: float | None
    true_in_band: float
    survey_mm: float
    moved_mm: float
    blur_px: float
    by_player: dict[str, tuple[float, float, float]]  # told bias and spread, and true bias

    @property
    def is_alarm(self) -> bool:
        """Tell whether proof found anything amiss."""
        return bool(self.codes)


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


class Street:
    """Remembers a stage with four caps, its empty picture and the calibration that a sound one gives."""

    def __init__(self, seed: int) -> None:
        wishes = Wishes(seed=seed, size_px=SIZE_PX, play="nothing", players=4)
        self.stage: Stage = set_stage(wishes)
        self.gauge: Gauge = draw_gauge(self.stage.painted.board.line_width_mm)
        self.ink = _ink(self.gauge)
        self.empty = self._drawn(self.stage.albedo, []).picture()
        self.calibration = self.calibrated(GOOD, self.stage.lens, self.stage.rng(60))

    def calibrated(self, camera: Camera, lens: Lens, rng: np.random.Generator) -> Calibration:
        """Calibrate by a picture of the empty board."""
        stage = self.stage
        taps = np.array(rough_taps(stage.painted.board, stage.view, stage.rng(61)))
        found = calibrate(take(camera, self.empty, CameraDrift(), rng), stage.painted.board, lens=lens, corners_px=taps)
        if not isinstance(found, Calibration):
            raise click.ClickException(f"seed {stage.seed}: {found.reason}")
        return found

    def photograph(
        self,
        sheets: Sequence[PrintedSheet],
        lying: Sequence[tuple[CapSolid, Array]],
        how: "Shooting",
        rng: np.random.Generator,
    ) -> Picture:
        """Take a picture of sheets and caps on the board."""
        albedo = self.stage.albedo.copy() if sheets else self.stage.albedo
        if sheets:
            lay_sheets(albedo, self.stage.ground_mm, self.stage.view, sheets)
        return take(how.camera, self._drawn(albedo, lying).picture(), how.shot, rng)

    def _drawn(self, albedo: NDArray[np.float32], lying: Sequence[tuple[CapSolid, Array]]) -> Canvas:
        stage, light = self.stage, self.stage.light
        lit = (albedo * (light.sky_rgb + light.sun_rgb)).astype(np.float32)
        canvas = Canvas(lit, stage.ground_mm, stage.view, light, stage.rng(62))
        for one, xy_mm in lying:
            angle_rad = float(stage.rng(63).uniform(0, 6.3))
            canvas.put(one.cap.player, one, Pose(xy_mm=xy_mm.astype(np.float32), angle_rad=angle_rad))
        return canvas


@dataclass(frozen=True, slots=True, kw_only=True)
class Shooting:
    """With which camera, and how it hangs."""

    camera: Camera = GOOD
    shot: CameraDrift = STILL


def prove(street: Street, fault: Fault, number: int) -> ProofOutcome:
    """Prove one installation, and tell what is true of it."""
    stage, rng = street.stage, street.stage.rng(1000 + number)
    solids = _solids(stage, fault)
    listed = stage.caps[:4]
    calibration, how = _installed(street, fault, rng)
    stations, bares = [], []
    for place, share in enumerate(PLACES):
        station, bare = _station(street, calibration, how, _Shifted(place, share, fault), (solids, listed), rng)
        bares.append(bare)
        stations += [station] if station is not None else []
    paint = check_paint(calibration, bares)
    certificate = certify(stations, paint, listed)
    lying = [beside_a_line(stage, listed[i % 4].diameter_mm / 2, rng) for i in range(GAPS)]
    sound = _true_errors(street, (street.calibration, Shooting()), (stage.solids[:4], listed), lying)
    true = _true_errors(street, (calibration, how), (solids, listed), lying)
    offered = certificate.correction
    left = _true_errors(street, (offered.calibration(calibration), how), (solids, offered.caps(listed)), lying)
    return _outcome(stage.seed, fault, certificate, paint, (sound, true, left))


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
    laid = street.photograph([sheet, _bank_card(sheet, rng)], lying, how, rng)
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


def _ink(gauge: Gauge) -> NDArray[np.float32]:
    import pypdfium2  # noqa: PLC0415 - a tool of ours, which no box has

    page = pypdfium2.PdfDocument(gauge_sheet(gauge, PAPERS["a4"]))[0]
    return linear(page.render(scale=INK_PX_PER_MM * 25.4 / 72).to_numpy()[..., 2::-1])


def _true_errors(
    street: Street,
    with_: tuple[Calibration, Shooting],
    caps: tuple[Sequence[CapSolid], Sequence[Cap]],
    at_mm: list[Array],
) -> list[tuple[str, float, float]]:
    """Measure caps beside the board's lines: whose, how far off the gap is, and its sigma (NaN: not seen)."""
    (calibration, how), (solids, listed) = with_, caps
    rng = street.stage.rng(65)
    judge, told = Judge(replace(calibration, empty_bgr=_empty(street, calibration, how)), tuple(listed)), []
    for start in range(0, len(at_mm), 4):
        lying = [(solids[i % 4], at_mm[i]) for i in range(start, start + 4)]
        picture = street.photograph([], lying, how, rng)
        for i, (one, xy_mm) in enumerate(lying):
            truth = place_truth(street.stage.truth, one.cap, xy_mm)
            near_mm = calibration.view.px_to_mm(street.stage.view.mm_to_px(xy_mm[None]) + how.shot.shift_px)[0]
            call = judge.fit(picture, listed[i], near_mm)
            off = (np.nan, np.nan) if isinstance(call, NotSeen) else (call.gap_mm - truth["gap"], call.sigma_mm)
            told.append((listed[i].player, *off))
    return told


def _empty(street: Street, calibration: Calibration, how: Shooting) -> Picture:
    """Give the picture of the empty board that a game compares with: that of today's light and focus."""
    return (
        take(how.camera, street.empty, how.shot, street.stage.rng(66)) if how != Shooting() else calibration.empty_bgr
    )


def _outcome(
    seed: int,
    fault: Fault,
    found: Certificate,
    paint: PaintCheck | None,
    errors: tuple[list[tuple[str, float, float]], ...],
) -> ProofOutcome:
    sound, true, left = (np.array([one[1] for one in part]) for part in errors)
    sigma = np.array([one[2] for one in errors[1]])
    players = [one[0] for one in errors[1]]
    moved = np.abs(true - sound)
    names = sorted(set(players))
    per_player = {name: np.array([p == name for p in players]) for name in names}
    return ProofOutcome(
        seed=seed,
        fault=fault,
        codes=tuple(one.code for one in findings_of(found)),
        moved_gaps_mm=max(float(np.nanmedian(moved[mask])) for mask in per_player.values()),
        true_bias_mm=float(np.nanmedian(true)),
        left_bias_mm=float(np.nanmedian(left)),
        true_spread_mm=float(np.nanstd(true)),
        told_bias_mm=found.caps.bias_mm,
        told_spread_mm=found.caps.spread_mm,
        paper_scale=found.paper_scale,
        in_band=found.caps.in_band,
        true_in_band=float(np.nanmean(np.abs(true) < 1.96 * sigma)),
        survey_mm=np.nan if paint is None else paint.off_mm,
        moved_mm=np.nan if found.moved_mm is None else found.moved_mm,
        blur_px=found.blur_px,
        by_player={
            name: (one.bias_mm, one.spread_mm, float(np.nanmedian(true[per_player[name]])))
            for name, one in found.by_player.items()
        },
    )


@click.command()
@click.option("--streets", default=4, show_default=True, help="How many stages.")
@click.option("--each", default=5, show_default=True, help="Installations on each.")
@click.option("--seed", default=5000, show_default=True)
@click.option("--results", type=click.Path(path_type=Path), help="Add each outcome to this file, a line each.")
def main(streets: int, each: int, seed: int, results: Path | None) -> None:
    """Prove installations and sum up what was caught."""
    outcomes = []
    for number in range(seed, seed + streets):
        street = Street(number)
        rng = street.stage.rng(67)
        for i in range(each):
            outcome = prove(street, choose_fault(rng), i)
            outcomes.append(outcome)
            if results:
                with results.open("a") as file:
                    file.write(json.dumps(asdict(outcome)) + "\n")
    for line in summed_up(outcomes):
        click.echo(line)


def summed_up(outcomes: Sequence[ProofOutcome]) -> list[str]:
    """Say in words what was caught, and how far the certificates are from the truth."""
    grave = [one for one in outcomes if one.fault.kind != "none" and one.moved_gaps_mm >= MATTERS_MM]
    sound = [one for one in outcomes if one.fault.kind == "none"]
    ratio = [one.told_spread_mm / one.true_spread_mm for one in outcomes]
    left = [abs(one.left_bias_mm) for one in outcomes]
    return [
        f"{len(outcomes)} installations, {len(sound)} of them without a fault",
        f"{len(grave)} faults move gaps by {MATTERS_MM} mm, {sum(one.is_alarm for one in grave)} of them caught",
        f"{sum(one.is_alarm for one in sound)} false alarms",
        f"bias left after correction {np.median(left):.2f} mm in the median",
        f"spread told over true {np.median(ratio):.2f} in the median",
        f"{np.mean(np.abs(np.array(ratio) - 1) < SPREAD_WITHIN):.0%} of the spreads told are within a fifth of that",
    ]


if __name__ == "__main__":
    main()
