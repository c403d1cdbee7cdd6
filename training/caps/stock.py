"""Samples in memory, and what each of their scenes lists."""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

KINDS = ("now", "empty", "offset_mm", "owner", "lean", "is_closer")  # of what is drawn of each sample


class Stock:
    """All samples in memory, and what each scene lists."""

    def __init__(self, files: list[Path], held: list[str]) -> None:
        """Read sample files; scenes with a word of `held` in their name are for the exam."""
        parts = [_read(file) for file in files]
        start = np.cumsum([0, *(len(part["names"]) for part in parts)])
        self.names = np.concatenate([part["names"] for part in parts])
        most = max(part["listed"].shape[1] for part in parts)
        pads = [((0, 0), (0, most - part["listed"].shape[1]), (0, 0)) for part in parts]
        listed = [np.pad(part["listed"], pad, constant_values=np.nan) for part, pad in zip(parts, pads, strict=True)]
        self.listed = np.concatenate(listed)
        self.scene = np.concatenate([part["scene"] + first for part, first in zip(parts, start, strict=False)])
        self.now, self.empty, self.offset_mm, self.owner, self.lean, self.is_closer = (
            np.concatenate([part[name] for part in parts]) for name in KINDS
        )
        is_held = np.array([any(word in str(name) for word in held) for name in self.names])
        self.exam = np.flatnonzero(is_held[self.scene])
        self.lessons = np.flatnonzero(~is_held[self.scene])

    def leans(self, part: NDArray[np.intp]) -> torch.Tensor:
        """Tell how slantwise each of a part of the samples is seen (N, 1)."""
        return torch.from_numpy(self.lean[part].astype(np.float32))[:, None]


def _read(file: Path) -> dict[str, NDArray[Any]]:
    """Read a sample file; one of which something was not drawn yet is refused."""
    part = dict(np.load(file))
    missing = sorted(set(KINDS) - set(part))
    if missing:
        raise SystemExit(f"{file}: has no {', '.join(missing)}; draw the samples anew")
    return part
