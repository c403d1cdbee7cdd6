"""A small network that tells a card's outer edge from its frame, its pattern, its shadow and its neighbours."""

from importlib import resources
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.vision.cards.card import CARD_MM
from linesies.vision.picture.frame import Image

Array = NDArray[np.float64]

ALONG = np.linspace(0.09, 0.91, 12)  # a card's corners are round: its sides are straight between
S = 2 * ALONG - 1  # the same from -1 to 1
STEP_MM = 0.5
OFFSETS_MM = STEP_MM * np.arange(-16, 17)  # outward from the supposed side
FINEST_PX_PER_MM = 2.5  # as the network was taught; pictures much finer than that are reduced first
MUCH_FINER = 1.5
LEAST_CONTRAST = 4.0  # grey levels, added to a strip's own; as the network was taught


def side_strips(picture_bgr: Image, quads_px: Array) -> NDArray[np.float32]:
    """Cut a strip across each side of quads (N, 4, 2): (N * 4, 3, samples along, offsets outward), contrast evened."""
    scale = side_scales(quads_px)
    finer = float(np.median(scale)) / FINEST_PX_PER_MM
    if finer > MUCH_FINER:
        size = (round(picture_bgr.shape[1] / finer), round(picture_bgr.shape[0] / finer))
        picture_bgr = cv2.resize(picture_bgr, size, interpolation=cv2.INTER_AREA)
        quads_px, scale = (quads_px + 0.5) / finer - 0.5, scale / finer
    points, normal, _ = side_frames(quads_px)
    reach = (scale[:, None] * OFFSETS_MM)[:, None, None, :, None] * normal[:, :, None, None]
    strips = see(picture_bgr, points[..., None, :] + reach)
    strips = strips.reshape(-1, *strips.shape[2:])
    strips -= strips.mean((1, 2, 3), keepdims=True)
    strips /= strips.std((1, 2, 3), keepdims=True) + LEAST_CONTRAST
    return np.ascontiguousarray(strips.transpose(0, 3, 1, 2))


def side_scales(quads_px: Array) -> Array:
    """Tell how many pixels make a millimetre of each card (N,)."""
    lengths = np.linalg.norm(np.roll(quads_px, -1, 1) - quads_px, axis=2)
    return np.asarray(lengths.sum(1) / (2 * sum(CARD_MM)))


def side_frames(quads: Array) -> tuple[Array, Array, Array]:
    """Place the samples (N, 4, S, 2) on the sides, with each side's outward normal (N, 4, 2) and length (N, 4)."""
    run = np.roll(quads, -1, 1) - quads
    length = np.maximum(np.hypot(run[..., 0], run[..., 1]), 1e-6)
    normal = np.stack([run[..., 1], -run[..., 0]], -1) / length[..., None]  # clockwise with y downward: outward
    return quads[:, :, None] + ALONG[:, None] * run[:, :, None], normal, length


def see(picture: NDArray[np.uint8] | NDArray[np.uint16], at: Array) -> NDArray[np.float32]:
    """See a picture's colours at points (..., 2), between its pixels: (..., 3)."""
    flat = at.reshape(-1, at.shape[-2], 2).astype(np.float32)
    seen = [
        cv2.remap(picture, part[..., 0], part[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for part in np.array_split(flat, max(1, len(flat) // 16000))  # a remap's map has at most 32767 rows
    ]
    return np.concatenate(seen).reshape(*at.shape[:-1], -1).astype(np.float32)


class EdgeNet:
    """The network, read once."""

    def __init__(self, path: Path | None = None) -> None:
        with resources.as_file(resources.files("linesies.vision.cards") / "nets" / "edges.onnx") as ours:
            self._net = cv2.dnn.readNetFromONNX(str(path or ours))

    def ask(self, picture_bgr: Image, quads_px: Array) -> NDArray[np.float32]:
        """Say how likely the outer edge is at each offset of each sample: (N, 4, samples, offsets).

        What is missing to 1 over a sample's offsets is how likely no edge of this card is seen there.
        """
        self._net.setInput(side_strips(picture_bgr, quads_px))
        odds = np.exp(np.clip(self._net.forward()[:, 0], -20, 20))
        chances = odds / (1 + odds.sum(-1, keepdims=True))
        return chances.reshape(len(quads_px), 4, len(ALONG), len(OFFSETS_MM))
