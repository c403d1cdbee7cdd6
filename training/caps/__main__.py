"""Teach the net that tells caps from litter (needs the extra `training`), and tell how it does on worlds held out.

    python -m linesies.training.caps NETS_FOLDER SAMPLES.npz... [--held WORD...] [--passes 12] [--go-on]

`--held` names scenes to leave out, by a part of their folder's name: how they are answered is told by world. Without it
everything is learned from. `--go-on` starts from the folder's sighting.onnx, and ends half way between that and what
was learned since. One core suffices.
"""

import logging
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from linesies.training.caps.augment import augmented
from linesies.training.caps.course import Course, read_course, teach
from linesies.training.caps.nets import SightingNet, cut_inputs
from linesies.training.caps.stock import Stock
from linesies.training.onnx_file import write_onnx
from linesies.vision.caps.recognising import OFFSET_MM

OFFSETS = 1.5  # by how much a wrong place counts beside a wrong answer
NEAR_ENOUGH = 0.05  # of OFFSET_MM: nearer than this a place need hardly come

log = logging.getLogger("caps")


def main() -> None:
    """Teach, export and examine."""
    course = read_course(__doc__ or "", passes=12)
    net = SightingNet()
    teach(course, {"sighting": net}, course.stock.lessons, lambda part: _loss(net, course, part))
    write_onnx(net, cut_inputs(), course.folder / "sighting.onnx")
    if len(course.stock.exam):
        _examine(net, course.stock)


def _loss(net: SightingNet, course: Course, part: NDArray[np.intp]) -> torch.Tensor:
    stock = course.stock
    planes, offsets, _ = augmented(stock, part, course.rng)
    told = net(torch.from_numpy(planes), stock.leans(part))
    is_cap = torch.from_numpy((stock.owner[part] >= 0).astype(np.float32))
    found = functional.binary_cross_entropy_with_logits(told[:, 0], is_cap)
    there = torch.from_numpy(offsets / OFFSET_MM)
    apart = functional.smooth_l1_loss(told[:, 1:], there, reduction="none", beta=NEAR_ENOUGH)
    loss: torch.Tensor = found + OFFSETS * (apart.sum(1) * is_cap).mean()
    return loss


@torch.no_grad()
def _examine(net: SightingNet, stock: Stock) -> None:
    """Tell by world how many caps and how much litter are told apart."""
    planes, offsets, _ = augmented(stock, stock.exam, None)
    told = net(torch.from_numpy(planes), stock.leans(stock.exam)).numpy()
    is_cap, odds = stock.owner[stock.exam] >= 0, told[:, 0]
    for scene in np.unique(stock.scene[stock.exam]):
        here = stock.scene[stock.exam] == scene
        cap, none = here & is_cap, here & ~is_cap
        log.info(
            "  %s: caps %.3f of %d, litter taken for caps %d of %d, off %.2f mm",
            Path(str(stock.names[scene])).name,
            np.mean(odds[cap] > 0),
            cap.sum(),
            np.sum(odds[none] > 0),
            none.sum(),
            np.median(np.hypot(*(told[:, 1:] * OFFSET_MM - offsets)[cap].T)),
        )


if __name__ == "__main__":
    main()
