"""Train the edge network: which of the edges across a supposed side is the card's own outer one.

`python -m linesies.training.edges lessons FOLDER --files N --seed S` draws scenes and cuts strips from them,
`python -m linesies.training.edges train FOLDER -o OUT` trains on what is there. 9,000 steps of 64 strips suffice.
"""

import argparse
import sys
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from linesies.training.scenes import CardScene, draw_arts, draw_scene
from linesies.vision import CARD_MM
from linesies.vision.cards.find.edges import ALONG as EDGE_ALONG
from linesies.vision.cards.find.edges import OFFSETS_MM as EDGE_OFFSETS_MM
from linesies.vision.cards.find.edges import side_scales, side_strips

Rng = np.random.Generator
Array = NDArray[np.float64]

SIDE_PX = 640
SCENES_PER_FILE = 8
NONE = len(EDGE_OFFSETS_MM)  # the target of a sample whose edge is not seen


class EdgeStripNet(nn.Module):
    """From strips (B, 3, S, R) to the logarithmic odds of an edge at each place against none at all (B, 1, S, R)."""

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for inputs, (down, out) in zip((3, *[width] * 4), ((1, 1), (1, 2), (2, 4), (2, 1), (1, 2)), strict=True):
            layers += [nn.Conv2d(inputs, width, 3, 1, (down, out), (down, out)), nn.ReLU(inplace=True)]
        self.layers = nn.Sequential(*layers, nn.Conv2d(width, 1, 1))

    def forward(self, strips: Tensor) -> Tensor:
        """Tell."""
        return self.layers(strips)


def disturb(rng: Rng, quads: Array) -> Array:
    """Move quads as far off as the finder's votes are."""
    mm = side_scales(quads)[:, None, None]
    shift = rng.normal(0, 1.6, (len(quads), 1, 2)) * rng.choice([0.3, 1.0, 1.6], (len(quads), 1, 1))
    centre = quads.mean(1, keepdims=True)
    grown = (quads - centre) * np.exp(rng.normal(0, 0.02, (len(quads), 1, 1))) + centre
    turn = rng.normal(0, 0.02, len(quads))
    c, s = np.cos(turn), np.sin(turn)
    turned = (
        np.einsum("nij,nkj->nki", np.stack([np.stack([c, -s], 1), np.stack([s, c], 1)], 1), grown - centre) + centre
    )
    return turned + (shift + rng.normal(0, 0.6, quads.shape)) * mm


def edge_targets(scene: CardScene, quads: Array) -> NDArray[np.int64]:
    """Find the offset's number at which each sample of each side crosses the true edge, or NONE: (N, 4, S)."""
    run = np.roll(quads, -1, 1) - quads
    length = np.linalg.norm(run, axis=2, keepdims=True)
    along, out = run / length, np.stack([run[..., 1], -run[..., 0]], -1) / length
    scale = side_scales(quads)
    targets = np.full((len(quads), 4, len(EDGE_ALONG)), NONE)
    height, width = scene.owners.shape
    for card, side in np.ndindex(len(quads), 4):
        away = scene.sides_px[card, side] - quads[card, side]
        places, offsets = away @ along[card, side], away @ out[card, side]
        at = EDGE_ALONG * length[card, side]
        offset = np.interp(at, places, offsets)
        inside = quads[card, side] + at[:, None] * along[card, side] + (offset - 1.5)[:, None] * out[card, side]
        x, y = np.rint(inside).astype(int).T
        is_in = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        is_own = scene.owners[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)] == card + 1
        number = np.rint((offset / scale[card] - EDGE_OFFSETS_MM[0]) / (EDGE_OFFSETS_MM[1] - EDGE_OFFSETS_MM[0]))
        is_near = (number >= 0) & (number < NONE)
        targets[card, side] = np.where(is_in & is_own & is_near, number, NONE)
    return targets


