"""Lessons straight from the simulator: pieces of varied streets, crowded with caps and litter, cut and forgotten.

    python -m linesies.training.caps.worlds OUT.npz FIRST_SEED COUNT

Each seed is another world: a window of a whole camera's picture, so that scale, slant and lens are what they would be,
for a quarter of the drawing. Twelve caps of two listed sets lie in each picture, where a game has six.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration
from linesies.calibration.standard_boards import STREET, TABLE
from linesies.simulator.street.ground import PHOTOGRAPH
from linesies.simulator.street.stage import Stage, Wishes, set_stage, strangers
from linesies.simulator.street.stills import beside_a_line
from linesies.simulator.street.varied import HARD, VariedWorld, make_world, photograph
from linesies.training.caps.samples import CapSample, CapScene, frame_samples, save
from linesies.vision.caps.find import Finder
from linesies.vision.caps.owners import cap_facts

Array = NDArray[np.float64]

SIZES_PX = ((1280, 720), (1640, 1232), (1920, 1080), (1920, 1080), (2304, 1296))
WINDOW_PX = (800, 560)
PICTURES = 3
HARD_SHARE = 0.25
TABLES = 0.25
PHOTOGRAPHED = 0.8  # of the grounds; the rest are drawn
TOUCHING = 0.3  # how often a cap lies against another
LITTER = 5  # times as much as usual on a whole street, of which a window shows a fifth
CLOSE = 0.4  # how often beside a line
TRIES = 60


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CapLesson:
    """One listed set of caps in a world: its samples, and what is listed (C, facts)."""

    samples: list[CapSample]
    listed: NDArray[np.float32]
    name: str


def lessons_of(seed: int) -> Iterator[CapLesson]:
    """Draw a world's pictures and cut them, for each of its two sets of caps."""
    rng = np.random.default_rng([seed, 77])
    wishes = Wishes(
        seed=seed,
        board=TABLE if rng.random() < TABLES else STREET,
        ground=PHOTOGRAPH if np.random.default_rng([seed, 78]).random() < PHOTOGRAPHED else None,
        is_for_stills=True,
        size_px=SIZES_PX[int(rng.integers(len(SIZES_PX)))],
        window_px=WINDOW_PX,
    )
    stage = set_stage(wishes)
    sets = [make_world(stage, draw=0), make_world(strangers(stage, wishes), draw=1)]
    world = replace(sets[0], solids=tuple(_renamed(one, i) for i, each in enumerate(sets) for one in each.solids))
    empty = photograph(stage, world, [], rng)
    scenes = [_scene(stage, each, empty) for each in sets]
    samples: list[list[CapSample]] = [[], []]
    for _ in range(PICTURES):
        hard = str(rng.choice(HARD)) if rng.random() < HARD_SHARE else ""
        lying = _strewn(stage, world, rng)
        picture = photograph(stage, world, lying, rng, hard, LITTER)
        for i, scene in enumerate(scenes):
            own = [
                {"player": name[2:], "x": x, "y": y, "diameter": _wide(world, name), "is_listed": name[0] == str(i)}
                for name, (x, y) in lying
            ]
            samples[i].extend(frame_samples(scene, picture, own, rng))
    for i, scene in enumerate(scenes):
        yield CapLesson(samples=samples[i], listed=cap_facts(scene.caps), name=f"w{seed}.{i}")


def _renamed(solid: Any, i: int) -> Any:
    return replace(solid, cap=replace(solid.cap, player=f"{i} {solid.cap.player}"))


def _wide(world: VariedWorld, name: str) -> float:
    return next(one.cap.diameter_mm for one in world.solids if one.cap.player == name)


def _scene(stage: Stage, world: VariedWorld, empty: NDArray[np.uint8]) -> CapScene:
    view = replace(stage.view, lens=world.lens)
    calibration: Calibration = replace(stage.truth, view=view, empty_bgr=empty)
    return CapScene(calibration=calibration, caps=world.caps, finder=Finder(calibration, world.caps))


def _strewn(stage: Stage, world: VariedWorld, rng: np.random.Generator) -> list[tuple[str, Array]]:
    """Lay all caps down somewhere in the window: alone, beside paint, or against one another."""
    width, height = stage.lens.size_px
    lying: list[tuple[str, Array]] = []
    wide = {one.cap.player: one.cap.diameter_mm for one in world.solids}
    for player in rng.permutation(list(wide)):
        radius = wide[str(player)] / 2
        for _ in range(TRIES):
            xy_mm = stage.view.px_to_mm(rng.uniform(0.03, 0.97, (1, 2)) * (width, height))[0]
            kind = rng.random()
            if kind < CLOSE:
                xy_mm = beside_a_line(stage, radius, rng)
            elif kind < CLOSE + TOUCHING and lying:
                other, at = lying[int(rng.integers(len(lying)))]
                turn = rng.uniform(0, 2 * np.pi)
                apart = radius + wide[other] / 2 + rng.exponential(2.0)
                xy_mm = at + apart * np.array([np.cos(turn), np.sin(turn)])
            has_room = all(np.hypot(*(xy_mm - at)) > radius + wide[p] / 2 for p, at in lying)
            if has_room and all(stage.view.is_in_picture(xy_mm + way * 1.6 * radius) for way in (-1, 1)):
                lying.append((str(player), xy_mm))
                break
    return lying


def main() -> None:
    """Draw the worlds named on the command line, and keep their lessons in one file."""
    cv2.setNumThreads(1)
    out, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    lessons = [lesson for seed in range(first, first + count) for lesson in lessons_of(seed)]
    save(out, [lesson.samples for lesson in lessons], [lesson.listed for lesson in lessons], [x.name for x in lessons])


if __name__ == "__main__":
    main()
