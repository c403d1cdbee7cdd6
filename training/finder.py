"""Train the finder: `python -m linesies.training.finder LESSONS -o FOLDER` (see `finder_data` for the lessons).

Reads every lesson that is there, again every few hundred steps, so scenes may still be drawn meanwhile. The weights
kept are a running mean. One thread; about 15,000 steps of 8 scenes make what the program ships. `--resume` goes on
from weights that a training kept (`finder.pt`), or from a shipped network (`finder.onnx`).
"""

import argparse
import copy
import math
import sys
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

from linesies.training.finder_data import Lessons, draw_batch, read_files
from linesies.training.finder_net import FinderNet, loss
from linesies.training.unfolding import unfold

FRESH_EVERY = 300  # steps between looks for new lessons, reports, and savings
MOST_FILES = 400  # kept in memory


def train(folder: Path, out: Path, *, steps: int, seed: int, resume: Path | None, rate: float) -> None:
    """Train for `steps`; the learning rate falls along a cosine from `rate`."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net = FinderNet().to(memory_format=torch.channels_last)
    if resume and resume.suffix == ".onnx":
        shown = draw_batch(rng, read_files(sorted(folder.glob("*.npz"))[:2]), 32)[0]
        unfold(net, resume, torch.from_numpy(shown))
    elif resume:
        net.load_state_dict(torch.load(resume, weights_only=True))
    mean = copy.deepcopy(net).eval()
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-4)
    out.mkdir(parents=True, exist_ok=True)
    files: list[Path] = []
    lessons: Lessons | None = None
    losses: list[float] = []
    began_s = time.time()
    for step in range(steps):
        if step % FRESH_EVERY == 0 or lessons is None:
            there = sorted(folder.glob("*.npz"), key=lambda p: p.stat().st_mtime)[-MOST_FILES:]
            lessons, files = (read_files(there), there) if there != files or lessons is None else (lessons, files)
            seen = f"{step} {time.time() - began_s:.0f} s, {len(files)} files, loss {np.mean(losses or [0]):.4f}\n"
            sys.stdout.write(seen)
            sys.stdout.flush()
            losses = []
            torch.save(mean.state_dict(), out / "finder.pt")
        warm = min(1.0, (step + 1) / 100)
        for group in optimiser.param_groups:
            group["lr"] = warm * rate * (0.02 + 0.98 * (1 + math.cos(math.pi * step / steps)) / 2)
        losses.append(_step(net, optimiser, *draw_batch(rng, lessons, 8)))
        _blend(mean, net, min(0.998, (step + 1) / (step + 10)))
    torch.save(mean.state_dict(), out / "finder.pt")


def _step(net: FinderNet, optimiser: torch.optim.Optimizer, pictures: np.ndarray, meant: np.ndarray) -> float:
    net.train()
    with torch.autocast("cpu", dtype=torch.bfloat16):  # nearly twice as fast where the processor knows it
        said = net(torch.from_numpy(pictures).to(memory_format=torch.channels_last))
    value = loss(said.float(), torch.from_numpy(meant))
    optimiser.zero_grad()
    value.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    optimiser.step()
    return float(value.detach())


def _blend(mean: nn.Module, net: nn.Module, keep: float) -> None:
    with torch.no_grad():
        for old, new in zip(mean.state_dict().values(), net.state_dict().values(), strict=True):
            if old.is_floating_point():
                old.mul_(keep).add_(new, alpha=1 - keep)
            else:
                old.copy_(new)


def export(weights: Path, onnx: Path) -> None:
    """Write the net as OpenCV's dnn reads it."""
    net = FinderNet().eval()
    net.load_state_dict(torch.load(weights, weights_only=True))
    sample = torch.zeros(1, 3, 368, 640)
    torch.onnx.export(net, (sample,), str(onnx), input_names=["picture"], output_names=["votes"], dynamo=False)


def main() -> None:
    """Train, then export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lessons", type=Path)
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=15000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--resume", type=Path)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    train(asked.lessons, asked.out, steps=asked.steps, seed=asked.seed, resume=asked.resume, rate=asked.rate)
    export(asked.out / "finder.pt", asked.out / "finder.onnx")


if __name__ == "__main__":
    main()
