"""How a learned face looks under the light of another picture: gain and offset, colour cast, shade, veil and blur."""

from bisect import bisect_left
from dataclasses import dataclass

import cv2
import numpy as np

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.cards.learn.flat import FINE, Floats, Shown, blurred, halved, small


@dataclass(frozen=True)
class CardLightTuning(Tuning):
    """How a card's light is told from its print."""

    veil_costs: float = tuned(
        1.1,
        title="what a veil costs: it is believed only where the picture asks for it",
        unit="1",
        low=1,
        high=3,
        source=by_hand_in("8f31934"),
    )
    shade_tiles: float = tuned(
        2.2,
        title="over how many tiles light is the same; a digit is smaller",
        unit="tiles",
        low=0.5,
        high=8,
        source=by_hand_in("3954535"),
    )
    cast_held: float = tuned(
        0.02, title="how firmly a colour's own gain is held to that of all", unit="1", low=0, high=1, source=BY_HAND
    )
    least_cast: float = tuned(
        0.6, title="of the common gain, what a colour's is at least", unit="1", low=0.1, high=1, source=BY_HAND
    )
    most_cast: float = tuned(1.6, title="likewise at most", unit="1", low=1, high=5, source=BY_HAND)
    shade_held_grey2: float = tuned(
        60.0, title="how firmly shade is held to none, as a variance", unit="grey2", low=1, high=1000, source=BY_HAND
    )
    shade_held: float = tuned(
        0.3, title="likewise, of the picture's mean variance", unit="1", low=0, high=5, source=BY_HAND
    )
    darkest_shade: float = tuned(0.3, title="least shade", unit="1", low=0.05, high=1, source=BY_HAND)
    brightest_shade: float = tuned(2.0, title="most that light adds", unit="1", low=1, high=8, source=BY_HAND)
    least_gain: float = tuned(
        0.1,
        title="least gain that all colours have in common",
        unit="1",
        low=0.01,
        high=1,
        source=by_hand_in("9efa8f8"),
    )
    most_gain: float = tuned(4.0, title="likewise the most", unit="1", low=1, high=20, source=by_hand_in("9efa8f8"))
    as_sharp: float = tuned(
        1.03,
        title="times as sharp, which still counts as alike",
        unit="1",
        low=1,
        high=1.5,
        source=by_hand_in("3954535"),
    )


CARD_LIGHT = CardLightTuning()

_MEAN = np.full(3, 1 / 3, np.float32)  # over a small last axis a product is far faster than a mean
FINITE_GAIN = 0.05  # keeps what is brought back to its own light finite
SOFTENINGS_MM = (0.0, 0.25, 0.4, 0.55, 0.7, 0.85, 1.0, 1.2)


def fit_light(face: Floats, seen: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Fit each channel's gain and one offset from a face (..., 3) to what is seen of it.

    Light multiplies and a veil adds the same to all channels, so that no light makes a green card of a blue one.
    """
    w = weights.ravel()
    total = float(w.sum()) + 1e-6
    t, q = face.reshape(-1, 3), seen.reshape(-1, 3)
    t_mean, t_square, both = ((w @ part / total).astype(np.float64) for part in (t, t * t, t * q))
    q_sum = float((w @ q).sum()) / total
    common = float(both.sum()) / max(float(t_square.sum()), 1e-3)
    common = min(max(common, CARD_LIGHT.least_gain), CARD_LIGHT.most_gain)
    prior = CARD_LIGHT.cast_held * float(t_square.sum())
    square, product = t_square + prior + 1e-3, both + prior * common
    tie = t_mean / square  # each channel's gain, solved for the veil that they share
    veil = (q_sum - float(tie @ product)) / (3 * CARD_LIGHT.veil_costs - float(tie @ t_mean))
    least, most = CARD_LIGHT.least_cast * common, CARD_LIGHT.most_cast * common
    gain = ((product - veil * t_mean) / square).clip(least, most).astype(np.float32)
    return gain, np.full(3, veil, np.float32)


def fit_shade(face: Floats, seen: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Fit gain and offset of every pixel (H, W, 3), at any scale: the cast is the card's, light and veil run smoothly.

    Colours are no light: the smooth parts are common to the channels, so that a green card is no shaded blue one.
    """
    size = face.shape[1::-1]
    face, seen, weights = (halved(part) for part in (face, seen, weights))
    gain, offset = fit_light(face, seen, weights)
    lit = gain * face + offset

    def around(values: Shown) -> Floats:
        return cv2.GaussianBlur(small(values), (0, 0), CARD_LIGHT.shade_tiles)

    total = around(weights) + 1e-4
    p, q = lit @ _MEAN, seen @ _MEAN
    p_mean, q_mean = around(weights * p) / total, around(weights * q) / total
    var = around(weights * ((lit * lit) @ _MEAN)) / total - p_mean**2
    cov = around(weights * ((lit * seen) @ _MEAN)) / total - p_mean * q_mean
    prior = CARD_LIGHT.shade_held_grey2 + CARD_LIGHT.shade_held * float(var.mean())
    shade = (cov + prior) / (np.maximum(var, 0) + prior)
    shade = np.clip(shade, CARD_LIGHT.darkest_shade, CARD_LIGHT.brightest_shade)
    shade, veil = (cv2.resize(x, size)[..., None] for x in (shade, q_mean - shade * p_mean))
    return shade * gain, shade * offset + veil


def slopes(image: Floats, px_per_mm: int) -> tuple[Floats, Floats]:
    """Differentiate a flat picture, a millimetre."""
    dx, dy = (cv2.Sobel(image, cv2.CV_32F, *way, ksize=3, scale=px_per_mm / 8) for way in ((1, 0), (0, 1)))
    return dx, dy


def detail(image: Floats, weights: Floats) -> float:
    """Weigh a picture's edges, squared: (H, W) or (H, W, 3)."""
    dx, dy = slopes(image if image.ndim == 2 else image @ _MEAN, FINE)
    return float((dx * dx + dy * dy).ravel() @ weights.ravel())


def sharpness(image: Floats, weights: Floats) -> float:
    """Compare fine detail to coarse, whatever the light: the same print is sharper where this is more."""
    grey = image if image.ndim == 2 else image @ _MEAN
    return detail(grey, weights) / (detail(blurred(grey, SOFTENINGS_MM[-1], FINE), weights) + 1e-3)


def softening_mm(image: Floats, wanted: float, weights: Floats) -> float:
    """Find the blur by which a picture's sharpness falls to `wanted`."""
    grey = image @ _MEAN
    enough = bisect_left(
        SOFTENINGS_MM, -CARD_LIGHT.as_sharp * wanted, key=lambda mm: -sharpness(softened(grey, mm), weights)
    )  # blur only takes sharpness away
    return SOFTENINGS_MM[min(enough, len(SOFTENINGS_MM) - 1)]


def softened(image: Floats, blur_mm: float) -> Floats:
    """Blur a card, if at all."""
    return blurred(image, blur_mm, FINE) if blur_mm else image
