"""How many certain calls are wrong: caps laid one by one on simulated streets, measured as play measures them.

`python -m linesies.benchmarks.certain_calls --streets 20 --each 200 [--world varied] [-o FOLDER]`. Each street has its
own board, ground, light, lens and camera, from a good one to a cheap phone; in the varied world litter, moving shade
and caps that are not quite as listed too. Half of the caps lie within 4 mm of paint, others anywhere, beside the other
players' caps as far as those are out of the way. With a folder each call is kept there as a case with its truth, for
`linesies rejudge`.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from linesies.benchmarks.case_archives import MEGABYTES, SETTLED_S, settled_by
from linesies.benchmarks.proof_streets import SIZE_PX, PicturePart, Shooting, Street, with_parts
from linesies.device.cases.case import case_json, name_of, read_case
from linesies.device.cases.case_store import CaseStore
from linesies.device.cases.filing import Filing
from linesies.simulator.street.camera import CameraDrift, choose_camera
from linesies.simulator.street.stage import PLAIN, VARIED, Wishes
from linesies.simulator.street.stills import beside_a_line
from linesies.simulator.street.truth import place_truth
from linesies.vision import Call, Cap, KnownCap, NotSeen, Shot
from linesies.vision.picture.small_picture import shrink_of
from linesies.vision.shots.measurer import Measurer, usual_off_mm
from linesies.vision.shots.small_view import SmallView

Array = NDArray[np.float64]

PLACES_TRIED = 1000  # for one cap: where one in a hundred is in the picture, all but one cap in 20,000 find theirs
THROWS = 20  # caps between two lights of the same street
EVERY_S = 10.0  # a cap comes to rest
LIGHT, WHITE = 0.06, 0.02  # logarithms: how far exposure and white balance stray from one to the next


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tried:
    """One cap that was laid down: what is true of it, and the call, None where it was not seen."""

    seed: int
    number: int
    kind: str
    truth: dict[str, Any]
    call: Call | None

    @property
    def is_certain(self) -> bool:
        """Tell whether it is called with certainty."""
        return self.call is not None and self.call.is_certain

    @property
    def is_wrong(self) -> bool:
        """Tell whether it is called with certainty to lie where it does not."""
        return self.call is not None and self.is_certain and self.call.location not in right_of(self.truth)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LaidCap:
    """A cap that lies there as it is listed, about where, and what of a picture it changes."""

    listed: Cap
    near_mm: Array
    part: PicturePart


def right_of(truth: dict[str, Any]) -> set[str]:
    """Name the locations that count as right."""
    return {truth["location"], *truth.get("accept", ())}


class TriedStreet:
    """Remembers a street and what measures on it, and where cases are kept, None: nowhere."""

    def __init__(self, seed: int, store: CaseStore | None, world: str = PLAIN) -> None:
        camera = choose_camera(np.random.default_rng([seed, 70]))
        wishes = Wishes(seed=seed, size_px=SIZE_PX, play="nothing", world=world, is_for_stills=True)
        self._street = Street(wishes, camera)
        self._camera = camera
        self._measurer = Measurer(
            SmallView(calibration=self._street.calibration, caps=self._street.caps, shrink=shrink_of(SIZE_PX))
        )
        self._store = store

    def tried(self, count: int) -> Iterator[Tried]:
        """Lay so many caps down, one after the other."""
        stage = self._street.stage
        rng = stage.rng(71)
        lying: list[LaidCap] = []
        for number in range(count):
            if number % THROWS == 0:
                how = self._lit(rng)
                bare = self._street.photograph([], [], how, rng)
                lying = []
            one = stage.solids[number % len(stage.solids)]
            listed = self._street.caps[number % len(stage.solids)]
            xy_mm = self._place(one.cap.diameter_mm / 2, rng)
            off_mm = usual_off_mm(self._measurer.view, xy_mm)
            near_mm = xy_mm + rng.normal(0, off_mm, 2)
            part = self._street.part_with([], [(one, xy_mm)], how, rng)
            others = [other for other in lying if other.listed != listed and not other.part.meets(part)]
            lying = [*others, LaidCap(listed=listed, near_mm=near_mm, part=part)]
            picture = with_parts(bare, [cap.part for cap in lying])
            beside = tuple((other.listed, other.near_mm) for other in others)
            known = KnownCap(cap=listed, near_mm=near_mm, beside=beside, off_mm=off_mm)
            self._measurer.begin(number * EVERY_S)
            found = self._measurer.measured(picture, known)
            call = None if isinstance(found, NotSeen) else found
            truth = place_truth(stage.truth, one.cap, xy_mm)
            tried = Tried(seed=stage.seed, number=number, kind=str(one.cap.kind), truth=truth, call=call)
            self._keep(tried)
            yield tried

    def _lit(self, rng: np.random.Generator) -> Shooting:
        red, blue = np.exp(rng.normal(0, WHITE, 2))
        exposure = float(np.exp(rng.normal(0, LIGHT)))
        drift = CameraDrift(balance_rgb=(float(red), 1.0, float(blue)), exposure=exposure)
        return Shooting(camera=self._camera, shot=drift)

    def _place(self, radius_mm: float, rng: np.random.Generator) -> Array:
        """Choose where a cap lies, whole in the picture; raises ClickException where hardly any place is."""
        stage = self._street.stage
        for _ in range(PLACES_TRIED):
            is_close = rng.random() < 0.5
            anywhere = rng.uniform(-0.05, 1.05, 2) * stage.painted.board.size_mm
            xy_mm = beside_a_line(stage, radius_mm, rng) if is_close else anywhere
            if all(stage.view.is_in_picture(xy_mm + side * 2 * radius_mm) for side in (-1, 1)):
                return np.asarray(xy_mm, float)
        raise click.ClickException(f"street {stage.seed}: its camera sees next to nothing of the board")

    def _keep(self, tried: Tried) -> None:
        call = tried.call
        if self._store is None or call is None:
            return
        street = self._street
        filing = Filing(store=self._store, caps=street.caps, settled_s=SETTLED_S)
        shot = Shot(player=str(call.player), hits=(), calls=(call,), t_start_s=0.0, t_end_s=1.0)
        row = tried.seed * 10_000 + tried.number
        for name in filing.file(row, shot, street.calibration, None):
            path = self._store.folder / name
            case = read_case(path.read_bytes(), name)
            settled = msgspec.structs.replace(case, settled=settled_by(tried.truth, call.location))
            path.unlink()
            (self._store.folder / name_of(settled)).write_bytes(case_json(settled))


def told_of(tried: Tried) -> str:
    """Say what is wrong with a call."""
    call, truth = tried.call, tried.truth
    assert call is not None
    return (
        f"street {tried.seed}, cap {tried.number}, {tried.kind}: called {call.location} {call.gap_mm:+.2f} mm, sigma "
        f"{call.sigma_mm:.2f}; truly {truth['location']} {truth['gap']:+.2f} mm"
    )


@click.command(help=__doc__.split("\n\n")[0])
@click.option("--streets", default=10, show_default=True)
@click.option("--each", default=200, show_default=True, help="Caps on each.")
@click.option("--seed", default=7000, show_default=True)
@click.option("--world", default=PLAIN, show_default=True, type=click.Choice([PLAIN, VARIED]))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Keep all calls as cases in this folder.")
def main(streets: int, each: int, seed: int, world: str, output: Path | None) -> None:
    """Try, and tell which certain calls are wrong."""
    cv2.setNumThreads(1)
    store = None if output is None else CaseStore(output, megabytes=MEGABYTES)
    told: Counter[str] = Counter()
    for number in range(seed, seed + streets):
        for tried in TriedStreet(number, store, world).tried(each):
            told.update({"laid": 1, "called": tried.call is not None, "certain": tried.is_certain})
            if tried.is_wrong:
                told["wrong"] += 1
                click.echo(told_of(tried))
        click.echo(f"streets {seed} to {number}: {dict(told)}")


if __name__ == "__main__":
    main()
