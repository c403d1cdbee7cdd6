"""Set how far off a fitted place may be, on scenes of known truth, each world left out in turn.

    python -m linesies.training.caps.exam WORLD... --table rows.json
    python -m linesies.training.caps.sigma rows.json...

First comes what each world would have seen whose errors were not looked at: how many truths lie in the band of 95 %,
and how often a gap would be called certain and wrong. Then the figures for `vision/caps/uncertainty.py`, set on all: of
fits alone. Then likewise those for `vision/caps/corroborating.py`, of fits beside the witness.
"""

import argparse
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linesies.training.caps.exam import COUNTED_MM, HONEST_95
from linesies.vision.caps.cap import Kind
from linesies.vision.caps.certainty import CERTAINTY
from linesies.vision.caps.corroborating import KIND_DOUBT, WITNESS_DOUBT, WitnessDoubt, weighed
from linesies.vision.caps.placing import Placing
from linesies.vision.caps.uncertainty import FIT_DOUBT, SHAPE_DOUBT

Array = NDArray[np.float64]

KINDS: tuple[Kind, ...] = ("crown", "crown_upturned", "lid", "lid_open", "ring", "glide")
ALIKE = (0, 0, 1, 1, 2, 3)  # of the few calls of each world: both crowns share a figure, and both lids
USUAL = np.log([0.15, 5.0, 0.006, 0.006, 0.006, 0.006])  # pixels, scatter, shapes
LOOSE = np.array([0.25, 0.5, 0.5, 0.5, 0.5, 0.5])  # how far from these, as logarithms, a figure is expected
BAND = 0.95
TAIL = 8  # degrees of freedom of the errors' distribution: large ones are more frequent than a bell has them
CLOSE_A_MM = 0.0625  # of calls lie in each millimetre beside a line, where half of all lie within 4 mm of it


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CallErrors:
    """Errors in mm (N,), what is known of each, and its world."""

    error: Array
    beside: Array  # sigma of all else: paint and lens
    mm_per_px: Array
    diameter: Array
    scatter: Array
    doubt: Array  # by misfit and neighbours, as a factor
    kind: NDArray[np.intp]
    world: NDArray[np.str_]

    def of(self, chosen: NDArray[np.bool_]) -> "CallErrors":
        """Take some of them."""
        return CallErrors(**{name: getattr(self, name)[chosen] for name in self.__slots__})

    def sigma(self, figures: Array) -> Array:
        """Give each call's sigma in mm (N,) by the logarithms of pixels, scatter and shapes."""
        least, scatter, *shapes = np.exp(figures)
        shape = np.array(shapes)[np.array(ALIKE)[self.kind]] * self.diameter
        fit = np.sqrt((least * self.mm_per_px) ** 2 + shape**2 + (scatter * self.scatter) ** 2)
        return np.asarray(np.hypot(fit * self.doubt, self.beside), float)

    def within(self, figures: Array) -> float:
        """Tell the share of truths in the band of 95 %."""
        return float(np.mean(np.abs(self.error) < HONEST_95 * self.sigma(figures)))

    def wrong(self, figures: Array) -> float:
        """Tell how many in 1,000 calls would be certain of the wrong side, wherever else these caps had lain."""
        beyond = np.maximum(np.abs(self.error) - CERTAINTY.sigmas * self.sigma(figures), 0)
        return float(1000 * CLOSE_A_MM * beyond.mean())


def counted(tables: list[Path]) -> list[dict[str, Any]]:
    """Read the rows of exams whose gaps count."""
    rows: list[dict[str, Any]] = [
        {**row, "world": told["world"]}
        for table in tables
        for told in json.loads(table.read_text())
        for row in told["rows"]
    ]
    return [row for row in rows if "error" in row and COUNTED_MM[0] < row["gap"] < COUNTED_MM[1]]


