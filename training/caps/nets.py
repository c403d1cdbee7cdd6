"""The two nets: what a place looks like, and whether that is a listed cap."""

import torch
from torch import nn

from linesies.vision.caps.sightings import BANDS, INSIDE, KINDS, LOOK

FACTS = 5 + len(KINDS)
PAIR_INPUTS = LOOK + 6 * len(BANDS) + (3 + 3 + 1) * INSIDE + FACTS


class SightingNet(nn.Module):
    """Cuts (N, 6, 40, 40) and slants (N, 1) -> log odds of a cap, offset (2), nobody's logit, look."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Conv2d(6, 16, 5, 2, 2),
            nn.ReLU(),
            nn.Conv2d(16, 24, 3, 2, 1),
            nn.ReLU(),
            nn.Conv2d(24, 32, 3, 1, 1),
            nn.ReLU(),
            nn.Conv2d(32, 48, 3, 2, 1),
            nn.ReLU(),
            nn.Flatten(),
            nn.Dropout(0.2),
        )
        self.read = nn.Linear(48 * 25 + 1, 64)
        self.tell = nn.Linear(64, 4)
        self.look = nn.Linear(64, LOOK)

    def forward(self, planes: torch.Tensor, leans: torch.Tensor) -> torch.Tensor:
        """Tell of each cut (N, 4 + LOOK)."""
        read = torch.relu(self.read(torch.cat([self.trunk(planes - 0.5), leans], 1)))
        return torch.cat([self.tell(read), self.look(read)], 1)


class OwnerNet(nn.Module):
    """Pairs (M, inputs) of a look and a listed cap -> logits (M, 1)."""

    def __init__(self) -> None:
        super().__init__()
        self.weigh = nn.Sequential(
            nn.Linear(PAIR_INPUTS, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 1)
        )

    def forward(self, pairs: torch.Tensor) -> torch.Tensor:
        """Weigh each pair (M, 1)."""
        out: torch.Tensor = self.weigh(pairs)
        return out
