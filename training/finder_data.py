"""The finder's lessons: scenes written to files, and read again as batches with the votes that each pixel should cast.

`python -m linesies.training.finder_data FOLDER --files N --seed S` writes N files of scenes; several may run at once
with other seeds, also while the training reads.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.training.scenes import Arts, Staging, draw_arts, draw_scene
from linesies.vision import CARD_MM

STRIDE_PX = 4  # the net says something about every fourth pixel each way
UNIT_PX = 16.0  # in which it says lengths
SIDE_PX = 320
PER_FILE = 32
MOST_CARDS = 48
MOST_HALF_PX = 58.0  # half a card's long side

Rng = np.random.Generator


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lessons:
    """Pictures (N, H, W, 3), each cell's card (N, H/4, W/4; 0 none), and the cards' corners (N, M, 4, 2) in pixels."""

    pictures: NDArray[np.uint8]
    owners: NDArray[np.uint8]
    corners_px: NDArray[np.float32]


def write_file(path: Path, rng: Rng, arts: Arts) -> None:
    """Draw a file's scenes: small ones in which cards of every size lie close.

    Cards too large for the net to see whole are no cards: it is asked again about a smaller picture.
    """
    pictures = np.zeros((PER_FILE, SIDE_PX, SIDE_PX, 3), np.uint8)
    owners = np.zeros((PER_FILE, SIDE_PX // STRIDE_PX, SIDE_PX // STRIDE_PX), np.uint8)
    corners = np.zeros((PER_FILE, MOST_CARDS, 4, 2), np.float32)
    for i in range(PER_FILE):
        is_near = rng.random() < 0.2
        px_per_mm = np.exp(rng.uniform(*np.log((1.2, 2.8) if is_near else (0.38, 1.15))))
        staging = draw_staging(rng)
        room = (SIDE_PX / px_per_mm) ** 2 / (staging.card_mm[0] * staging.card_mm[1])
        cards = 0 if rng.random() < 0.05 else int(min(rng.uniform(0.05, 0.4) * room + 1, 30))
        scene = draw_scene(rng, arts, (SIDE_PX, SIDE_PX), px_per_mm, cards, staging)
        n = min(len(scene.corners_px), MOST_CARDS)
        pictures[i], corners[i, :n] = scene.picture, scene.corners_px[:n]
        cells = scene.owners[1::STRIDE_PX, 1::STRIDE_PX]
        half_px = (
            np.linalg.norm(scene.corners_px[:, 2] + scene.corners_px[:, 3] - 2 * scene.corners_px.mean(1), axis=1) / 2
        )
        is_fit = np.concatenate(
            [[False], (half_px < MOST_HALF_PX) & (np.arange(len(half_px)) < n), np.zeros(256, bool)]
        )
        owners[i] = np.where(is_fit[cells], cells, 0)
    scratch = path.with_suffix(".part")
    with scratch.open("wb") as file:
        np.savez(file, pictures=pictures, owners=owners, corners_px=corners)
    scratch.rename(path)


def draw_staging(rng: Rng) -> Staging:
    """Draw how a lesson is staged: up to 62 degrees aslant, with cards of any size, on their own tone at times."""
    is_poker = rng.random() < 0.6
    wide, tall = (1.0, 1.0) if is_poker else (rng.uniform(0.86, 1.06), rng.uniform(0.95, 1.18))
    return Staging(
        tilt_deg=(0.0, 62.0),
        card_mm=(CARD_MM[0] * wide, CARD_MM[1] * tall),
        down=0.5,
        things=5.0 if rng.random() < 0.15 else 1.5,
        alike=0.25,
    )


def read_files(paths: list[Path]) -> Lessons:
    """Read the scenes of several files."""
    loaded = [np.load(path) for path in paths]
    return Lessons(
        pictures=np.concatenate([file["pictures"] for file in loaded]),
        owners=np.concatenate([file["owners"] for file in loaded]),
        corners_px=np.concatenate([file["corners_px"] for file in loaded]),
    )


def draw_batch(rng: Rng, lessons: Lessons, size: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Draw `size` lessons, mirrored, turned and tinted at random: pictures (B, 3, H, W) and votes (B, 8, H/4, W/4)."""
    chosen = rng.choice(len(lessons.pictures), size, replace=size > len(lessons.pictures))
    pairs = [_vary(rng, lessons.pictures[i], lessons.owners[i], lessons.corners_px[i]) for i in chosen]
    return np.stack([p for p, _ in pairs]), np.stack([v for _, v in pairs])


