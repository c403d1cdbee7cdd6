"""Teach the nets that tell whose cap it is: one that describes a cut's look, one that weighs it against a listed cap.

    python -m linesies.training.caps.naming NETS_FOLDER SAMPLES.npz... [--held WORD...] [--passes 10] [--go-on]

Learns from caps and from litter, for no cap is an answer too; the net of looks begins with the trunk of the folder's
sighting.onnx. Writes look.onnx and owner.onnx. Options as of `linesies.training.caps`; samples that are named twice
count twice.
"""

import logging
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from linesies.training.caps.augment import augmented
from linesies.training.caps.course import Course, read_course, teach
from linesies.training.caps.nets import PAIR_INPUTS, LookNet, OwnerNet, cut_inputs, take_weights
from linesies.training.caps.samples import STRANGER
from linesies.training.caps.stock import Stock
from linesies.training.onnx_file import write_onnx
from linesies.vision.caps.owners import LOG_SIZE, USUAL_MM, band_weights, pair_inputs

DROPPED = 0.05  # how often a cap's own listing is left out, so that it is nobody's
NEAR_MM = 5.0  # off the middle: farther, nobody is asked whose cap it is
NOT_LISTED = -40.0  # logit
TINY = 1e-6  # keeps logarithms finite

log = logging.getLogger("caps")


def main() -> None:
    """Teach, export and examine."""
    course = read_course(__doc__ or "", passes=10)
    stock, look, owner = course.stock, LookNet(), OwnerNet()
    take_weights(look.trunk, course.folder / "sighting.onnx", "trunk.")
    nets = {"look": look, "owner": owner}
    teach(course, nets, stock.lessons, lambda part: _loss(look, owner, course, part), begun=look.trunk)
    write_onnx(look, cut_inputs(), course.folder / "look.onnx")
    write_onnx(owner, {"pairs": torch.zeros(2, PAIR_INPUTS)}, course.folder / "owner.onnx")
    if len(stock.exam):
        _examine(look, owner, stock)


def _loss(look: LookNet, owner: OwnerNet, course: Course, part: NDArray[np.intp]) -> torch.Tensor:
    """Ask whose cap it is, its own listing left out now and then."""
    logits, truth = _asked(look, owner, course.stock, part, course.rng)
    nobody = logits.shape[1] - 2
    rows = np.flatnonzero((course.rng.random(len(truth)) < DROPPED) & (truth < nobody))
    mask = torch.zeros_like(logits)
    mask[rows, truth[rows]] = NOT_LISTED
    truth[rows] = nobody
    loss: torch.Tensor = functional.cross_entropy(logits + mask, torch.from_numpy(truth))
    return loss


def _asked(
    look: LookNet, owner: OwnerNet, stock: Stock, part: NDArray[np.intp], rng: np.random.Generator | None
) -> tuple[torch.Tensor, NDArray[np.intp]]:
    """Weigh cuts (N) against what their scenes list: logits (N, C + 2), at last nobody's and no cap; which is right."""
    planes, offsets, facts = augmented(stock, part, rng)
    near = np.hypot(*offsets.T) < NEAR_MM
    planes, facts, part = planes[near], facts[near], part[near]
    told = look(torch.from_numpy(planes), stock.leans(part))
    count, listed = facts.shape[:2]
    plain = np.nan_to_num(facts)
    diameters = USUAL_MM * np.exp(plain[..., LOG_SIZE].astype(float))
    seen = np.concatenate([pair_inputs(planes[i : i + 1], plain[i], band_weights(diameters[i])) for i in range(count)])
    pairs = torch.cat([told[:, None, 2:].expand(count, listed, -1), torch.from_numpy(seen)], -1)
    logits = owner(pairs.reshape(-1, PAIR_INPUTS)).reshape(count, listed)
    is_listed = torch.from_numpy(np.isfinite(facts[..., 0]))
    logits = torch.where(is_listed, logits, torch.full_like(logits, NOT_LISTED))
    truth = np.select([stock.owner[part] == STRANGER, stock.owner[part] < 0], [listed, listed + 1], stock.owner[part])
    return torch.cat([logits, told[:, 1:2], told[:, :1]], 1), truth


@torch.no_grad()
def _examine(look: LookNet, owner: OwnerNet, stock: Stock) -> None:
    """Tell by world how many caps are named right, and the log loss of what is a cap."""
    for scene in np.unique(stock.scene[stock.exam]):
        logits, truth = _asked(look, owner, stock, stock.exam[stock.scene[stock.exam] == scene], None)
        no_cap = logits.shape[1] - 1
        is_cap, shares = truth < no_cap, torch.softmax(logits, 1).numpy()
        right = np.mean(shares[is_cap, :no_cap].argmax(1) == truth[is_cap])
        loss = -np.mean(np.log(np.where(is_cap, 1 - shares[:, -1], shares[:, -1]) + TINY))
        log.info(
            "  %s: named right %.3f of %d; log loss of a cap %.3f",
            Path(str(stock.names[scene])).name,
            right,
            is_cap.sum(),
            loss,
        )


if __name__ == "__main__":
    main()
