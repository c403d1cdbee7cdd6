"""How the judge does on scenes of known truth, each world by itself, and where each cap that it fails on was lost.

    python -m linesies.training.caps.exam FOLDER... [--hard] [--table rows.json] [--lost]

A world is a folder of scenes, or one scene. Boards are surveyed once and remembered under the system's temporary
folder; the survey's own error is told apart from the fit's by the true camera.
"""

import argparse
import hashlib
import json
import pickle
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.benchmarks.lines import given_of, match, picture_of, true_view
from linesies.calibration import Calibration, View, locate
from linesies.vision.caps.candidates import Candidates
from linesies.vision.caps.cap import Listed
from linesies.vision.caps.certainty import CERTAINTY
from linesies.vision.caps.corroborating import leaves_side_open
from linesies.vision.caps.find import Peaks
from linesies.vision.caps.gap_doubt import lens_sigma_mm
from linesies.vision.caps.judge import Judge
from linesies.vision.caps.measuring import call_of
from linesies.vision.caps.placing import Placing, direction
from linesies.vision.caps.reading import CapReading, Readings
from linesies.vision.caps.uncertainty import fitted_place
from linesies.vision.steps import Blackboard
from linesies.vision.values import Call, Judgement

Array = NDArray[np.float64]

COUNTED_MM = (-5.0, 30.0)
HONEST_95 = 1.96
NEAR_MM = 20.0
ASKED = ("player", "kind", "gap", "x", "y", "diameter")


@dataclass
class ExamWorld:
    """What was asked and answered in one world."""

    name: str
    rows: list[dict[str, Any]] = field(default_factory=list)
    false: list[dict[str, Any]] = field(default_factory=list)
    pictures: int = 0
    judge_s: float = 0.0


def calibrated(folder: Path) -> Calibration:
    """Survey a scene's board as people do, or remember having done so."""
    given = given_of(folder)
    code = b"".join(p.read_bytes() for p in sorted(Path(__file__).parents[2].glob("calibration/*.py")))
    key = hashlib.sha1(code + str(folder.resolve()).encode()).hexdigest()  # noqa: S324 - names a file
    kept = Path(tempfile.gettempdir()) / "linesies-surveys" / f"{key}.pickle"
    if kept.exists():
        found = pickle.loads(kept.read_bytes())  # noqa: S301 - written by this program
    else:
        found = given.calibrated()
        kept.parent.mkdir(exist_ok=True)
        kept.write_bytes(pickle.dumps(found))
    if not isinstance(found, Calibration):
        raise SystemExit(f"{folder}: {found}")
    return found


def examine(world: ExamWorld, folder: Path, *, is_hard: bool) -> None:
    """Judge the plain pictures of a scene, or the hard ones."""
    truth = json.loads((folder / "truth.json").read_text())
    calibration = calibrated(folder)
    judge = Judge(calibration, given_of(folder).caps)
    view = true_view(truth)
    for frame in (one for one in truth["frames"] if bool(one.get("hard")) == is_hard):
        picture = picture_of(folder / frame["file"])
        began = time.process_time()
        seen = judge.look(picture)
        world.judge_s += time.process_time() - began
        world.pictures += 1
        _compare(world, seen, view, frame, f"{folder.name}/{frame['file'].removesuffix('.jpg')}")


def _compare(world: ExamWorld, seen: Blackboard, view: View, frame: dict[str, Any], where: str) -> None:
    """Note what was told of each cap that can be seen in a picture, and what was told besides."""
    if not seen[Judgement].is_registered:
        lost = [{"where": where, **{k: cap.get(k) for k in ASKED}, "lost": "no ground"} for cap in frame["caps"]]
        world.rows += lost
        return
    calibration, readings = seen[Calibration], seen[Readings].readings
    calls = [call_of(one, calibration, seen[Listed]) for one in readings]
    matched = match(tuple(calls), frame["caps"])
    reading_of = {id(call): reading for call, reading in zip(calls, readings, strict=True)}
    shift_px = np.array(frame.get("shift_px", (0.0, 0.0)))
    for cap, call in zip(frame["caps"], matched, strict=True):
        if cap["player"] in frame.get("occluded", ()):
            continue
        row = {"where": where, **{k: cap.get(k) for k in ASKED}}
        row["scale"] = view.px_per_mm(np.array([cap["x"], cap["y"]]))
        if _is_blind(seen, cap):
            row["not_seen"] = True
        if call is None:
            row["lost"] = _lost(seen, np.array([cap["x"], cap["y"]]), cap["diameter"])
        else:
            row |= told(calibration, view, cap, reading_of[id(call)], call, shift_px)
        world.rows.append(row)
    found = {id(call) for call in matched}
    others = [(reading, call) for reading, call in zip(readings, calls, strict=True) if id(call) not in found]
    world.false += [{"where": where, **said(calibration, *other)} for other in others]


