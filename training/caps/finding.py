"""What it costs a net to be wrong about whether a place shows a cap, and where its middle is."""

import torch
from torch.nn import functional

from linesies.training.caps.augment import ShownCuts
from linesies.vision.caps.net import OFFSET_MM

OFFSETS = 1.5  # by how much a wrong place counts beside a wrong answer
NEAR_ENOUGH = 0.05  # of OFFSET_MM: nearer than this a place need hardly come


def loss_of_finding(log_odds: torch.Tensor, offsets: torch.Tensor, shown: ShownCuts) -> torch.Tensor:
    """Weigh log odds of a cap (N,) and offsets (N, 2), as nets tell them, by what the cuts truly show."""
    is_cap = (shown.owner >= 0).float()
    found = functional.binary_cross_entropy_with_logits(log_odds, is_cap)
    there = shown.offset_mm / OFFSET_MM
    apart = functional.smooth_l1_loss(offsets, there, reduction="none", beta=NEAR_ENOUGH)
    loss: torch.Tensor = found + OFFSETS * (apart.sum(1) * is_cap).mean()
    return loss
