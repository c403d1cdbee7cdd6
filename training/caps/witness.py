"""Teach the net that tells where a known cap stands (needs the extra `training`), and how far off it is.

    python -m linesies.training.caps.witness NETS_FOLDER SAMPLES.npz... [--held WORD...] [--passes 15]

Learns from listed caps alone; writes witness.onnx. Options as of `linesies.training.caps`.
"""

import logging
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from linesies.training.caps.augment import ShownCuts, augmented, plain
from linesies.training.caps.course import course_parser, read_course, teach
from linesies.training.caps.nets import WitnessNet
from linesies.training.caps.samples import STRANGER
from linesies.training.caps.stock import Stock
from linesies.training.onnx_file import write_onnx
from linesies.vision.caps.cuts import SIDE_PX
from linesies.vision.caps.owners import USUAL_HEIGHT_MM, USUAL_MM
from linesies.vision.caps.witness import drawn, measures

NEAR_MM = 6.0  # off the middle: farther, nobody asks
TAIL = 4  # degrees of freedom of the errors' distribution: a few caps mislead far

log = logging.getLogger("caps")


def main() -> None:
    """Teach, export and examine."""
    course = read_course(course_parser(__doc__ or "", passes=15).parse_args())
    stock, net = course.stock, WitnessNet()
    lessons = _listed(stock, stock.lessons)
    teach(course, net, lessons, lambda part: _surprise(*_asked(net, augmented(stock.drawn(part)))).mean())
    inputs = {"planes": torch.zeros(2, 7, SIDE_PX, SIDE_PX), "measures": torch.zeros(2, 3)}
    write_onnx(net, inputs, course.folder / "witness.onnx")
    if len(stock.exam):
        _examine(net, stock)


def _listed(stock: Stock, samples: NDArray[np.intp]) -> NDArray[np.intp]:
    owner = stock.owner[samples]
    return samples[(owner >= 0) & (owner != STRANGER)]


def _asked(net: WitnessNet, lesson: ShownCuts) -> tuple[torch.Tensor, torch.Tensor]:
    """Ask where caps (N) stand: what the net tells (N, 4), and their true offsets (N, 2) in mm."""
    near = lesson.offset_mm.norm(dim=1) < NEAR_MM
    planes, leans, offsets_mm = lesson.planes[near], lesson.leans[near], lesson.offset_mm[near]
    own = lesson.facts[near, lesson.owner[near]].double().cpu().numpy()
    diameters_mm, heights_mm = USUAL_MM * np.exp(own[:, 3]), USUAL_HEIGHT_MM * (1 + own[:, 4])
    listed = (drawn(diameters_mm), measures(diameters_mm, heights_mm, leans[:, 0].double().cpu().numpy()))
    caps, told = (torch.from_numpy(one).to(planes.device) for one in listed)
    return net(torch.cat([planes, caps], 1), told), offsets_mm


def _surprise(told: torch.Tensor, offsets: torch.Tensor) -> torch.Tensor:
    """Weigh how surprising true offsets (N, 2) are by what was told (N, 4)."""
    away = (offsets - told[:, :2]) * torch.exp(-told[:, 2:])
    return (told[:, 2:] + (TAIL + 1) / 2 * torch.log1p(away**2 / TAIL)).sum(1)


@torch.no_grad()
def _examine(net: WitnessNet, stock: Stock) -> None:
    """Tell by world how far off the net is."""
    caps = _listed(stock, stock.exam)
    for scene in np.unique(stock.scene[caps]):
        lesson = plain(stock.drawn(caps[stock.scene[caps] == scene]))
        told, offsets = (one.cpu() for one in _asked(net.to(stock.device), lesson))
        away = (told[:, :2] - offsets).abs()
        log.info(
            "  %s: off %.2f mm, %.2f in one of twenty; deviations off %.2f",
            Path(str(stock.names[scene])).name,
            away.median(),
            away.flatten().quantile(0.95),
            (away * torch.exp(-told[:, 2:])).median(),
        )


if __name__ == "__main__":
    main()
