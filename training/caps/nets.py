"""The nets: where caps may lie, what a place shows and looks like, whether that is a listed cap, where it stands."""

import torch
from torch import nn
from torch.nn import functional

from linesies.training.caps.lite import LAST_CHANNELS, MIDDLE_CHANNELS, Lite
from linesies.vision.caps.cuts import SIDE_PX
from linesies.vision.caps.looks import DESCRIBED, LOOK
from linesies.vision.caps.owners import BANDS, INSIDE, KINDS, LEAST_LEVEL

FACTS = 5 + len(KINDS)
PAIR_INPUTS = DESCRIBED + 6 * len(BANDS) + (3 + 3 + 1) * INSIDE + FACTS
FINER = 2.0  # times; what the first blocks know was learned where things are larger than a cap of a dozen pixels
READ = 160


class SightingNet(nn.Module):
    """Cuts (N, 6, 40, 40) and slants (N, 1) -> all that `vision/caps/looks.py` takes from a sight (N, TOLD).

    It sees the place as it is now, and beside that what the published net never saw: the empty ground, and by what
    share each pixel became brighter; there shadow is even, and paint is gone.
    """

    def __init__(self) -> None:
        super().__init__()
        self.trunk = Lite(more=6)
        self.middle = nn.Conv2d(MIDDLE_CHANNELS, 48, 3, 2, 1)
        self.last = nn.Conv2d(LAST_CHANNELS, 80, 1)
        self.read = nn.Linear((48 + 80) * 25 + 1, READ)
        self.tell = nn.Linear(READ, LOOK.stop)
        self.drop_seen, self.drop_read = nn.Dropout(0.3), nn.Dropout(0.2)

    def forward(self, planes: torch.Tensor, leans: torch.Tensor) -> torch.Tensor:
        """Tell of each cut (N, TOLD)."""
        shown = torch.cat([2 * planes - 1, _brighter(planes)], 1)
        shown = functional.interpolate(shown, scale_factor=FINER, mode="bilinear", align_corners=False)
        middle, last = self.trunk(shown)
        seen = torch.cat([torch.relu(self.middle(middle)), torch.relu(self.last(last))], 1).flatten(1)
        read = torch.relu(self.read(torch.cat([self.drop_seen(seen), leans], 1)))
        out: torch.Tensor = self.tell(self.drop_read(read))
        return out


class ScoutNet(nn.Module):
    """Squares (N, 6, 40 + 8 k, ...), slants (N, 1) -> log odds of a cap, its offset (N, 3, k + 1, ...) every 8 px."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Conv2d(9, 24, 5, 2, 2),
            nn.ReLU(),
            nn.Conv2d(24, 40, 3, 2, 1),
            nn.ReLU(),
            nn.Conv2d(40, 48, 3, 1, 1),
            nn.ReLU(),
            nn.Conv2d(48, 64, 3, 2, 1),
            nn.ReLU(),
            nn.Dropout(0.2),
        )
        self.read = nn.Conv2d(64, 64, 5)
        self.lean = nn.Linear(1, 64, bias=False)
        self.tell = nn.Conv2d(64, 3, 1)

    def forward(self, planes: torch.Tensor, leans: torch.Tensor) -> torch.Tensor:
        """Tell of each place (N, 3, k + 1, k + 1)."""
        seen = self.trunk(torch.cat([planes - 0.5, _brighter(planes)], 1))
        out: torch.Tensor = self.tell(torch.relu(self.read(seen) + self.lean(leans)[..., None, None]))
        return out


class WitnessNet(nn.Module):
    """Cuts with the listed cap drawn in (N, 7, 40, 40), and its measures (N, 3) -> offset and its doubt (N, 4).

    Offsets are along the cut's x and y, doubts the logarithms of their deviations, all in mm.
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
        seen = self.trunk(torch.cat([planes - 0.5, _brighter(planes)], 1))
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


def _brighter(planes: torch.Tensor) -> torch.Tensor:
    """Tell by what share each pixel of cuts (N, C, 40, 40) became brighter (N, 3, 40, 40)."""
    return torch.log((planes[:, :3] + LEAST_LEVEL) / (planes[:, 3:6] + LEAST_LEVEL))


def cut_inputs() -> dict[str, torch.Tensor]:
    """Give what a net that looks at cuts is exported with: two of each."""
    return {"planes": torch.zeros(2, 6, SIDE_PX, SIDE_PX), "leans": torch.zeros(2, 1)}