def read(rows: list[dict[str, Any]]) -> CallErrors:
    """Lay out what is known of fits, by themselves."""
    column = {
        key: np.array([row[key] for row in rows], float) for key in ("alone_error", "diameter", "scatter", "misfit")
    }
    return CallErrors(
        error=column["alone_error"],
        beside=np.array([np.hypot(row["edge_sigma"], row["lens_sigma"]) for row in rows]),
        mm_per_px=1 / np.array([row["scale"] for row in rows]),
        diameter=column["diameter"],
        scatter=column["scatter"],
        doubt=FIT_DOUBT.of_misfit(column["misfit"]) * [FIT_DOUBT.neighbour if row["crowd"] else 1.0 for row in rows],
        kind=np.array([KINDS.index(row["kind"]) for row in rows]),
        world=np.array([row["world"] for row in rows]),
    )


def fitted(calls: CallErrors) -> Array:
    """Find the likeliest figures (logarithms), then widen all alike until the band holds what it says."""
    from scipy.optimize import minimize  # noqa: PLC0415 - heavy

    def surprise(figures: Array) -> float:
        return _surprise(calls.error, calls.sigma(figures)) + float((((figures - USUAL) / LOOSE) ** 2).sum() / 2)

    likeliest = np.asarray(minimize(surprise, USUAL, method="L-BFGS-B").x, float)
    wider = [likeliest + step for step in np.arange(0, 0.7, 0.02)]
    return next((one for one in wider if calls.within(one) >= BAND), wider[-1])


def _surprise(error: Array, sigma: Array) -> float:
    """Weigh how surprising errors (N,) of such sigmas (N,) are: their negative log likelihood, by Student's t."""
    return float((np.log(sigma) + (TAIL + 1) / 2 * np.log1p((error / sigma) ** 2 / TAIL)).sum())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pairs:
    """Fits beside the witness: the fit's own error of the gap (N,), what else is in doubt, and both placings."""

    error: Array
    beside: Array
    along: Array
    fits: tuple[Placing, ...]
    witnesses: tuple[Placing, ...]
    kind: NDArray[np.str_]
    world: NDArray[np.str_]

    def of(self, chosen: NDArray[np.bool_]) -> "Pairs":
        """Take some of them."""
        few = np.flatnonzero(chosen)
        return Pairs(
            error=self.error[few],
            beside=self.beside[few],
            along=self.along[few],
            fits=tuple(self.fits[i] for i in few),
            witnesses=tuple(self.witnesses[i] for i in few),
            kind=self.kind[few],
            world=self.world[few],
        )

    def weighed(self, doubt: WitnessDoubt, times: float = 1.0) -> tuple[Array, Array]:
        """Give what errors (N,) and sigmas (N,) come of weighing both so, places being off by so many times as much."""
        both = [weighed(one, other, doubt) for one, other in zip(self.fits, self.witnesses, strict=True)]
        nearer = np.array([way @ one.xy_mm for way, one in zip(self.along, both, strict=True)])
        sigma = np.array([one.sigma_mm(way) for way, one in zip(self.along, both, strict=True)])
        return self.error - nearer, np.hypot(times * sigma, self.beside)

    def within(self, doubt: WitnessDoubt) -> float:
        """Tell the share of truths in the band of 95 %."""
        error, sigma = self.weighed(doubt)
        return float(np.mean(np.abs(error) < HONEST_95 * sigma))


def pairs_of(rows: list[dict[str, Any]]) -> Pairs:
    """Lay out fits and witnesses: of caps whose middles lie beside the paint, as all lie whose gaps count."""
    return Pairs(
        error=np.array([row["alone_error"] for row in rows]),
        beside=np.array([np.hypot(row["edge_sigma"], row["lens_sigma"]) for row in rows]),
        along=np.array([row["along"] for row in rows]),
        fits=tuple(Placing(xy_mm=np.zeros(2), covariance_mm2=np.array(row["fit_mm2"])) for row in rows),
        witnesses=tuple(
            Placing(xy_mm=np.array(row["apart_mm"]), covariance_mm2=np.array(row["witness_mm2"])) for row in rows
        ),
        kind=np.array([row["kind"] for row in rows]),
        world=np.array([row["world"] for row in rows]),
    )


