"""Samples to learn from: cuts of scenes with known truth, round caps and round whatever else has changed.

    python -m linesies.training.caps.samples OUT.npz SCENE...     (folders with truth.json, or folders of such)

A scene is a folder as `linesies simulate --stills` and the public stills have it. Cuts are
kept larger than the net's, so that it can be shown them shifted.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration, Lens, View, read_board
from linesies.calibration.survey import Survey
from linesies.vision import Cap, read_caps
from linesies.vision.caps.cuts import SEEN_AT_MM, Places, cut, cut_out, shrink, turn_of
from linesies.vision.caps.find import Finder
from linesies.vision.caps.looks import glance
from linesies.vision.caps.owners import cap_facts
from linesies.vision.caps.pictures import BeforeAndNow
from linesies.vision.caps.recognising import come_closer, recognise
from linesies.vision.pieces import at_once

Array = NDArray[np.float64]

KEPT_PX = 52  # of a side: the net's 40 and 12 mm of room for shifts
MOST_PEAKS = 60  # of a picture
NO_CAP, STRANGER = -1, 99
STRANGERS_KEPT = 0.2
BESIDE_MM = 4.0  # along either axis from a cap: how far off its middle it is cut, as it is found, not as it is known
CAP_AT, NOT_AT = 0.35, 0.75  # diameters: nearer than the first it is that cap, farther than the second it is none


class CapSample(NamedTuple):
    """One cut: both pictures (KEPT_PX, KEPT_PX, 3), the cap's offset in it (mm), which listed cap, its size."""

    now: NDArray[np.uint8]
    empty: NDArray[np.uint8]
    offset_mm: Array
    owner: int  # in the scene's list; NO_CAP, or a STRANGER's
    diameter_mm: float
    lean: float
    is_closer: bool  # cut where the judge looks once more, as far off the middle as it does


def samples_of(folder: Path, rng: np.random.Generator) -> Iterator[CapSample]:
    """Cut a scene's samples."""
    truth = json.loads((folder / "truth.json").read_text())
    scene = _scene_in(folder, truth)
    for frame in truth["frames"]:
        picture = cv2.imread(str(folder / frame["file"]))
        hidden = frame.get("occluded", [])
        lying = [told for told in frame["caps"] if told["player"] not in hidden]
        yield from frame_samples(scene, np.asarray(picture, np.uint8), lying, rng)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CapScene:
    """One scene's calibration, its listed caps, and the finder of what has changed."""

    calibration: Calibration
    caps: tuple[Cap, ...]
    finder: Finder


def _scene_in(folder: Path, truth: dict[str, Any]) -> CapScene:
    calibration, caps = _calibrated(folder, truth), read_caps(folder / "caps.json")
    return CapScene(calibration=calibration, caps=caps, finder=Finder(calibration, caps))


def _calibrated(folder: Path, truth: dict[str, Any]) -> Calibration:
    """Take the camera from the truth: what is learned is how caps look, not how boards are surveyed."""
    camera, board = truth["camera"], read_board(folder / "board.json")
    lens = Lens(
        size_px=tuple(camera["size"]),
        camera_matrix=np.array(camera["camera_matrix"]),
        distortion=np.array(camera["distortion"]),
    )
    view = View(lens=lens, rotation=np.array(camera["R"]), translation_mm=np.array(camera["t"]).ravel())
    return Calibration(
        board=board,
        view=view,
        survey=Survey(lines=(), misfit_px=0.0),
        regions=(),
        reprojection_px=0.0,
        empty_bgr=np.asarray(cv2.imread(str(folder / "empty.jpg")), np.uint8),
    )


