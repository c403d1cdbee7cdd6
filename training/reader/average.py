"""Average the index nets of two trainings, the second gone on from the first.

    python -m linesies.training.reader.average FIRST.pt SECOND.pt AVERAGE.pt --pictures FOLDER/held_out.npz

The average keeps more of what the first knew than the second does. How strongly its layers answer is measured anew on
some pictures, whose labels are not looked at. The whole-card net is the second's.
"""

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn

from linesies.training.reader.nets import IndexNet

BATCH = 100


def main() -> None:
    """Average and save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("first", "second", "average"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--pictures", type=Path, required=True)
    given = parser.parse_args()
    first, second = torch.load(given.first), torch.load(given.second)
    net = averaged(first["index"], second["index"])
    with np.load(given.pictures) as arrays:
        measure_layers(net, torch.from_numpy(next(iter(arrays.values()))).permute(0, 3, 1, 2))
    torch.save({"index": net.state_dict(), "whole": second["whole"]}, given.average)


def averaged(first: dict[str, torch.Tensor], second: dict[str, torch.Tensor]) -> IndexNet:
    """Make the net whose weights lie midway between two others'."""
    net = IndexNet()
    net.load_state_dict({name: (first[name] + second[name]) / 2 for name in first})
    return net


def measure_layers(net: nn.Module, pictures: torch.Tensor) -> None:
    """Measure anew, over pictures (n, 3, h, w), the means and spreads by which a net scales its layers."""
    for layer in net.modules():
        if isinstance(layer, nn.BatchNorm2d):
            layer.reset_running_stats()
            layer.momentum = None  # all batches count alike
    net.train()
    with torch.no_grad():
        for batch in pictures.split(BATCH):
            net(batch.float())


if __name__ == "__main__":
    main()
