"""The finder's network: fully convolutional, about 800,000 weights, a vote from every fourth pixel."""

import torch
from torch import Tensor, nn

CHANNELS = 8  # card or not; centre x, y; how unsure, as a logarithm; long half axis, short half axis, angles doubled


def _conv(inputs: int, outputs: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    layer = nn.Conv2d(inputs, outputs, 3, stride, dilation, dilation, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


class _Block(nn.Module):
    """Two convolutions beside a shortcut."""

    def __init__(self, width: int, dilation: int = 1) -> None:
        super().__init__()
        self.first = _conv(width, width, 1, dilation)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))
        self.act = nn.ReLU(inplace=True)

    def forward(self, x: Tensor) -> Tensor:
        """Refine (B, C, H, W)."""
        return self.act(x + self.second(self.first(x)))


class FinderNet(nn.Module):
    """From a picture (B, 3, H, W), both sides multiples of 16, to votes (B, 8, H / 4, W / 4)."""

    def __init__(self) -> None:
        super().__init__()
        self.quarter = nn.Sequential(_conv(3, 16, 2), _conv(16, 32, 2), _Block(32))
        self.eighth = nn.Sequential(_conv(32, 64, 2), _Block(64))
        self.sixteenth = nn.Sequential(_conv(64, 96, 2), _Block(96), _Block(96, 2), _Block(96, 2))
        self.up_eighth = nn.ConvTranspose2d(96, 64, 2, 2)
        self.join_eighth = _conv(64, 64)
        self.refine = _Block(64, 2)
        self.up_quarter = nn.ConvTranspose2d(64, 32, 2, 2)
        self.join_quarter = nn.Sequential(_conv(32, 32), nn.Conv2d(32, 64, 1), nn.ReLU(inplace=True))
        self.vote = nn.Conv2d(64, CHANNELS, 1)

    def forward(self, picture: Tensor) -> Tensor:
        """Vote."""
        quarter = self.quarter(picture)
        eighth = self.eighth(quarter)
        wide = self.refine(self.join_eighth(eighth + self.up_eighth(self.sixteenth(eighth))))
        return self.vote(self.join_quarter(quarter + self.up_quarter(wide)))


def loss(said: Tensor, meant: Tensor) -> Tensor:
    """Weigh votes (B, 8, h, w) against `linesies.training.finder_data.votes`: card or not, place, size and turn."""
    is_card, weight = meant[:, 0], meant[:, 7]
    card = nn.functional.binary_cross_entropy_with_logits(said[:, 0], is_card)
    unsure = said[:, 3].clamp(-6, 4)
    away = (said[:, 1:3] - meant[:, 1:3]).abs().sum(1)
    place = away * torch.exp(-unsure) + 2 * unsure
    axes = (said[:, 4:8] - meant[:, 3:7]).abs().sum(1)
    share = weight / weight.sum().clamp(min=1.0)
    return 4 * card + 0.3 * (place * share).sum() + ((axes + away) * share).sum()
