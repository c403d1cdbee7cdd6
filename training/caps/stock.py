"""Samples in memory, on the machine that teaches, and what each of their scenes lists."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from linesies.vision.caps.cuts import SIDE_PX

SHOWN = ("now", "empty", "offset_mm", "owner", "lean", "diameter_mm")  # of each sample, what nets are taught by
ROOM_PX = 6  # that kept cuts are wider on each side than what nets are shown
KINDS = (*SHOWN, "is_closer")  # of what is drawn of each


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DrawnCuts:
    """N samples as they were drawn: both pictures (N, 3, KEPT, KEPT) in stored levels, and what is true of them.

    That is the cap's offset (N, 2), its diameter (N,), 0 of none, which listed one it is (N,), what is listed
    (N, C, facts), not a number where a scene lists fewer, and how slantwise it is seen (N, 1).
    """

    now: torch.Tensor
    empty: torch.Tensor
    offset_mm: torch.Tensor
    diameter_mm: torch.Tensor
    owner: torch.Tensor
    listed: torch.Tensor
    leans: torch.Tensor

    def middles(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Give what a net is shown of both pictures (N, 3, SIDE, SIDE) where nothing is shifted."""
        part = slice(ROOM_PX, ROOM_PX + SIDE_PX)
        return self.now[..., part, part], self.empty[..., part, part]


class Stock:
    """All samples in memory, and what each scene lists."""

    def __init__(self, files: list[Path], held: list[str], device: str = "cpu") -> None:
        """Read sample files; scenes with a word of `held` in their name are for the exam."""
        parts = [_read(file) for file in files]
        start = np.cumsum([0, *(len(part["names"]) for part in parts)])
        self.names = np.concatenate([part["names"] for part in parts])
        most = max(part["listed"].shape[1] for part in parts)
        pads = [((0, 0), (0, most - part["listed"].shape[1]), (0, 0)) for part in parts]
        listed = [np.pad(part["listed"], pad, constant_values=np.nan) for part, pad in zip(parts, pads, strict=True)]
        self.scene = np.concatenate([part["scene"] + first for part, first in zip(parts, start, strict=False)])
        self.owner, self.is_closer = (np.concatenate([part[name] for part in parts]) for name in ("owner", "is_closer"))
        self.device = device
        self._listed = torch.from_numpy(np.concatenate(listed)).to(device)
        self._drawn = {
            name: torch.from_numpy(_plain(np.concatenate([part[name] for part in parts]))).to(device) for name in SHOWN
        }
        is_held = np.array([any(word in str(name) for word in held) for name in self.names])
        self.exam = np.flatnonzero(is_held[self.scene])
        self.lessons = np.flatnonzero(~is_held[self.scene])

    def drawn(self, part: NDArray[np.intp]) -> DrawnCuts:
        """Give some of the samples."""
        rows = torch.from_numpy(part).to(self.device)
        own = {name: columns[rows] for name, columns in self._drawn.items()}
        scene = torch.from_numpy(self.scene[part]).to(self.device)
        return DrawnCuts(
            now=own["now"].float().permute(0, 3, 1, 2),
            empty=own["empty"].float().permute(0, 3, 1, 2),
            offset_mm=own["offset_mm"],
            diameter_mm=own["diameter_mm"],
            owner=own["owner"],
            listed=self._listed[scene],
            leans=own["lean"][:, None],
        )


def _plain(column: NDArray[Any]) -> NDArray[Any]:
    return column.astype(np.float32) if column.dtype == np.float64 else column


def _read(file: Path) -> dict[str, NDArray[Any]]:
    """Read a sample file; one of which something was not drawn yet is refused."""
    part = dict(np.load(file))
    missing = sorted(set(KINDS) - set(part))
    if missing:
        raise SystemExit(f"{file}: has no {', '.join(missing)}; draw the samples anew")
    return part
