"""The nets: whether a place shows a cap, what it looks like, and whether that is a listed cap."""

from pathlib import Path

import onnx
import torch
from torch import nn

from linesies.vision.caps.cuts import SIDE_PX
from linesies.vision.caps.owners import BANDS, INSIDE, KINDS, LEAST_LEVEL, LOOK

FACTS = 5 + len(KINDS)
PAIR_INPUTS = LOOK + 6 * len(BANDS) + (3 + 3 + 1) * INSIDE + FACTS


class SightingNet(nn.Module):
    """Cuts (N, 6, 40, 40) and slants (N, 1) -> log odds of a cap and its offset (N, 3).

    Beside both pictures it is shown by what share each pixel became brighter: there shadow is even, and paint is gone.
    """

    def __init__(self) -> None:
        super().__init__()
        self.trunk = _trunk(9, 24, 40, 48, 64)
        self.read = nn.Linear(64 * 25 + 1, 64)
        self.tell = nn.Linear(64, 3)

    def forward(self, planes: torch.Tensor, leans: torch.Tensor) -> torch.Tensor:
        """Tell of each cut (N, 3)."""
        seen = self.trunk(_with_brighter(planes))
        out: torch.Tensor = self.tell(torch.relu(self.read(torch.cat([seen, leans], 1))))
        return out


class LookNet(nn.Module):
    """Cuts (N, 6, 40, 40) and slants (N, 1) -> logits of no cap and of nobody's, and the look (N, 2 + LOOK).

    Its trunk is that of `SightingNet`, from which it may begin.
    """

    def __init__(self) -> None:
        super().__init__()
        self.trunk = _trunk(9, 24, 40, 48, 64)
        self.read = nn.Linear(64 * 25 + 1, 96)
        self.look = nn.Linear(96, 2 + LOOK)

    def forward(self, planes: torch.Tensor, leans: torch.Tensor) -> torch.Tensor:
        """Describe each cut (N, 2 + LOOK)."""
        read = torch.relu(self.read(torch.cat([self.trunk(_with_brighter(planes)), leans], 1)))
        out: torch.Tensor = self.look(read)
        return out


def _with_brighter(planes: torch.Tensor) -> torch.Tensor:
    """Centre the planes of cuts (N, C, 40, 40), and add by what share each pixel became brighter (N, C + 3, 40, 40)."""
    now, empty = planes[:, :3], planes[:, 3:6]
    brighter = torch.log((now + LEAST_LEVEL) / (empty + LEAST_LEVEL))
    return torch.cat([planes - 0.5, brighter], 1)


def _trunk(*channels: int) -> nn.Sequential:
    given, first, second, third, last = channels
    return nn.Sequential(
        nn.Conv2d(given, first, 5, 2, 2),
        nn.ReLU(),
        nn.Conv2d(first, second, 3, 2, 1),
        nn.ReLU(),
        nn.Conv2d(second, third, 3, 1, 1),
        nn.ReLU(),
        nn.Conv2d(third, last, 3, 2, 1),
        nn.ReLU(),
        nn.Flatten(),
        nn.Dropout(0.2),
    )


class WitnessNet(nn.Module):
    """Cuts with the listed cap drawn in (N, 7, 40, 40), and its measures (N, 3) -> offset and its doubt (N, 4).

    Offsets are along the cut's x and y, doubts the logarithms of their deviations, all in mm. Places are told finer
    than pixels, so the trunk keeps more of them than those of the other nets.
    """

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Conv2d(10, 24, 5, 2, 2),
            nn.ReLU(),
            nn.Conv2d(24, 40, 3, 1, 1),
            nn.ReLU(),
            nn.Conv2d(40, 48, 3, 2, 1),
            nn.ReLU(),
            nn.Conv2d(48, 64, 3, 1, 1),
            nn.ReLU(),
            nn.Flatten(),
        )
        self.read = nn.Linear(64 * 100 + 3, 64)
        self.tell = nn.Linear(64, 4)

    def forward(self, planes: torch.Tensor, measures: torch.Tensor) -> torch.Tensor:
        """Tell of each cut (N, 4)."""
        seen = self.trunk(_with_brighter(planes))
        out: torch.Tensor = self.tell(torch.relu(self.read(torch.cat([seen, measures], 1))))
        return out


class OwnerNet(nn.Module):
    """Pairs (M, inputs) of a look and a listed cap -> logits (M, 1)."""

    def __init__(self) -> None:
        super().__init__()
        self.weigh = nn.Sequential(
            nn.Linear(PAIR_INPUTS, 96), nn.ReLU(), nn.Dropout(0.1), nn.Linear(96, 48), nn.ReLU(), nn.Linear(48, 1)
        )

    def forward(self, pairs: torch.Tensor) -> torch.Tensor:
        """Weigh each pair (M, 1)."""
        out: torch.Tensor = self.weigh(pairs)
        return out


def take_weights(net: nn.Module, path: Path, part: str = "") -> None:
    """Take a net's weights, or those of a part of it, from an ONNX file."""
    weights = {one.name: torch.tensor(onnx.numpy_helper.to_array(one)) for one in onnx.load(path).graph.initializer}
    net.load_state_dict({name: weights[part + name] for name in net.state_dict()})


def averaged(before: dict[str, torch.Tensor], now: dict[str, torch.Tensor], kept: float) -> dict[str, torch.Tensor]:
    """Average a net's weights with those it had `before`: on worlds unlike the lessons that holds better than either.

    Wortsman et al. 2022, "Robust fine-tuning of zero-shot models".
    """
    return {name: kept * before[name] + (1 - kept) * one for name, one in now.items()}


def cut_inputs() -> dict[str, torch.Tensor]:
    """Give what a net that looks at cuts is exported with: two of each."""
    return {"planes": torch.zeros(2, 6, SIDE_PX, SIDE_PX), "leans": torch.zeros(2, 1)}
