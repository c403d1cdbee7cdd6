"""The small nets: each read from its file once, and asked about few cuts at a time."""

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.vision.pieces import Pieces, at_once

Array = NDArray[np.float64]
Planes = NDArray[np.float32]

FOLDER = Path(__file__).parent / "nets"
OFFSET_MM = 10.0  # what the nets that tell where a cap's middle is count offsets in
BATCH = 8  # cuts asked of a net at once: all six hold 84 MB then, with 16 111 MB, and 4 to 16 take as long a cut


def ask(name: str, planes: Planes, **beside: Array | Planes) -> Array:
    """Ask a net of cuts (N, C, SIDE, SIDE), of one at least, and of what it is told of each beside: (N, answers).

    What is told is called as the net's own input, one row or number a cut.
    """
    return at_once(asking(name, planes, **beside))


def asking(name: str, planes: Planes, **beside: Array | Planes) -> Pieces[Array]:
    """Ask as `ask` does, in pieces of a few cuts."""
    rows = {key: np.asarray(one, np.float32).reshape(len(planes), -1) for key, one in beside.items()}
    given = {"planes": planes, **rows}
    told = []
    for at in range(0, len(planes), BATCH):
        told.append(_told_of_few(open_net(name), {k: v[at : at + BATCH] for k, v in given.items()}))
        yield
    return np.concatenate(told)


def ask_both_ways(name: str, planes: Planes, **beside: Array | Planes) -> tuple[Array, Array]:
    """Ask a net as `ask` does, of cuts as they are and mirrored: so its weights are fetched once for both."""
    both = np.concatenate([planes, planes[..., ::-1]])
    told = ask(name, both, **{key: np.concatenate([one, one]) for key, one in beside.items()})
    return told[: len(planes)], told[len(planes) :]


@lru_cache(maxsize=8)
def open_net(name: str) -> cv2.dnn.Net:
    """Read a net, once."""
    return cv2.dnn.readNetFromONNX(str(FOLDER / f"{name}.onnx"))


def _told_of_few(net: cv2.dnn.Net, given: dict[str, Planes]) -> Array:
    for name, values in given.items():
        net.setInput(values, name)
    return np.asarray(net.forward(), float)