def witness_doubt(pairs: Pairs) -> WitnessDoubt:
    """Find what surprises least, then take more to be common until the band holds what it says."""

    def surprise(doubt: WitnessDoubt) -> float:
        return _surprise(*pairs.weighed(doubt))

    tried = [
        WitnessDoubt(times=t, together=s, common=0.0) for t in np.arange(1, 2.6, 0.1) for s in np.arange(1, 1.55, 0.05)
    ]
    likeliest = min(tried, key=surprise)
    wider = [replace(likeliest, common=share) for share in np.arange(0, 1.5, 0.05)]
    return next((one for one in wider if pairs.within(one) >= BAND), wider[-1])


def tell_witness(pairs: Pairs) -> None:
    """Print how each world would fare whose errors were not looked at, then what is set on all."""
    for world in np.unique(pairs.world):
        is_left_out = pairs.world == world
        doubt = witness_doubt(pairs.of(~is_left_out))
        error, sigma = pairs.of(is_left_out).weighed(doubt)
        beyond = np.maximum(np.abs(error) - CERTAINTY.sigmas_witnessed * sigma, 0)
        print(  # noqa: T201
            f"{world:12} left out   {len(error):4d} calls beside the witness, in the band "
            f"{pairs.of(is_left_out).within(doubt):.3f}, sigma {np.median(sigma):.2f} mm, "
            f"wrong in 1,000 {1000 * CLOSE_A_MM * beyond.mean():.2f}"
        )
    doubt = witness_doubt(pairs)
    print(f"on all: times {doubt.times:.2f}, together {doubt.together:.2f}, common {doubt.common:.2f}")  # noqa: T201


def times_of_kind(pairs: Pairs) -> float:
    """Find by how many times as much as both say caps of one kind are likeliest off; worlds count by their roots."""
    from scipy.optimize import minimize_scalar  # noqa: PLC0415 - heavy

    def surprise(times: float) -> float:
        worlds = [pairs.of(pairs.world == world) for world in np.unique(pairs.world)]
        return sum(_surprise(*one.weighed(WITNESS_DOUBT, times)) / np.sqrt(len(one.error)) for one in worlds)

    likeliest = float(minimize_scalar(surprise, bounds=(0.2, 5), method="bounded").x)
    return likeliest * float(np.sqrt(TAIL / (TAIL - 2)))  # what such a distribution's standard error is


def tell_kinds(pairs: Pairs) -> None:
    """Print what is likeliest of each kind, and the least and the most of that as each world is left out."""
    for kind in KINDS:
        own = pairs.of(pairs.kind == kind)
        left_out = [times_of_kind(own.of(own.world != world)) for world in np.unique(own.world)]
        print(  # noqa: T201
            f"{kind:15} {len(own.error):4d} calls, off by {times_of_kind(own):.2f} times as much as both say, "
            f"with a world left out by {min(left_out):.2f} to {max(left_out):.2f}; shipped {KIND_DOUBT.of(kind):.2f}"
        )


def main() -> None:
    """Leave each world out, then set the figures on all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", type=Path, nargs="+")
    rows = counted(parser.parse_args().tables)
    calls = read(rows)
    shipped = np.log(
        [
            FIT_DOUBT.least_px,
            FIT_DOUBT.scatter,
            *(getattr(SHAPE_DOUBT, kind) for kind in ("crown", "lid", "ring", "glide")),
        ]
    )
    for world in np.unique(calls.world):
        is_left_out = calls.world == world
        asked = calls.of(is_left_out)
        for name, figures in (("left out", fitted(calls.of(~is_left_out))), ("as shipped", shipped)):
            print(  # noqa: T201
                f"{world:12} {name:10} {len(asked.error):4d} calls, in the band {asked.within(figures):.3f}, "
                f"sigma {np.median(asked.sigma(figures)):.2f} mm, wrong in 1,000 {asked.wrong(figures):.2f}"
            )
    least, scatter, *shapes = np.exp(fitted(calls))
    told = ", ".join(f"{kind} {shapes[ALIKE[i]]:.4f}" for i, kind in enumerate(KINDS))
    print(f"on all: least_px {least:.3f}, scatter {scatter:.2f}, {told}")  # noqa: T201
    pairs = pairs_of(rows)
    tell_witness(pairs)
    tell_kinds(pairs)


if __name__ == "__main__":
    main()
