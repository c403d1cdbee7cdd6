"""Train the judge's two nets (needs the extra `training`), and tell how they do on worlds held out.

    python -m linesies.training.caps NETS_FOLDER SAMPLES.npz... --held WORD [--passes 12]

`--held` names scenes to leave out, by a part of their folder's name: their answers are told after every pass, and a
table by world at the end. Without it everything is learned from. One core and some ten minutes suffice.
"""

import argparse
import logging
import time
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from linesies.training.caps.augment import augmented
from linesies.training.caps.nets import PAIR_INPUTS, OwnerNet, SightingNet
from linesies.training.caps.stock import Stock
from linesies.vision.caps.sightings import OFFSET_MM, USUAL_MM, band_weights, pair_inputs

BATCH = 64
RATE = 2e-3
DROPPED = 0.1  # how often a cap's own listing is left out, so that it is nobody's
NEAR_MM = 5.0  # off the middle: farther, nobody is asked whose cap it is


log = logging.getLogger("caps")


def main() -> None:
    """Train, examine and export."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("samples", type=Path, nargs="+")
    parser.add_argument("--held", nargs="*", default=[])
    parser.add_argument("--passes", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.set_num_threads(1)
    torch.manual_seed(given.seed)
    stock = Stock(given.samples, given.held)
    rng = np.random.default_rng(given.seed)
    nets = SightingNet(), OwnerNet()
    optimiser = torch.optim.AdamW([p for net in nets for p in net.parameters()], RATE, weight_decay=1e-3)
    steps = given.passes * (len(stock.lessons) // BATCH)
    rates = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps + 1)
    began = time.process_time()
    for turn in range(given.passes):
        losses = []
        order = rng.permutation(stock.lessons)
        for i in range(0, len(order) - BATCH + 1, BATCH):
            loss = _loss(nets, stock, order[i : i + BATCH], rng)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            rates.step()
            losses.append(float(loss.detach()))
        log.info("pass %d: loss %.3f, %.0f s", turn + 1, np.mean(losses), time.process_time() - began)
        if len(stock.exam) and (turn % 3 == 2 or turn == given.passes - 1):
            _examine(nets, stock)
        _export(nets, given.folder)


def _loss(
    nets: tuple[SightingNet, OwnerNet], stock: Stock, chosen: NDArray[np.intp], rng: np.random.Generator
) -> torch.Tensor:
    planes, offsets, facts = augmented(stock, chosen, rng)
    owner = stock.owner[chosen]
    told = nets[0](torch.from_numpy(planes), torch.from_numpy(stock.lean[chosen].astype(np.float32))[:, None])
    is_cap = torch.from_numpy((owner >= 0).astype(np.float32))
    found = functional.binary_cross_entropy_with_logits(told[:, 0], is_cap)
    off = (
        functional.smooth_l1_loss(told[:, 1:3], torch.from_numpy(offsets / OFFSET_MM), reduction="none").sum(1) * is_cap
    ).mean()
    near = (owner >= 0) & (np.hypot(*offsets.T) < NEAR_MM)
    named = _name_loss(nets[1], told, planes, facts, np.where(near, owner, -2), rng)
    return found + 3 * off + named


def _name_loss(
    net: OwnerNet,
    told: torch.Tensor,
    planes: NDArray[np.float32],
    facts: NDArray[np.float32],
    owner: NDArray[np.intp],
    rng: np.random.Generator,
) -> torch.Tensor:
    """Ask whose cap it is, its own listing left out now and then; litter is nobody's."""
    asked = owner >= 0
    if not asked.any():
        return told.sum() * 0
    logits = name_logits(net, told[asked], planes[asked], facts[asked])
    truth = owner[asked].copy()
    dropped = rng.random(len(truth)) < DROPPED
    rows = np.flatnonzero(dropped)
    mask = torch.zeros_like(logits)
    mask[rows, truth[rows]] = -30.0
    truth[dropped] = logits.shape[1] - 1
    loss: torch.Tensor = functional.cross_entropy(logits + mask, torch.from_numpy(truth))
    return loss


def name_logits(
    net: OwnerNet, told: torch.Tensor, planes: NDArray[np.float32], facts: NDArray[np.float32]
) -> torch.Tensor:
    """Weigh cuts (N) against the caps listed in their scenes (N, C, facts; NaN: none): logits (N, C + 1)."""
    count, listed = facts.shape[:2]
    is_listed = np.isfinite(facts[..., 0])
    plain = np.nan_to_num(facts)
    diameters = USUAL_MM * np.exp(plain[..., 3].astype(float))
    known = np.concatenate([pair_inputs(planes[i : i + 1], plain[i], band_weights(diameters[i])) for i in range(count)])
    pairs = torch.cat([told[:, 4:][:, None].expand(count, listed, -1), torch.from_numpy(known)], -1)
    logits = net(pairs.reshape(-1, PAIR_INPUTS)).reshape(count, listed)
    logits = torch.where(torch.from_numpy(is_listed), logits, torch.full_like(logits, -40.0))
    return torch.cat([logits, told[:, 3:4]], 1)


@torch.no_grad()
def _examine(nets: tuple[SightingNet, OwnerNet], stock: Stock) -> None:
    """Tell by world how many caps and how much litter are told apart, and how many caps are named right."""
    for net in nets:
        net.eval()
    planes, offsets, facts = augmented(stock, stock.exam, None)
    told = nets[0](torch.from_numpy(planes), torch.from_numpy(stock.lean[stock.exam].astype(np.float32))[:, None])
    owner, odds = stock.owner[stock.exam], told[:, 0].numpy()
    guess = name_logits(nets[1], told, planes, facts).numpy().argmax(1)
    for scene in np.unique(stock.scene[stock.exam]):
        here = stock.scene[stock.exam] == scene
        cap, none = here & (owner >= 0), here & (owner < 0)
        near = cap & (np.hypot(*offsets.T) < NEAR_MM)
        error = np.hypot(*(told[:, 1:3].numpy() * OFFSET_MM - offsets)[cap].T)
        log.info(
            "  %s: caps %.3f of %d, litter taken for caps %d of %d, named %.3f, off %.2f mm",
            Path(str(stock.names[scene])).name,
            np.mean(odds[cap] > 0),
            cap.sum(),
            np.sum(odds[none] > 0),
            none.sum(),
            np.mean(guess[near] == owner[near]),
            np.median(error),
        )
    for net in nets:
        net.train()


def _export(nets: tuple[SightingNet, OwnerNet], folder: Path) -> None:
    """Write both nets as ONNX, for any number of inputs."""
    folder.mkdir(parents=True, exist_ok=True)
    inputs = ((torch.zeros(2, 6, 40, 40), torch.zeros(2, 1)), (torch.zeros(2, PAIR_INPUTS),))
    names = (("sighting", ["planes", "leans"]), ("owner", ["pairs"]))
    for net, given, (name, words) in zip(nets, inputs, names, strict=True):
        net.eval()
        axes = {word: {0: "n"} for word in (*words, "answers")}
        torch.onnx.export(
            net,
            given,
            str(folder / f"{name}.onnx"),
            input_names=words,
            output_names=["answers"],
            dynamic_axes=axes,
            dynamo=False,
        )
        net.train()


if __name__ == "__main__":
    main()
