"""The readers' networks: a few plain convolutions, then one look at where things are, and a head a question."""

import torch
from torch import nn

from device.training.reader.labels import SIDES
from vision.cards.glyphs import NONE_GLYPH, NONE_SUIT

INDEX_HEADS = (NONE_GLYPH + 1, NONE_SUIT + 1)
WHOLE_HEADS = (NONE_GLYPH + 1, NONE_SUIT + 1, len(SIDES))


class ReaderNet(nn.Module):
    """A net that takes pictures (n, 3, height, width), bgr 0..255, and gives all heads' logits side by side."""

    def __init__(self, size_px: tuple[int, int], heads: tuple[int, ...]) -> None:
        super().__init__()
        self.heads = heads
        width, height = size_px
        for _ in range(4):
            width, height = (width + 1) // 2, (height + 1) // 2
        self.body = nn.Sequential(
            *_block(3, 16, 2),
            *_block(16, 32, 2),
            *_block(32, 32, 1),
            *_block(32, 64, 2),
            *_block(64, 64, 1),
            *_block(64, 96, 2),
            *_block(96, 64, 1, kernel=1),
        )
        self.look = nn.Sequential(nn.Flatten(), nn.Dropout(0.1), nn.Linear(64 * width * height, 96), nn.ReLU())
        self.answer = nn.Linear(96, sum(heads))

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        """Answer with logits (n, sum of heads)."""
        return self.answer(self.look(self.body(pictures / 127.5 - 1.0)))


def _block(inputs: int, outputs: int, stride: int, kernel: int = 3) -> tuple[nn.Module, ...]:
    convolution = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False)
    return convolution, nn.BatchNorm2d(outputs), nn.ReLU()


def loss_of(
    logits: torch.Tensor, labels: torch.Tensor, heads: tuple[int, ...], smoothing: float = 0.03
) -> torch.Tensor:
    """Sum the heads' cross entropies; labels (n, heads) below 0 are left out."""
    total = logits.new_zeros(())
    for k, part in enumerate(logits.float().split(heads, 1)):
        asked = labels[:, k] >= 0
        if asked.any():
            total = total + nn.functional.cross_entropy(part[asked], labels[asked, k], label_smoothing=smoothing)
    return total