def _vary(
    rng: Rng, picture: NDArray[np.uint8], owners: NDArray[np.uint8], corners: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    last = picture.shape[0] - 1
    if rng.random() < 0.5:
        picture, owners = picture[:, ::-1], owners[:, ::-1]
        corners = corners * (-1, 1) + (last, 0)
    for _ in range(rng.integers(4)):
        picture, owners = np.rot90(picture), np.rot90(owners)
        corners = np.stack([corners[..., 1], last - corners[..., 0]], -1)
    shown = picture.astype(np.float32)
    if rng.random() < 0.5:
        shown = shown[..., rng.permutation(3)]
    gain = np.exp(rng.normal(0, 0.15) + rng.normal(0, 0.04, 3)).astype(np.float32)
    shown = np.clip(shown * gain + rng.normal(0, 6), 0, 255)
    if rng.random() < 0.3:
        shown = cv2.GaussianBlur(np.ascontiguousarray(shown), (0, 0), rng.uniform(0.3, 0.9))
    return as_input(shown), votes(owners, corners)


def as_input(picture: NDArray[np.uint8] | NDArray[np.float32]) -> NDArray[np.float32]:
    """Scale a picture (H, W, 3) as the net takes it: (3, H, W) about 0."""
    return np.ascontiguousarray(((picture - 127.5) / 64.0).transpose(2, 0, 1), np.float32)


def votes(owners: NDArray[np.uint8], corners_px: NDArray[np.floating]) -> NDArray[np.float32]:
    """Say what each cell should vote (8, h, w): is it a card; its centre's offset; its half axes; its weight.

    Half axes have no direction, so each is given with its angle doubled: length times (cos 2a, sin 2a); the long
    one first. All but the first channel are meant only where the first is 1.
    """
    centre = corners_px.mean(1)
    across = (corners_px[:, 1] + corners_px[:, 2] - corners_px[:, 0] - corners_px[:, 3]) / 4
    along = (corners_px[:, 2] + corners_px[:, 3] - corners_px[:, 0] - corners_px[:, 1]) / 4
    cells = np.bincount(owners.ravel(), minlength=len(corners_px) + 1)[1:]
    weight = 1 / np.sqrt(np.maximum(cells[: len(corners_px)], 4))
    table = np.column_stack([centre, _doubled(along), _doubled(across), weight])
    table = np.vstack([np.zeros((1, 7)), table])[owners].astype(np.float32)
    ys, xs = np.indices(owners.shape) * STRIDE_PX + (STRIDE_PX - 1) / 2
    table[..., 0] -= xs
    table[..., 1] -= ys
    table[..., :6] /= UNIT_PX
    return np.concatenate([(owners > 0)[None], table.transpose(2, 0, 1)]).astype(np.float32)


def _doubled(axes: NDArray[np.floating]) -> NDArray[np.floating]:
    length = np.maximum(np.hypot(axes[:, 0], axes[:, 1]), 1e-6)[:, None]
    return np.column_stack([axes[:, 0] ** 2 - axes[:, 1] ** 2, 2 * axes[:, 0] * axes[:, 1]]) / length


def main() -> None:
    """Write files of scenes, with new faces and backs in each."""
    cv2.setNumThreads(1)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    for number in range(asked.files):
        rng = np.random.default_rng((asked.seed, number))
        write_file(asked.folder / f"{asked.seed}-{number:05d}.npz", rng, draw_arts(rng, 24))


if __name__ == "__main__":
    main()
