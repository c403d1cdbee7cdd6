"""How any of these nets is taught: what is asked for, passes over the lessons, and the average that is kept."""

import argparse
import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from linesies.training.caps.measured import check
from linesies.training.caps.stock import Stock

RATE = 2e-3
BEGUN_RATE = 4e-4  # of what begins from a published net
WARMING = 0.05  # of all steps, until the rate is reached
LEAST_RATE = 1e-3  # of the rate, at the end
DECAY = 1e-2
LARGEST_STEP = 5.0  # norm of gradients
KEPT = 0.999  # of the running average of weights, a step
CHECKED = 64  # samples on which what is measured here is held against the program's own

log = logging.getLogger("caps")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Course:
    """Where the nets go, what is taught, how often, how many at once, and on which machine."""

    folder: Path
    stock: Stock
    passes: float
    batch: int
    rng: np.random.Generator


def course_parser(description: str, *, passes: float) -> argparse.ArgumentParser:
    """Say what every course is asked for."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("samples", type=Path, nargs="+")
    parser.add_argument("--held", nargs="*", default=[])
    parser.add_argument("--passes", type=float, default=passes)
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--seed", type=int, default=1)
    return parser


def read_course(given: argparse.Namespace) -> Course:
    """Read the samples that the command line names, onto a GPU where there is one."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.manual_seed(given.seed)
    given.folder.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    stock = Stock(given.samples, given.held, device)
    _check(stock)
    log.info("%d lessons, on %s", len(stock.lessons), device)
    rng = np.random.default_rng(given.seed)
    return Course(folder=given.folder, stock=stock, passes=given.passes, batch=given.batch, rng=rng)


def teach(
    course: Course,
    nets: nn.Module,
    lessons: NDArray[np.intp],
    loss_of: Callable[[NDArray[np.intp]], torch.Tensor],
    begun: nn.Module | None = None,
) -> None:
    """Teach nets so that the loss of any part of the lessons becomes small; what has begun, more slowly.

    At the end each weight is the running average of what it was (Polyak and Juditsky 1992).
    """
    nets.to(course.stock.device).train()
    rates, optimiser = _optimised(nets, begun)
    weights = list(nets.parameters())
    averages = [one.detach().clone() for one in weights]
    steps = max(int(course.passes * len(lessons) / course.batch), 1)
    told, losses = time.monotonic(), torch.zeros(2)
    for step in range(steps):
        for group, rate in zip(optimiser.param_groups, rates, strict=True):
            group["lr"] = rate * _share_of_rate(step / steps)
        loss = loss_of(course.rng.choice(lessons, course.batch))
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(weights, LARGEST_STEP)
        optimiser.step()
        kept = min(KEPT, (step + 1) / (step + 11))
        for average, weight in zip(averages, weights, strict=True):
            average.lerp_(weight.detach(), 1 - kept)
        losses += torch.tensor([float(loss.detach()), 1.0])
        if time.monotonic() - told > 20 or step == steps - 1:
            log.info("step %d of %d: loss %.3f", step + 1, steps, losses[0] / losses[1])
            told, losses = time.monotonic(), torch.zeros(2)
    with torch.no_grad():
        for average, weight in zip(averages, weights, strict=True):
            weight.copy_(average)
    nets.cpu().eval()


def _optimised(nets: nn.Module, begun: nn.Module | None) -> tuple[list[float], torch.optim.Optimizer]:
    """Group weights by the rate at which they learn."""
    slow = [] if begun is None else list(begun.parameters())
    fast = [one for one in nets.parameters() if all(one is not other for other in slow)]
    groups = [(fast, RATE), *([(slow, BEGUN_RATE)] if slow else [])]
    optimiser = torch.optim.AdamW([{"params": own, "lr": rate} for own, rate in groups], weight_decay=DECAY)
    return [rate for _, rate in groups], optimiser


def _share_of_rate(done: float) -> float:
    """Tell the share of its rate by which a net learns, so much of a course being done: rising, then as a cosine."""
    falling = (1 + math.cos(math.pi * max(done - WARMING, 0) / (1 - WARMING))) / 2
    return min(done / WARMING, 1) * falling + LEAST_RATE


def _check(stock: Stock) -> None:
    """Hold what is measured here against the program's own, on the first scene."""
    drawn = stock.drawn(np.flatnonzero(stock.scene == 0)[:CHECKED])
    check(*drawn.middles(), drawn.listed[0])
