"""The small nets: each read from its file once, and asked about few cuts at a time."""

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Planes = NDArray[np.float32]

NETS = Path(__file__).parent / "nets"
BATCH = (
    16  # cuts asked of a net at once: what it works with grows with them, 20 MB a net at 120, and is never given back
)


def ask(name: str, planes: Planes, leans: Array) -> Array:
    """Ask a net of cuts (N, 6, SIDE, SIDE), of one at least, seen so slantwise (N,): (N, answers)."""
    given = np.asarray(leans, np.float32).reshape(-1, 1)
    few = range(0, len(planes), BATCH)
    told = [_told_of_few(open_net(name), planes[at : at + BATCH], given[at : at + BATCH]) for at in few]
    return np.concatenate(told)


@lru_cache(maxsize=3)
def open_net(name: str) -> cv2.dnn.Net:
    """Read a net, once."""
    return cv2.dnn.readNetFromONNX(str(NETS / f"{name}.onnx"))


def _told_of_few(net: cv2.dnn.Net, planes: Planes, leans: Planes) -> Array:
    net.setInput(planes, "planes")
    net.setInput(leans, "leans")
    return np.asarray(net.forward(), float)