def write_file(path: Path, rng: Rng) -> None:
    """Draw scenes and keep the strips of their cards."""
    arts, strips, targets = draw_arts(rng, 12), [], []
    for _ in range(SCENES_PER_FILE):
        px_per_mm = np.exp(rng.uniform(np.log(0.9), np.log(2.6)))
        room = (SIDE_PX / px_per_mm) ** 2 / (CARD_MM[0] * CARD_MM[1])
        scene = draw_scene(rng, arts, (SIDE_PX, SIDE_PX), px_per_mm, int(min(rng.uniform(0.05, 0.35) * room + 2, 24)))
        inside = ((scene.corners_px > -20) & (scene.corners_px < SIDE_PX + 20)).all((1, 2))
        chosen = np.nonzero((scene.visible > 0.12) & inside)[0]
        if not len(chosen):
            continue
        quads = disturb(rng, scene.corners_px[chosen])
        numbers = np.zeros(256, np.uint8)
        numbers[chosen + 1] = np.arange(len(chosen)) + 1
        chosen_scene = CardScene(
            picture=scene.picture,
            owners=numbers[scene.owners],
            corners_px=scene.corners_px[chosen],
            visible=scene.visible[chosen],
            sides_px=scene.sides_px[chosen],
            shows=tuple(scene.shows[i] for i in chosen),
        )
        strips.append(side_strips(scene.picture, quads).astype(np.float16))
        targets.append(edge_targets(chosen_scene, quads).reshape(-1, len(EDGE_ALONG)).astype(np.uint8))
    np.savez(path, strips=np.concatenate(strips), targets=np.concatenate(targets))


def train(folder: Path, out: Path, steps: int, seed: int) -> None:
    """Train for `steps` of 64 strips on every lesson that is there, and write `edges.onnx`."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    files = [np.load(path) for path in sorted(folder.glob("*.npz"))]
    strips = np.concatenate([file["strips"] for file in files])
    targets = np.concatenate([file["targets"] for file in files]).astype(np.int64)
    net = EdgeStripNet()
    optimiser = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-4)
    falling = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    total = 0.0
    for step in range(steps):
        chosen = rng.choice(len(strips), 64)
        shown = torch.from_numpy(strips[chosen].astype(np.float32))[:, rng.permutation(3)]
        value = edge_loss(net(shown), torch.from_numpy(targets[chosen]))
        optimiser.zero_grad()
        value.backward()
        optimiser.step()
        falling.step()
        total += float(value.detach())
        if step % 200 == 199:
            sys.stdout.write(f"{step + 1} of {steps}, {len(strips)} strips, loss {total / 200:.4f}\n")
            sys.stdout.flush()
            total = 0.0
    out.mkdir(parents=True, exist_ok=True)
    torch.save(net.state_dict(), out / "edges.pt")
    sample = torch.zeros(4, 3, len(EDGE_ALONG), len(EDGE_OFFSETS_MM))
    batch = {"strips": {0: "sides"}, "odds": {0: "sides"}}
    names = {"input_names": ["strips"], "output_names": ["odds"], "dynamic_axes": batch}
    torch.onnx.export(net.eval(), (sample,), str(out / "edges.onnx"), dynamo=False, **names)


def edge_loss(odds: Tensor, targets: Tensor) -> Tensor:
    """Weigh odds (B, 1, S, R) against the true places (B, S): the surprise over all offsets and none."""
    none = torch.zeros_like(odds[:, 0, :, :1])
    return nn.functional.cross_entropy(torch.cat([odds[:, 0], none], 2).flatten(0, 1), targets.flatten())


def main() -> None:
    """Draw lessons, or train on them."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["lessons", "train"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--out", type=Path)
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--steps", type=int, default=9000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    if asked.what == "train":
        train(asked.folder, asked.out, asked.steps, asked.seed)
        return
    for number in range(asked.files):
        write_file(asked.folder / f"{asked.seed}-{number:05d}.npz", np.random.default_rng((asked.seed, number)))


if __name__ == "__main__":
    main()
