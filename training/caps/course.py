"""How any of these nets is taught: what is asked for, passes over the lessons, and what is kept of earlier ones."""

import argparse
import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from linesies.training.caps.nets import averaged, take_weights
from linesies.training.caps.stock import Stock

BATCH = 64
RATE = 2e-3
GO_ON_RATE = 1e-3
BEGUN_RATE = 0.1  # of the others', for the trunk of a net that begins from another
KEPT = 0.5  # of the weights that a net had before, where it goes on

log = logging.getLogger("caps")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Course:
    """Where the nets are, what is taught, how often, and whether it goes on from nets that are there."""

    folder: Path
    stock: Stock
    passes: int
    is_going_on: bool
    rng: np.random.Generator


def read_course(description: str, passes: int) -> Course:
    """Read the command line, and the samples that it names."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("samples", type=Path, nargs="+")
    parser.add_argument("--held", nargs="*", default=[])
    parser.add_argument("--passes", type=int, default=passes)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--go-on", action="store_true", help="from the weights that the folder holds, and keep half")
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.set_num_threads(1)
    torch.manual_seed(given.seed)
    given.folder.mkdir(parents=True, exist_ok=True)
    return Course(
        folder=given.folder,
        stock=Stock(given.samples, given.held),
        passes=given.passes,
        is_going_on=given.go_on,
        rng=np.random.default_rng(given.seed),
    )


def teach(
    course: Course,
    nets: dict[str, nn.Module],
    lessons: NDArray[np.intp],
    loss_of: Callable[[NDArray[np.intp]], torch.Tensor],
    begun: nn.Module | None = None,
) -> None:
    """Teach nets, by name, so that the loss of any part of the lessons becomes small; what has begun, more slowly."""
    if course.is_going_on:
        for name, net in nets.items():
            take_weights(net, course.folder / f"{name}.onnx")
    before = {name: {key: one.clone() for key, one in net.state_dict().items()} for name, net in nets.items()}
    rate = GO_ON_RATE if course.is_going_on else RATE
    groups = _groups(nets.values(), rate, begun)
    optimiser = torch.optim.AdamW(groups, weight_decay=1e-3)
    steps = course.passes * (len(lessons) // BATCH)
    rates = torch.optim.lr_scheduler.OneCycleLR(optimiser, [one["lr"] for one in groups], total_steps=steps + 1)
    began = time.process_time()
    for turn in range(course.passes):
        losses = []
        order = course.rng.permutation(lessons)
        for i in range(0, len(order) - BATCH + 1, BATCH):
            loss = loss_of(order[i : i + BATCH])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            rates.step()
            losses.append(float(loss.detach()))
        log.info("pass %d: loss %.3f, %.0f s", turn + 1, np.mean(losses), time.process_time() - began)
    for name, net in nets.items():
        if course.is_going_on:
            net.load_state_dict(averaged(before[name], net.state_dict(), KEPT))
        net.eval()


def _groups(nets: Iterable[nn.Module], rate: float, begun: nn.Module | None) -> list[dict[str, Any]]:
    """Group parameters by the rate at which they learn."""
    slow = list(begun.parameters()) if begun is not None else []
    fast = [one for net in nets for one in net.parameters() if all(one is not other for other in slow)]
    return [{"params": fast, "lr": rate}, *([{"params": slow, "lr": BEGUN_RATE * rate}] if slow else [])]