def _is_blind(seen: Blackboard, cap: dict[str, Any]) -> bool:
    """Tell whether a cap lies where the judge says that nothing can be seen."""
    outlines = (np.array(outline, np.float32) for outline in seen[Judgement].not_seen_mm)
    return any(cv2.pointPolygonTest(one, (cap["x"], cap["y"]), measureDist=False) >= 0 for one in outlines)


def _lost(seen: Blackboard, xy_mm: Array, diameter_mm: float) -> str:
    """Tell at which question a cap was lost."""
    near = 0.5 * diameter_mm
    peaks_px = np.array([peak.xy_px for peak in seen[Peaks].peaks], float).reshape(-1, 2)
    peaks_mm, candidates = seen[Calibration].view.px_to_mm(peaks_px), seen[Candidates].candidates
    if not len(peaks_mm) or np.hypot(*(peaks_mm - xy_mm).T).min() > near + 8:
        return "no peak"
    close = [one for one in candidates if np.hypot(*(one.xy_mm - xy_mm)) < near + 4]
    if not close:
        return "no candidate"
    best = max(close, key=lambda one: one.cap_share)
    if best.cap_share < 0.5:
        return f"no cap ({best.cap_share:.2f})"
    return f"nobody's, or misfit ({best.cap_share:.2f}, nobody {best.owner_shares[-1]:.2f})"


def said(calibration: Calibration, reading: CapReading, call: Call) -> dict[str, Any]:
    """Write down a call and what stands behind it."""
    fit = reading.fit
    alone, xy_mm = fitted_place(reading, calibration), np.array(call.xy_mm)
    witness = reading.testimony or alone
    place = locate(calibration, xy_mm, reading.cap.diameter_mm)
    towards = place.edge_mm - xy_mm
    return {
        "told": call.player,
        "as": reading.cap.player,
        "cap_share": reading.cap_share,
        "owner_share": float(reading.candidate.owner_shares[:-1].max()),
        "nobody": float(reading.candidate.owner_shares[-1]),
        "alone_share": reading.candidate.alone_share,
        "named_share": reading.candidate.named_share,
        "misfit": fit.misfit,
        "crowd": reading.crowd,
        "noise": fit.patch.noise,
        "strayed_mm": reading.strayed_mm,
        "scatter": Placing(xy_mm=fit.xy_mm, covariance_mm2=fit.scatter_mm2).sigma_mm(towards),
        "said": call.gap_mm,
        "sigma": call.sigma_mm,
        "alone": locate(calibration, alone.xy_mm, reading.cap.diameter_mm).gap_mm,
        "along": direction(towards).tolist(),
        "fit_mm2": alone.covariance_mm2.tolist(),
        "witness_mm2": witness.covariance_mm2.tolist(),
        "apart_mm": (witness.xy_mm - alone.xy_mm).tolist(),
        "lens_sigma": lens_sigma_mm(calibration, reading.cap, xy_mm, towards),
        "edge_sigma": place.edge_sigma_mm,
        "certain": call.is_certain,
        "doubts": doubts(reading, call, is_vague=leaves_side_open(alone, witness, place.gap_mm, towards, reading.cap)),
        "at": [float(v) for v in fit.xy_mm],
        "x_of": float(call.xy_mm[0]),
        "y_of": float(call.xy_mm[1]),
    }


def told(
    calibration: Calibration, view: View, cap: dict[str, Any], reading: CapReading, call: Call, shift_px: Array
) -> dict[str, Any]:
    """Write down a call about a true cap: its error, the survey's part of it, and the fit's by itself."""
    true_px = view.mm_to_px(np.array([[cap["x"], cap["y"]]]))[0]
    seen_mm = calibration.view.px_to_mm(true_px[None])[0]
    diameter = cap.get("real_diameter", cap["diameter"])
    surveyed = locate(calibration, seen_mm, diameter).gap_mm
    fit_px = reading.fit.patch.view.mm_to_px(reading.fit.xy_mm[None])[0]
    off_px = fit_px - true_px - shift_px
    about = said(calibration, reading, call)
    return {
        **about,
        "error": call.gap_mm - cap["gap"],
        "alone_error": about["alone"] - cap["gap"],
        "survey_error": surveyed - cap["gap"],
        "fit_error": about["alone"] - surveyed,
        "off_px": [float(v) for v in off_px],
    }