def frame_samples(
    scene: CapScene, picture: NDArray[np.uint8], lying: list[dict[str, Any]], rng: np.random.Generator
) -> Iterator[CapSample]:
    """Cut round what has changed, round each cap that lies there, and a few places besides.

    A cap of `lying` that is not `is_listed` is a stranger's, and is mostly left out: strangers are rare in play.
    """
    view = scene.calibration.view
    shrunken = shrink(BeforeAndNow(now=picture, empty=scene.calibration.empty_bgr), scene.calibration)
    truths = np.array([(told["x"], told["y"]) for told in lying], float).reshape(-1, 2)
    peaks_px = np.array([peak.xy_px for peak in scene.finder.peaks(picture).peaks[:MOST_PEAKS]], float).reshape(-1, 2)
    beside = np.repeat(truths, 2, axis=0)
    looked_at = view.px_to_mm(peaks_px, SEEN_AT_MM)
    at_peaks = cut_out(shrunken, Places(xy_mm=looked_at), scene.calibration)
    closer = come_closer(recognise(at_peaks, at_once(glance(at_peaks)))).xy_mm
    places = [*looked_at, *(beside + rng.uniform(-BESIDE_MM, BESIDE_MM, beside.shape))]
    places += list(rng.uniform(-0.05, 1.05, (3, 2)) * scene.calibration.board.size_mm)
    players = [cap.player for cap in scene.caps]
    apart = rng.spawn(1)[0]  # so that what is drawn after this picture does not hang on where is looked once more
    for i, xy_mm in enumerate([*places, *closer]):
        owner, offset, diameter = NO_CAP, np.zeros(2), 0.0
        if len(truths):
            nearest = int(np.hypot(*(truths - xy_mm).T).argmin())
            diameter = float(lying[nearest]["diameter"])
            away = float(np.hypot(*(truths[nearest] - xy_mm))) / diameter
            if CAP_AT < away < NOT_AT:
                continue
            if away <= CAP_AT:
                is_listed = lying[nearest].get("is_listed", True)
                if not is_listed and (rng if i < len(places) else apart).random() > STRANGERS_KEPT:
                    continue
                owner = players.index(lying[nearest]["player"]) if is_listed else STRANGER
                offset = _within_cut(view, xy_mm, truths[nearest])
        lean = float(np.hypot(*(xy_mm - view.camera_mm[:2]))) / view.camera_height_mm
        yield CapSample(
            now=cut(view, shrunken.now, xy_mm, KEPT_PX),
            empty=cut(view, shrunken.empty, xy_mm, KEPT_PX),
            offset_mm=offset,
            owner=owner,
            diameter_mm=diameter,
            lean=lean,
            is_closer=i >= len(places),
        )


def _within_cut(view: Any, xy_mm: Array, there_mm: Array) -> Array:
    """Tell where a board point (2,) lies in the cut round another."""
    return np.asarray(np.linalg.solve(turn_of(view, xy_mm), there_mm - xy_mm), float)


def _scenes(names: list[str]) -> list[Path]:
    return [
        scene
        for name in names
        for scene in ([Path(name)] if (Path(name) / "truth.json").exists() else sorted(Path(name).iterdir()))
        if (scene / "truth.json").exists()
    ]


def save(out: str, samples: list[list[CapSample]], listed: list[NDArray[np.float32]], names: list[str]) -> None:
    """Keep the samples of scenes, with what each of them lists (C, facts), in one file."""
    most = max(len(facts) for facts in listed)
    padded = np.full((len(listed), most, listed[0].shape[1]), np.nan, np.float32)
    for row, facts in zip(padded, listed, strict=True):
        row[: len(facts)] = facts
    columns = {
        name: np.array([getattr(sample, name) for own in samples for sample in own]) for name in CapSample._fields
    }
    scene = np.repeat(np.arange(len(samples)), [len(own) for own in samples])
    np.savez(out, allow_pickle=False, **columns, scene=scene, listed=padded, names=np.array(names))


def main() -> None:
    """Cut the samples of all scenes named on the command line into one file."""
    cv2.setNumThreads(1)
    out, *names = sys.argv[1:]
    scenes = _scenes(names)
    rng = np.random.default_rng(1)
    samples = [list(samples_of(folder, rng)) for folder in scenes]
    listed = [cap_facts(read_caps(folder / "caps.json")) for folder in scenes]
    save(out, samples, listed, [str(folder) for folder in scenes])


if __name__ == "__main__":
    main()
