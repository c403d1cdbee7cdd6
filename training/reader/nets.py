"""The readers' networks: a few plain convolutions, and a head a question."""

import torch
from torch import nn

from linesies.training.reader.labels import SIDES
from linesies.vision.cards.read import glyphs, indices

INDEX_HEADS = (glyphs.NONE_GLYPH + 1, glyphs.NONE_SUIT + 1)
WHOLE_HEADS = (glyphs.NONE_GLYPH + 1, glyphs.NONE_SUIT + 1, len(SIDES))


class IndexNet(nn.Module):
    """A net for index crops (n, 3, 108, 72), bgr 0..255: logits of all heads side by side.

    Every cell of a coarse grid says which glyph and which suit it sees; where in the crop that is counts for little
    (a bias a cell), so that a shape learned in one place is known in all. "None" is what the crop on average says.
    """

    def __init__(self) -> None:
        super().__init__()
        width, height = (-(-side // 8) for side in indices.INDEX_PX)
        self.body = nn.Sequential(
            *_block(3, 16, 2),
            *_block(16, 32, 2),
            *_block(32, 32, 1),
            *_block(32, 64, 2),
            *_block(64, 64, 1),
            *_block(64, 96, 1),
            *_block(96, 64, 1, kernel=1),
        )
        self.shapes = nn.Conv2d(64, glyphs.NONE_GLYPH + glyphs.NONE_SUIT, 1)
        self.places = nn.Parameter(torch.zeros(2, height, width))
        self.nones = nn.Linear(64, 2)

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        """Answer with logits (n, sum of heads)."""
        cells = self.body(pictures / 127.5 - 1.0)
        seen = self.shapes(cells).float()
        ranks, suits = seen[:, : glyphs.NONE_GLYPH] + self.places[:1], seen[:, glyphs.NONE_GLYPH :] + self.places[1:]
        said = [torch.log(torch.exp(part).mean((2, 3))) for part in (ranks, suits)]
        nones = self.nones(cells.mean((2, 3))).float()
        return torch.cat([said[0], nones[:, :1], said[1], nones[:, 1:]], 1)


class WholeNet(nn.Module):
    """A net for whole cards (n, 3, 132, 96), bgr 0..255: logits of all heads side by side."""

    def __init__(self) -> None:
        super().__init__()
        width, height = (-(-side // 16) for side in indices.WHOLE_PX)
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
        self.answer = nn.Linear(96, sum(WHOLE_HEADS))

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