def doubts(reading: CapReading, call: Call, *, is_vague: bool) -> list[str]:
    """Name the questions that keep a call from being certain."""
    asked = {
        "cap": reading.cap_share > CERTAINTY.cap,
        "owner": reading.is_named and reading.is_told_apart,
        "misfit": reading.fit.misfit < CERTAINTY.misfit,
        "vague": not is_vague,
        "strayed": reading.strayed_mm <= CERTAINTY.strayed_mm,
        "apart": reading.apart_mm <= CERTAINTY.apart_mm,
        "gap": abs(call.gap_mm) > reading.sigmas * call.sigma_mm,
    }
    return [name for name, is_safe in asked.items() if not is_safe]


def tell(world: ExamWorld) -> None:
    """Print what one world comes to."""
    rows = world.rows
    found = [r for r in rows if "told" in r]
    counted = [r for r in found if COUNTED_MM[0] < r["gap"] < COUNTED_MM[1]]
    px = np.array([abs(r["error"]) * r["scale"] for r in counted] or [np.nan])
    z = np.array([abs(r["error"]) / r["sigma"] for r in counted] or [np.nan])
    certain = [r for r in found if r["certain"]]
    wrong = [r for r in certain if (r["said"] > 0) != (r["gap"] > 0) or r["told"] != r["player"]]
    wrong += [r for r in world.false if r["certain"]]
    named_else = sum(r["told"] not in (None, r["player"]) for r in found)
    n = max(len(rows), 1)
    print(  # noqa: T201
        f"{world.name:12} {len(rows):4d} caps {world.pictures:3d} pic | found {len(found) / n:.3f} "
        f"not seen {sum('lost' in r and 'not_seen' in r for r in rows)} "
        f"false {len(world.false) / max(world.pictures, 1):.2f} "
        f"named {sum(r['told'] == r['player'] for r in found) / n:.3f} else's {named_else / n:.3f} | "
        f"px {np.median(px):.2f} p95 {np.percentile(px, 95):.2f} in95 {np.mean(z < HONEST_95):.3f} "
        f"z50 {np.median(z):.2f} | certain {len(certain) / n:.3f} wrong {len(wrong)} | "
        f"{1000 * world.judge_s / max(world.pictures, 1):.0f} ms"
    )
    why = Counter(d for r in found if not r["certain"] for d in r["doubts"])
    alone = Counter(r["doubts"][0] for r in found if len(r["doubts"]) == 1)
    lost = Counter(r["lost"].split(" (")[0] for r in rows if "lost" in r)
    print(f"{'':12} doubts {dict(why)} alone {dict(alone)} lost {dict(lost)}")  # noqa: T201
    for r in wrong:
        print(f"{'':12} WRONG {r['where']} {r.get('player')} -> {r['told']} {r.get('gap')} {r['said']:.2f}")  # noqa: T201


def worlds_in(folders: list[Path]) -> Iterator[tuple[str, list[Path]]]:
    """List the worlds' scenes."""
    for folder in folders:
        if (folder / "truth.json").exists():
            yield folder.name, [folder]
        else:
            yield folder.name, sorted(path.parent for path in folder.glob("*/truth.json"))


def main() -> None:
    """Examine each world by itself."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--hard", action="store_true")
    parser.add_argument("--table", type=Path)
    parser.add_argument("--lost", action="store_true")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    told_all = []
    for name, scenes in worlds_in(given.folders):
        world = ExamWorld(name)
        for scene in scenes:
            examine(world, scene, is_hard=given.hard)
        tell(world)
        told_all.append({"world": name, "rows": world.rows, "false": world.false})
        if given.lost:
            for row in world.rows:
                if "lost" in row:
                    print("   lost", row["where"], row["player"], row["kind"], row["lost"])  # noqa: T201
            for row in world.false:
                print("   false", {k: row[k] for k in ("where", "told", "as", "cap_share", "misfit", "at")})  # noqa: T201
    if given.table:
        given.table.write_text(json.dumps(told_all, default=float))


if __name__ == "__main__":
    main()
