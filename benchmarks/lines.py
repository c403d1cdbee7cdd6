"""How exact line calls are: scenes of known truth judged, and what came of each cap.

A scene is a folder as `linesies simulate --stills` writes it: an empty picture, pictures of caps, board, lens, caps,
rough taps and the truth. Any judge can be measured: ours, or the simpler ones in `baselines`.
"""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Board, Calibration, Lens, NoBoard, View, calibrate, read_board, read_lens
from linesies.vision import Call, Cap, Image, Judge, read_caps

Array = NDArray[np.float64]

CLOSE = 0.8  # of a diameter: farther apart, a call is about something else
COUNTED_MM = (-5.0, 30.0)  # gaps whose error is counted: farther off nobody argues


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Given:
    """What a judge may know of a scene before it sees caps."""

    empty_bgr: Image
    board: Board
    lens: Lens
    taps_px: Array
    caps: tuple[Cap, ...]

    def calibrated(self) -> Calibration | NoBoard:
        """Calibrate on the empty picture, by lens and taps."""
        return calibrate(self.empty_bgr, self.board, lens=self.lens, corners_px=self.taps_px)


Judging = Callable[[Image], tuple[Call, ...]]
Maker = Callable[[Given], Judging | None]  # None where a judge cannot make the board out


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedCap:
    """One true cap and what a judge said of it; `call` is None where it was not found.

    `away_mm` is its distance from the board's middle in board widths, `sun` the cosine between the way to the nearest
    paint and the way shadows fall (nan where the light is diffuse or not known), `mm_per_px` the scale at the cap.
    """

    scene: dict[str, Any]
    cap: Cap
    truth: dict[str, Any]
    call: Call | None
    mm_per_px: float
    away: float
    sun: float

    @property
    def is_counted(self) -> bool:
        """Whether the gap's error counts: the cap was found and lies where somebody may argue."""
        return self.call is not None and COUNTED_MM[0] < self.truth["gap"] < COUNTED_MM[1]

    @property
    def error_mm(self) -> float:
        """The gap said less the true one."""
        assert self.call is not None
        return float(self.call.gap_mm - self.truth["gap"])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedScene:
    """What one judge said of one scene: each true cap's answer, calls about nothing, seconds a picture."""

    answers: list[JudgedCap]
    false_calls: int
    pictures: int
    judge_s: float


def our_judge(given: Given) -> Judging | None:
    """Make ours ready."""
    calibration = given.calibrated()
    if not isinstance(calibration, Calibration):
        return None
    judge = Judge(calibration, given.caps)

    def judging(picture_bgr: Image) -> tuple[Call, ...]:
        judgement = judge.judge(picture_bgr)
        return judgement.caps + judgement.unknown

    return judging


def measure(folder: Path, maker: Maker) -> JudgedScene:
    """Let a judge call every plain picture of a scene, and compare with the truth."""
    truth, given = json.loads((folder / "truth.json").read_text()), given_of(folder)
    view = true_view(truth)
    judging = maker(given)
    caps = {cap.player: cap for cap in given.caps}
    frames = [frame for frame in truth["frames"] if not frame.get("hard")]
    answers, false_calls, took_s = [], 0, 0.0
    for frame in frames:
        picture = picture_of(folder / frame["file"])
        began = time.process_time()
        calls = judging(picture) if judging else ()
        took_s += time.process_time() - began
        found = match(calls, frame["caps"])
        false_calls += len(calls) - sum(call is not None for call in found)
        answers += [
            _answer(truth, view, given.board, caps[true["player"]], true, call)
            for true, call in zip(frame["caps"], found, strict=True)
        ]
    return JudgedScene(answers=answers, false_calls=false_calls, pictures=len(frames), judge_s=took_s)


def match(calls: tuple[Call, ...], truths: list[dict[str, Any]]) -> list[Call | None]:
    """Give each true cap the call nearest to it, each call once, the nearest pairs first."""
    apart = [
        (float(np.hypot(call.xy_mm[0] - true["x"], call.xy_mm[1] - true["y"])), i, j)
        for i, call in enumerate(calls)
        for j, true in enumerate(truths)
    ]
    found: list[Call | None] = [None] * len(truths)
    used: set[int] = set()
    for away_mm, i, j in sorted(apart):
        if away_mm < CLOSE * truths[j]["diameter"] and i not in used and found[j] is None:
            found[j] = calls[i]
            used.add(i)
    return found


def _answer(
    truth: dict[str, Any], view: View, board: Board, cap: Cap, true: dict[str, Any], call: Call | None
) -> JudgedCap:
    xy_mm = np.array([true["x"], true["y"]])
    outlines = [np.array(line["outline"]) for line in truth["painted"]["lines"]]
    nearest = min((o[np.hypot(*(o - xy_mm).T).argmin()] for o in outlines), key=lambda p: np.hypot(*(p - xy_mm)))
    fall, to_paint = np.array(truth.get("shadow") or [np.nan, np.nan]), nearest - xy_mm
    return JudgedCap(
        scene={key: truth[key] for key in ("name", "board", "ground", "paint", "light")}
        | {"tilt": truth["camera"]["tilt"]},
        cap=cap,
        truth=true,
        call=call,
        mm_per_px=1 / view.px_per_mm(xy_mm),
        away=float(np.hypot(*(xy_mm - np.array(board.size_mm) / 2)) / board.size_mm[0]),
        sun=float(to_paint @ fall / max(np.hypot(*to_paint) * np.hypot(*fall), 1e-9)),
    )


def true_view(truth: dict[str, Any]) -> View:
    """Take the camera that a scene's truth tells."""
    camera = truth["camera"]
    lens = Lens(
        size_px=tuple(camera["size"]),
        camera_matrix=np.array(camera["camera_matrix"]),
        distortion=np.array(camera["distortion"]),
    )
    return View(lens=lens, rotation=np.array(camera["R"]), translation_mm=np.array(camera["t"]).ravel())


def given_of(folder: Path) -> Given:
    """Read what a judge may know of a scene."""
    taps = (folder / "corners.txt").read_text().split()
    return Given(
        empty_bgr=picture_of(folder / "empty.jpg"),
        board=read_board(folder / "board.json"),
        lens=read_lens(folder / "lens.json"),
        taps_px=np.array([[float(value) for value in tap.split(",")] for tap in taps]),
        caps=read_caps(folder / "caps.json"),
    )


def picture_of(path: Path) -> Image:
    """Read a picture file."""
    return np.asarray(cv2.imread(str(path)), np.uint8)


def scenes_in(folders: list[Path]) -> Iterator[Path]:
    """List the scenes among folders and the folders in them."""
    for folder in folders:
        if (folder / "truth.json").exists():
            yield folder
        else:
            yield from sorted(path.parent for path in folder.glob("*/truth.json"))
