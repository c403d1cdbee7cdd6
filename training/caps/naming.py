"""Train the second net alone, on what the first one sees: cheap, so that it sees each cap many times over.

    python -m linesies.training.caps.naming NETS_FOLDER SAMPLES.npz... --held WORD [--passes 40]

Reads the folder's sighting.onnx, writes its owner.onnx and the logit of nobody's is left as it was.
"""

import argparse
import logging
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from torch.nn import functional

from linesies.training.caps.augment import augmented
from linesies.training.caps.nets import PAIR_INPUTS, OwnerNet, SightingNet
from linesies.training.caps.stock import Stock
from linesies.vision.caps.sightings import LOOK, USUAL_MM, band_weights, pair_inputs

VIEWS = 6  # of every cap
NEAR_MM = 4.0
BATCH = 256
RATE = 3e-3
DROPPED = 0.08
LOOK_DROPPED = 0.3

log = logging.getLogger("naming")


def load_net(path: Path) -> SightingNet:
    """Load the first net's weights from its ONNX file."""
    net = SightingNet()
    weights = {one.name: torch.tensor(onnx.numpy_helper.to_array(one)) for one in onnx.load(path).graph.initializer}
    net.load_state_dict({name: weights[name] for name in net.state_dict()})
    net.eval()
    return net


@torch.no_grad()
def seen_pairs(
    net: SightingNet, stock: Stock, chosen: NDArray[np.intp], rng: np.random.Generator | None
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], NDArray[np.intp]]:
    """Look at caps: the second net's inputs (N, C, inputs), nobody's logits (N,), which are listed, whose each is."""
    inputs, nobody, listed, owners = [], [], [], []
    for start in range(0, len(chosen), BATCH):
        part = chosen[start : start + BATCH]
        planes, offsets, facts = augmented(stock, part, rng)
        lean = torch.from_numpy(stock.lean[part].astype(np.float32))[:, None]
        told = net(torch.from_numpy(planes), lean).numpy()
        near = np.flatnonzero(np.hypot(*offsets.T) < NEAR_MM)
        for i in near:
            plain = np.nan_to_num(facts[i])
            weights = band_weights(USUAL_MM * np.exp(plain[:, 3].astype(float)))
            seen = pair_inputs(planes[i : i + 1], plain, weights)[0]
            inputs.append(np.concatenate([np.tile(told[i, 4:], (len(plain), 1)), seen], axis=1).astype(np.float16))
            nobody.append(told[i, 3])
            listed.append(np.isfinite(facts[i, :, 0]))
            owners.append(stock.owner[part[i]])
    return np.array(inputs), np.array(nobody, np.float32), np.array(listed), np.array(owners)


def main() -> None:
    """Train, examine and export."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("samples", type=Path, nargs="+")
    parser.add_argument("--held", nargs="*", default=[])
    parser.add_argument("--passes", type=int, default=40)
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.set_num_threads(1)
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    stock = Stock(given.samples, given.held)
    first = load_net(given.folder / "sighting.onnx")
    caps = stock.lessons[stock.owner[stock.lessons] >= 0]
    lessons = [seen_pairs(first, stock, caps, rng) for _ in range(VIEWS)]
    joined = [np.concatenate(parts) for parts in zip(*lessons, strict=True)]
    exam = seen_pairs(first, stock, stock.exam[stock.owner[stock.exam] >= 0], None) if len(stock.exam) else None
    net = _taught(joined, exam, given.passes, rng)
    axes = {"pairs": {0: "n"}, "answers": {0: "n"}}
    torch.onnx.export(
        net,
        (torch.zeros(2, PAIR_INPUTS),),
        str(given.folder / "owner.onnx"),
        input_names=["pairs"],
        output_names=["answers"],
        dynamic_axes=axes,
        dynamo=False,
    )


def _taught(
    joined: list[NDArray[np.float32]],
    exam: tuple[NDArray[np.float32], ...] | None,
    passes: int,
    rng: np.random.Generator,
) -> OwnerNet:
    """Train the second net on looks, and tell now and then how it names those of the exam."""
    net = OwnerNet()
    optimiser = torch.optim.AdamW(net.parameters(), RATE, weight_decay=2e-3)
    steps = passes * (len(joined[0]) // BATCH + 1)
    rates = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps + 1)
    log.info("%d looks", len(joined[0]))
    for turn in range(passes):
        order = rng.permutation(len(joined[0]))
        losses = []
        for start in range(0, len(order), BATCH):
            part = order[start : start + BATCH]
            loss = _loss(net, [column[part] for column in joined], rng)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            rates.step()
            losses.append(float(loss.detach()))
        if turn % 10 == 9 and exam is not None:
            net.eval()
            guess = _logits(net, *exam[:3]).detach().numpy()
            right = guess.argmax(1) == exam[3]
            sure = guess.max(1) - np.sort(guess, axis=1)[:, -2] > 3
            told = (turn + 1, np.mean(losses), right.mean(), sure.mean(), right[sure].mean())
            log.info("pass %d: loss %.3f, named right %.3f; sure of %.3f, of these right %.4f", *told)
            net.train()
    net.eval()
    return net


def _logits(
    net: OwnerNet, inputs: NDArray[np.float32], nobody: NDArray[np.float32], listed: NDArray[np.bool_]
) -> torch.Tensor:
    pairs = torch.from_numpy(inputs.astype(np.float32))
    logits = net(pairs.reshape(-1, PAIR_INPUTS)).reshape(pairs.shape[:2])
    logits = torch.where(torch.from_numpy(listed), logits, torch.full_like(logits, -40.0))
    return torch.cat([logits, torch.from_numpy(nobody)[:, None]], 1)


def _loss(net: OwnerNet, columns: list[NDArray[np.float32]], rng: np.random.Generator) -> torch.Tensor:
    inputs, nobody, listed, owners = columns
    kept = (rng.random((len(inputs), 1, LOOK)) > LOOK_DROPPED) / (1 - LOOK_DROPPED)  # colours and sizes must do too
    inputs = inputs.astype(np.float32)
    inputs[:, :, :LOOK] *= kept
    dropped = rng.random(len(owners)) < DROPPED
    listed, owners = listed.copy(), owners.copy().astype(np.int64)
    listed[dropped, owners[dropped]] = False
    owners[dropped] = listed.shape[1]
    loss: torch.Tensor = functional.cross_entropy(_logits(net, inputs, nobody, listed), torch.from_numpy(owners))
    return loss


if __name__ == "__main__":
    main()
